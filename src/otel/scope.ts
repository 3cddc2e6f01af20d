/** Under which name everything is emitted, and providers that may be registered late or replaced. */
import { type Meter, metrics, type Tracer, trace } from "@opentelemetry/api";
import { schemaUrlOf } from "./names.ts";
import type { Decided } from "./options.ts";

const SCOPE_NAME = "ttft";
/** The package's version; a test keeps the two equal. */
const SCOPE_VERSION = "0.1.0";

export function tracerOf({ tracerProvider }: Decided): Tracer {
  return (tracerProvider ?? trace).getTracer(SCOPE_NAME, SCOPE_VERSION);
}

/**
 * What is made of a meter, made again when another provider is registered: instruments of the API are bound for good to
 * the provider of their creation, and before one is registered they are of none (open-telemetry/opentelemetry-js#3622).
 */
export function perMeter<Made>(settings: Decided, make: (meter: Meter) => Made): () => Made {
  const schemaUrl = schemaUrlOf(settings);
  let source: unknown;
  let made: Made | undefined;
  return () => {
    const provider = settings.meterProvider ?? metrics.getMeterProvider();
    if (made === undefined || provider !== source) {
      made = make(provider.getMeter(SCOPE_NAME, SCOPE_VERSION, schemaUrl === undefined ? {} : { schemaUrl }));
      source = provider;
    }
    return made;
  };
}
