/** A script read by this library's own decoder, without a network: what would come of it. */
import { Inspector } from "../attempt/inspector.ts";
import { protocols } from "../protocol/builtins.ts";
import type { ProtocolName } from "../protocol/protocol.ts";
import { Timeline } from "../timing/timeline.ts";
import { play } from "./play.ts";
import { pathOf } from "./providers/choose.ts";
import type { Script } from "./script.ts";

export const isProtocolName = (name: string): name is ProtocolName => Object.hasOwn(protocols, name);

export interface Rehearsal {
  readonly inspector: Inspector;
  readonly timeline: Timeline;
}

/** @throws TypeError for a step that the protocol has no words for. */
export function rehearse(name: ProtocolName, script: Script): Rehearsal {
  const timeline = new Timeline(0);
  const inspector = new Inspector({
    protocol: protocols[name],
    timeline,
    collect: true,
    maxEventBytes: Infinity,
    maxTurnBytes: Infinity,
    onEvent: null,
  });
  for (const act of play(script, { pathname: pathOf(name), headers: {}, body: null }, 1)) {
    if (act.type === "end" && act.how === "cut") inspector.end(0);
    if (act.type !== "write") continue;
    timeline.bytes += act.bytes.length;
    inspector.feed(act.bytes, 0);
  }
  return { inspector, timeline };
}
