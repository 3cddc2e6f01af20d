/** Axes: where a duration lies, in percent of the width, and which ones are worth a label. */
import { duration } from "../words.ts";

export interface Scale {
  /** `12.34%`: charts are as wide as the page, whatever that is. */
  at(ms: number): string;
  /** The same as a number between 0 and 100. */
  percent(ms: number): number;
  readonly ticks: readonly { readonly ms: number; readonly label: string }[];
}

/** Waits span four orders of magnitude: equal steps are equal ratios. */
export function logScale(fromMs: number, toMs: number): Scale {
  const low = roundDown(fromMs);
  const high = Math.max(roundUp(toMs), low * 10);
  const ticks = steps(low, high).filter((ms) => isDecade(ms) || high / low < 50);
  return scaleOf((ms) => Math.log(ms / low) / Math.log(high / low), ticks.map(tick));
}

/** Time as it passes, from zero. */
export function linearScale(toMs: number): Scale {
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * decade(toMs / 4)).find((ms) => toMs / ms <= 5) ?? toMs;
  const ticks = Array.from({ length: Math.floor(toMs / step) + 1 }, (_, at) => at * step);
  return scaleOf(
    (ms) => ms / toMs,
    ticks.map((ms) => (ms === 0 ? { ms, label: "0" } : tick(ms))),
  );
}

function scaleOf(share: (ms: number) => number, ticks: Scale["ticks"]): Scale {
  const percent = (ms: number) => Math.min(100, Math.max(0, 100 * share(ms)));
  return { percent, at: (ms) => `${percent(ms).toFixed(2)}%`, ticks };
}

function tick(ms: number) {
  const label = duration(ms)
    .replace(/\.0+ /, " ")
    .replace(/(\.\d*?)0+ /, "$1 ");
  return { ms, label };
}

const decade = (ms: number) => 10 ** Math.floor(Math.log10(ms) + 1e-9);
const isDecade = (ms: number) => Math.abs(ms / decade(ms) - 1) < 1e-6;

function roundDown(ms: number): number {
  return ([5, 2, 1].find((factor) => factor * decade(ms) <= ms * 1.000_001) ?? 1) * decade(ms);
}

function roundUp(ms: number): number {
  return ([1, 2, 5, 10].find((factor) => factor * decade(ms) >= ms * 0.999_999) ?? 10) * decade(ms);
}

/** 1, 2, 5, 10, 20, 50 … */
function steps(low: number, high: number): number[] {
  const all: number[] = [];
  for (let ms = decade(low); ms <= high; ms *= 10) all.push(ms, 2 * ms, 5 * ms);
  return all.filter((ms) => ms >= low && ms <= high * 1.000_001);
}
