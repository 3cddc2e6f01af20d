/** Shares the recordings out among a few processes, the longest first. */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Checked } from "./check.ts";
import type { WorkerMessage } from "./worker.ts";

const worker = fileURLToPath(new URL("worker.ts", import.meta.url));
const workers = Math.min(availableParallelism(), 4);

/** `done` hears of each recording once, in no particular order. */
export async function checkAll(
  folder: string,
  files: readonly string[],
  done: (file: string, checked: Checked) => void,
): Promise<void> {
  const queue = [...files];
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, () => work(folder, queue, done)));
}

function work(folder: string, queue: string[], done: (file: string, checked: Checked) => void): Promise<void> {
  const child = fork(worker, [folder], { execArgv: ["--import", import.meta.resolve("tsx")] });
  let current: string | null = "nothing yet";
  return new Promise((resolve, reject) => {
    const next = () => {
      current = queue.shift() ?? null;
      if (current === null) child.disconnect();
      else child.send({ file: current });
    };
    child.on("message", (message: WorkerMessage) => {
      if ("file" in message) done(message.file, message);
      next();
    });
    child.on("exit", (code) => {
      if (current === null) resolve();
      else reject(new Error(`a worker ended with ${code} while it checked ${current}`));
    });
  });
}
