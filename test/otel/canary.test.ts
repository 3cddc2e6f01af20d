import { describe, expect, test } from "vitest";
import type { Script, Scripts } from "../../src/testing.ts";
import { call, everyWay, type Leave } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

const canary = "CANARY";
const said = (what: string) => `${canary}-${what}`;

const answer: Script = [
  { reasoning: said("reasoning") },
  `${said("text")} one`,
  { toolCall: { name: said("tool"), arguments: { city: said("argument") }, id: said("tool-id"), pieces: 2 } },
];
const words = (code: string): Script[number] => ({ error: code, message: said("message") });
const http = (status: number, code: string) => {
  const error = { type: code, code, message: said("message"), param: said("param") };
  return { status, body: { error }, headers: { "x-request-id": said("header"), "x-secret": said("header") } };
};
const lone = (script: Script): Scripts => ({ "https://a.test": script });

const scenarios: Readonly<Record<string, { readonly scripts: Scripts; readonly leave?: Leave }>> = {
  "a whole answer": { scripts: lone(answer) },
  "an answer that is cut": { scripts: lone([...answer, { end: "cut" }]) },
  "a reset": { scripts: lone([...answer, { end: "reset" }]) },
  "a refused connection": { scripts: lone([{ end: "refuse" }]) },
  "an error in band before output": { scripts: lone([words("overloaded_error")]) },
  "an error in band after output": { scripts: lone([...answer, words("server_error")]) },
  "an error with a code nobody knows": { scripts: lone([words(said("code"))]) },
  "a guardrail that names itself": { scripts: lone([words(`guardrail_${said("code")}`)]) },
  "an HTTP error": { scripts: lone([http(400, "invalid_request_error")]) },
  "an HTTP error with a code nobody knows": { scripts: lone([http(500, said("code"))]) },
  "a gateway's refusal": { scripts: lone([http(402, said("code"))]) },
  "a page instead of a stream": { scripts: lone([{ status: 200, body: `<html>${said("page")}</html>` }]) },
  "a malformed event": { scripts: lone(["one", { send: `data: {${said("broken")}\n\n` }]) },
  "a stop reason that is a sentence": {
    scripts: lone([
      "one",
      { send: `data: {"choices":[{"index":0,"delta":{},"finish_reason":"${said("stop")} because of you"}]}\n\n` },
    ]),
  },
  "ids and models that are sentences": {
    scripts: lone([
      {
        send: `data: {"id":"${said("id")} of you","model":"${said("model")} for you","choices":[{"index":0,"delta":{"content":"one"}}]}\n\n`,
      },
      { send: "data: [DONE]\n\n" },
    ]),
  },
  "a failover": { scripts: { "https://a.test": [words("overloaded_error")], "https://b.test": answer } },
  "two failures": { scripts: { "https://a.test": [http(503, said("code"))], "https://b.test": [{ end: "hold" }] } },
  "a caller who leaves": { scripts: lone([...answer, { end: "hold" }]), leave: "break" },
  "a caller who aborts": { scripts: lone([...answer, { end: "hold" }]), leave: "abort" },
  "an idle provider": { scripts: lone([...answer, { end: "hold" }]) },
};

const body = {
  messages: [
    { role: "system", content: said("system") },
    { role: "user", content: said("prompt") },
  ],
  input: said("prompt"),
  system: said("system"),
  user: said("user"),
  metadata: { user_id: said("user") },
  stop: [said("stop-sequence")],
  tools: [{ type: "function", function: { name: said("tool"), description: said("description") } }],
};

describe.for(everyWay)("through $facade in $protocol", (way) => {
  test.for(Object.entries(scenarios))(
    "nothing that was said gets out: %s",
    async ([, { scripts, leave = "never" }]) => {
      const telemetry = new Telemetry();
      await call(way, scripts, telemetry.observer({ semconv: "both" }), {
        body,
        leave,
        query: `?key=${said("query")}`,
        headers: {
          authorization: `Bearer ${said("key")}`,
          "x-api-key": said("key"),
          baggage: `user=${said("baggage")}`,
        },
      });
      const text = await telemetry.text();
      expect(text).toContain("gen_ai.client.operation.duration");
      expect(text).not.toContain(canary);
      expect([telemetry.operations.length, telemetry.spans.length]).toEqual([1, telemetry.started]);
      for (const { status, attributes } of telemetry.spans) {
        expect(status.message ?? "").not.toMatch(/timeout|timed out/);
        expect(attributes["error.type"] ?? "").toMatch(/^[a-z0-9_]*$/);
      }
    },
  );
});

test("the canary is really sung: prompt, key and query reach the provider, the words reach the caller", async () => {
  const [way] = everyWay;
  const { turn, fetch } = await call(way as never, lone(answer), {}, { body, query: `?key=${said("query")}` });
  expect(JSON.stringify(turn)).toContain(said("text"));
  expect(JSON.stringify(fetch.requests[0])).toContain(said("prompt"));
  expect(fetch.requests[0]?.url).toContain(said("query"));
});
