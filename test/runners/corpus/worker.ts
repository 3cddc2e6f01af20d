/** A process that checks the recordings it is sent, one after the other. */
import { inTime } from "../in-time.ts";
import { load } from "../library.ts";
import { type Checked, checkRecording } from "./check.ts";
import { readExpectations, readRecording } from "./recording.ts";

export type WorkerMessage = { readonly ready: true } | ({ readonly file: string } & Checked);

const folder = process.argv[2] ?? "";
const { library } = await load();
const expectations = await readExpectations(folder);
const tell = (message: WorkerMessage) => process.send?.(message);

/** A replay that never settles must not take the other recordings with it. */
const longestMs = 900_000;

async function check(file: string): Promise<Checked> {
  try {
    return await inTime(checkRecording(library, await readRecording(folder, file, expectations)), longestMs);
  } catch (error) {
    return { problems: [error instanceof Error ? (error.stack ?? String(error)) : String(error)], replays: 0, cuts: 0 };
  }
}

process.on("message", async ({ file }: { readonly file: string }) => tell({ file, ...(await check(file)) }));
process.on("disconnect", () => process.exit(0));
tell({ ready: true });
