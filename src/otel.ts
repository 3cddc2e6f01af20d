/**
 * `ttft/otel`: spans and metrics of every call in the terms of OpenTelemetry.
 *
 * @module
 */
export { otel } from "./otel/observer.ts";
export type { OtelOptions } from "./otel/options.ts";
