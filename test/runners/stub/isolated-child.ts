/** The child's side of `isolated.ts`: serves the one case it is sent until its parent lets go. */
import type { StreamCase } from "../format.ts";
import type { ChildMessage } from "./isolated.ts";
import type { Stub } from "./script.ts";
import { serverStub } from "./server.ts";

let stub: Stub | null = null;
const tell = (message: ChildMessage) => process.send?.(message);

process.on("message", async (message: { readonly script?: StreamCase }) => {
  if (message.script) {
    stub = await serverStub(message.script);
    tell({ base: stub.base });
  } else if (stub) {
    tell({ log: await stub.log() });
  }
});
process.on("disconnect", () => process.exit(0));
