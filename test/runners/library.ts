/** Loads the library under test, and tells by name what it cannot do yet. */
import type { Observer, ProtocolName } from "../../src/index.ts";

/** The public names; any of them may still be missing. */
export type Library = Partial<typeof import("../../src/index.ts")>;
/** `ttft/otel`, without the types of the OpenTelemetry packages. */
export type OtelEntry = { readonly otel: (options: { tracerProvider: any; meterProvider: any }) => Observer };
export type OpenAiPackage = { readonly default: new (options: object) => any };

export interface Loaded {
  readonly library: Library;
  readonly otel: OtelEntry | null;
  readonly openai: OpenAiPackage | null;
}

const sources = new URL("../../src/", import.meta.url);

/** A missing entry or package is a capability that is not there; one that does not load is an error. */
export async function load(entry = new URL("index.ts", sources).href): Promise<Loaded> {
  return {
    library: await import(entry),
    otel: await optional<OtelEntry>(new URL("otel.ts", sources).href),
    openai: await optional<OpenAiPackage>("openai"),
  };
}

async function optional<Module>(specifier: string): Promise<Module | null> {
  try {
    return await import(specifier);
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

const someUrl = "http://127.0.0.1:9/A/v1/chat/completions";

/** Is the built-in protocol known to `createClient`? */
export const speaks = (library: Library, protocol: ProtocolName) =>
  accepts(library, { endpoints: [{ name: "A", protocol, url: someUrl }] });

export function accepts(library: Library, options: object): boolean {
  try {
    library.createClient?.({
      endpoints: [{ name: "A", protocol: "openai-chat", url: someUrl }],
      ...options,
    });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
