/** Where a call or an attempt goes, as attributes: operation, provider, model and server, the same on spans and metrics. */
import type { Attributes } from "@opentelemetry/api";
import type { AttemptInfo, CallInfo } from "../turn/observer.ts";
import { operationName } from "./names.ts";
import type { Decided } from "./options.ts";
import { inferProviderName } from "./provider-name.ts";
import { word } from "./words.ts";

export function placeOf(call: CallInfo, to: CallInfo | AttemptInfo, settings: Decided): Attributes {
  return {
    "gen_ai.operation.name": operationName(call.protocol),
    "gen_ai.provider.name": providerName(call, to, settings),
    "gen_ai.request.model": word(to.model),
    ...serverOf(to.url),
  };
}

export function serverOf({ hostname, port, protocol }: URL): Attributes {
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "https:" ? 443 : 80) };
}

function providerName(call: CallInfo, { endpoint, url }: CallInfo | AttemptInfo, settings: Decided) {
  let name: string | undefined;
  try {
    name = settings.providerName?.(endpoint, url);
  } catch {
    // As if it had nothing to say.
  }
  return word(typeof name === "string" ? name : inferProviderName(url, call.protocol));
}
