/** Where a call or an attempt goes, as attributes: operation, provider, model and server, the same on spans and metrics. */
import type { Attributes } from "@opentelemetry/api";
import type { AttemptInfo, CallInfo } from "../turn/observer.ts";
import { operationName } from "./names.ts";
import type { Decided } from "./options.ts";
import { inferProviderName } from "./provider-name.ts";
import { word } from "./words.ts";

export function placeOf({ protocol }: CallInfo, to: CallInfo | AttemptInfo, settings: Decided): Attributes {
  const place: Attributes = {
    "gen_ai.operation.name": operationName(protocol),
    "gen_ai.provider.name": word(named(to, settings) ?? inferProviderName(to.url, protocol)) as string,
    ...serverOf(to.url),
  };
  const model = word(to.model);
  if (model !== null) place["gen_ai.request.model"] = model;
  return place;
}

export function serverOf({ hostname, port, protocol }: URL) {
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "https:" ? 443 : 80) };
}

function named({ endpoint, url }: CallInfo | AttemptInfo, { providerName }: Decided): string | undefined {
  try {
    return providerName?.(endpoint, url);
  } catch {
    return undefined;
  }
}
