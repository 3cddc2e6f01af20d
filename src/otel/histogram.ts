/** A histogram with bounds of its own: an SDK's defaults (0, 5, 10, 25 …) say nothing about seconds. */
import type { Histogram, Meter } from "@opentelemetry/api";

export function createHistogram(meter: Meter, name: string, unit: string, bounds: readonly number[]): Histogram {
  return meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries: [...bounds] } });
}
