/** A script and the request it answers → what the server does, one act after the other. No I/O and no time of its own. */
import { type Asked, providerFor } from "./providers/choose.ts";
import type { Provider } from "./providers/provider.ts";
import { type Ending, isStep, type Script, type StatusStep, type Step } from "./script.ts";
import { Voice } from "./voice.ts";

export type Act =
  | { readonly type: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: "write"; readonly bytes: Uint8Array }
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "end"; readonly how: Ending };

const encoder = new TextEncoder();
const write = (data: string | Uint8Array): Act => ({
  type: "write",
  bytes: typeof data === "string" ? encoder.encode(data) : data,
});
const CLOSE: Act = { type: "end", how: "cut" };

/** Ends with exactly one `end`. @throws TypeError for a step that the protocol has no words for. */
export function* play(script: Script, asked: Asked, ordinal: number): Generator<Act, void> {
  const { provider, answer } = providerFor(asked, ordinal);
  const voice = new Voice(provider, answer);
  const status = script.find(isStep("status"));
  const asDocument = status !== undefined && isDocument(status, script);
  const head = headOf(status, asDocument, provider, ordinal);
  // The head goes out at once, unless the script says when; a request that is refused never gets one.
  if (status === undefined && !script.some(isRefusal)) yield head;
  for (const step of script) {
    if (typeof step !== "object") yield* voice.say(step).map(write);
    else if ("status" in step) {
      yield head;
      if (step.body !== undefined) yield write(bodyOf(step.body));
    } else if ("waitMs" in step) yield { type: "wait", ms: step.waitMs };
    else if ("send" in step) yield write(step.send);
    else if ("keepAlive" in step) yield* keepAlives(step.keepAlive, step.everyMs ?? 0, provider);
    else if ("end" in step) return yield { type: "end", how: step.end };
    else if ("error" in step && asDocument)
      yield write(bodyOf(provider.errorDocument(status.status, step.error, step.message ?? "Scripted failure")));
    else yield* voice.say(step).map(write);
  }
  if (asDocument && !script.some(isStep("error"))) yield* errorDocument(status, provider);
  if (!asDocument && status?.body === undefined && !isVerbatim(script)) yield* voice.finish().map(write);
  yield CLOSE;
}

function* keepAlives(count: number, everyMs: number, provider: Provider): Generator<Act, void> {
  for (let sent = 0; sent < count; sent++) {
    if (sent > 0 && everyMs > 0) yield { type: "wait", ms: everyMs };
    yield write(provider.keepAlive());
  }
}

/** What an error status says when the script does not. */
function* errorDocument({ status }: StatusStep, provider: Provider): Generator<Act, void> {
  if (status < 400) return;
  const code = STATUS_CODES[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  yield write(bodyOf(provider.errorDocument(status, code, `Scripted status ${status}`)));
}

const STATUS_CODES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "service_unavailable",
  529: "overloaded_error",
};

const isRefusal = (step: Step): boolean => typeof step === "object" && "end" in step && step.end === "refuse";

const speaks = (step: Step): boolean =>
  typeof step === "string" || "reasoning" in step || "toolCall" in step || "stop" in step || "done" in step;

/** Who writes the bytes writes the ending too. */
const isVerbatim = (script: Script): boolean => script.some(isStep("send")) && !script.some(speaks);

/** An error status without a stream behind it: its body is one JSON document. */
const isDocument = ({ status, body }: StatusStep, script: Script): boolean =>
  status >= 300 && body === undefined && !script.some((step) => speaks(step) || isStep("send")(step));

function headOf(step: StatusStep | undefined, asDocument: boolean, provider: Provider, ordinal: number): Act {
  const headers: Record<string, string> = {
    "content-type": asDocument ? "application/json" : contentTypeOf(step?.body, provider),
    "cache-control": "no-cache",
    [provider.requestIdHeader]: `req_${ordinal}`,
  };
  for (const [name, value] of Object.entries(step?.headers ?? {})) headers[name.toLowerCase()] = value;
  return { type: "head", status: step?.status ?? 200, headers };
}

function contentTypeOf(body: string | object | undefined, provider: Provider): string {
  if (body === undefined) return provider.contentType;
  if (typeof body === "object" || /^\s*[{[]/.test(body)) return "application/json";
  return /^\s*</.test(body) ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
}

const bodyOf = (body: string | object): string => (typeof body === "string" ? body : JSON.stringify(body));
