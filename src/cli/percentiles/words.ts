/** Names and durations as people read them. */
import type { StatsKey } from "../../stats/row.ts";

/** `640 ms`, `1.94 s`, `2 min 5 s` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toPrecision(ms < 10_000 ? 3 : ms < 100_000 ? 3 : 4)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.round((ms - minutes * 60_000) / 1_000)} s`;
}

/** `1.2 %`, `0.04 %` */
export function share(part: number): string {
  const percent = part * 100;
  return `${percent === 0 || percent >= 0.1 ? percent.toFixed(1) : percent.toPrecision(1)} %`;
}

export function bytes(count: number): string {
  if (count < 1e6) return `${Math.ceil(count / 1e3)} kB`;
  return count < 1e9 ? `${(count / 1e6).toFixed(0)} MB` : `${(count / 1e9).toFixed(2)} GB`;
}

/** `route`, or `endpoint · model · label`. */
export function target({ endpoint, model, label }: StatsKey): string {
  return [endpoint || "(no name)", ...(model === "*" ? [] : [model]), ...(label === null ? [] : [label])]
    .map(printable)
    .join(" · ");
}

/** Names come from files: what would steer a terminal, or hide in a line, does not get there. */
export function printable(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");
}
