/** The loopback stub in a process of its own, for cases that block or measure the one they run in. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StreamCase } from "../format.ts";
import type { Stub, StubLog } from "./script.ts";

/** What the child answers: its address once, then its log whenever it is asked. */
export type ChildMessage = { readonly base: string } | { readonly log: StubLog };

export async function isolatedStub(script: StreamCase): Promise<Stub> {
  const child = fork(fileURLToPath(new URL("isolated-child.ts", import.meta.url)), {
    execArgv: ["--import", import.meta.resolve("tsx")],
  });
  const next = () =>
    new Promise<any>((resolve, reject) => {
      const lost = (code: number | null) => reject(new Error(`the isolated stub ended with ${code}`));
      child.once("exit", lost);
      child.once("message", (message) => {
        child.off("exit", lost);
        resolve(message);
      });
    });
  child.send({ script });
  const { base } = await next();
  return {
    base,
    log: async () => {
      child.send({ log: true });
      return (await next()).log;
    },
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.disconnect();
      }),
  };
}
