/** The stage that is a real socket: Node's response, and the faults that only a socket can show. */
import type { ServerResponse } from "node:http";
import { systemClock } from "../base/clock.ts";
import type { Stage } from "./perform.ts";
import type { Ending } from "./script.ts";

/** What was written last has left the process and been read before the socket is reset: some systems drop it otherwise. */
const BEFORE_RESET_MS = 10;

/** So that a page of any origin may call the stub and read what it answers. */
export const OPEN_TO_PAGES: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  "timing-allow-origin": "*",
};

/** @param everyTurn Lets the loop turn after each write, so that slices leave as slices. */
export function socketStage(response: ServerResponse, everyTurn: boolean, over: () => void): Stage {
  const finish: Record<Ending, () => void> = {
    cut: () => void response.end(),
    hold: () => {},
    // Without `response.end()` no terminating chunk is sent: the client can tell a cut body from a whole one.
    half_close: () => void response.socket?.end(),
    reset: () => void systemClock.after(BEFORE_RESET_MS, () => void response.socket?.resetAndDestroy()),
    refuse: () => void response.socket?.resetAndDestroy(),
  };
  return {
    head(status, headers) {
      response.writeHead(status, { ...OPEN_TO_PAGES, ...headers });
      response.flushHeaders();
    },
    write(bytes) {
      if (!response.write(bytes)) return drained(response);
      return everyTurn ? new Promise((resolve) => void systemClock.after(0, resolve)) : undefined;
    },
    end(how) {
      if (how !== "hold") over();
      finish[how]();
    },
  };
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const settle = () => {
      response.off("drain", settle);
      response.off("close", settle);
      resolve();
    };
    response.on("drain", settle);
    response.on("close", settle);
  });
