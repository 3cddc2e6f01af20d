import { describe, expect, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { errorTypeOf } from "../../src/otel/error-type.ts";
import { scriptedFetch, VirtualClock } from "../../src/testing.ts";
import { call, endpoint } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

const way = { facade: "client", protocol: "openai-chat" } as const;

describe("`error.type`", () => {
  const failure = { reason: "provider_error", providerCode: null, providerType: null, httpStatus: 200 } as const;
  test.for([
    [{ providerCode: "overloaded_error" }, "overloaded_error"],
    [{ providerType: "Rate_Limit_Exceeded" }, "rate_limit_exceeded"],
    [{ providerCode: "server_error", httpStatus: 500, reason: "http_error" }, "server_error"],
    [{ providerCode: "guardrail_of_mine" }, "guardrail"],
    [{ providerCode: "503" }, "503"],
    [{ providerCode: "of_mine" }, "provider_error"],
    [{ providerCode: "of_mine", reason: "http_error", httpStatus: 422 }, "422"],
    [{ reason: "http_error", httpStatus: 302 }, "302"],
    [{ reason: "http_error", httpStatus: null }, "http_error"],
    [{ reason: "refused", httpStatus: 446 }, "446"],
    [{ reason: "refused", providerCode: "budget_exceeded", httpStatus: 402 }, "budget_exceeded"],
    [{ reason: "refused", providerCode: "of_mine", httpStatus: 200 }, "refused"],
    [{ reason: "timeout_idle" }, "timeout_idle"],
    [{ reason: "connection_failed", httpStatus: null }, "connection_failed"],
    [{ reason: "aborted" }, null],
  ] as const)("of %o is %s", ([details, type]) => {
    expect(errorTypeOf({ ...failure, ...details } as never)).toBe(type);
  });
});

describe("a call", () => {
  const scripts = { "https://a.test": [{ end: "hold" }], "https://b.test": [{ end: "hold" }] } as const;

  test("that nobody could be tried for is an error, with a duration", async () => {
    const telemetry = new Telemetry();
    const { lacking, client } = withoutTools(telemetry);
    await expect(client.turn(lacking)).rejects.toMatchObject({ code: "no_endpoint_available" });
    expect(telemetry.operations[0]?.attributes).toMatchObject({
      "error.type": "no_endpoint",
      "ttft.outcome": "no_endpoint",
      "ttft.attempts": 0,
      "server.address": "a.test",
    });
    expect(telemetry.operations[0]?.status.message).toBe("no endpoint could be tried");
    expect(await telemetry.count("gen_ai.client.operation.duration")).toBe(1);
    const [skipped] = await telemetry.points("ttft.client.skipped");
    expect(skipped?.attributes).toEqual({ "ttft.endpoint": "a", "ttft.skip.reason": "capability" });
  });

  test("that is aborted while two attempts race ends every span once", async () => {
    const telemetry = new Telemetry();
    const clock = new VirtualClock();
    const controller = new AbortController();
    const client = createClient({
      clock,
      fetch: scriptedFetch(scripts, { clock }),
      endpoints: [endpoint("openai-chat", "a"), endpoint("openai-chat", "b")],
      observers: [telemetry.observer()],
      hedge: { afterMs: 100 },
    });
    const ended = expect(client.turn({ model: "m" }, { signal: controller.signal })).rejects.toMatchObject({
      code: "aborted",
    });
    await clock.advance(200);
    controller.abort();
    await ended;
    expect([telemetry.operations.length, telemetry.attempts.length, telemetry.started]).toEqual([1, 2, 3]);
    expect(await telemetry.count("ttft.client.attempts")).toBe(2);
    expect(telemetry.attempts.map(({ attributes }) => attributes["ttft.attempt.kind"])).toEqual(["initial", "hedge"]);
  });

  test("that a hedge won keeps the loser out of its errors", async () => {
    const telemetry = new Telemetry();
    await call(way, { ...scripts, "https://b.test": ["one"] }, telemetry.observer(), {
      settings: { hedge: { afterMs: 100 } },
    });
    expect(telemetry.operations[0]?.attributes).toMatchObject({
      "ttft.outcome": "complete",
      "server.address": "b.test",
    });
    expect(telemetry.attempts.map(({ attributes }) => attributes["ttft.outcome"]).sort()).toEqual([
      "complete",
      "hedge_lost",
    ]);
    expect(telemetry.attempts.filter(({ attributes }) => "error.type" in attributes)).toEqual([]);
    const [content] = await telemetry.points("ttft.client.time_to_first_content");
    expect(content?.attributes["ttft.fell_back"]).toBe(true);
    expect(await telemetry.count("ttft.client.fallbacks")).toBe(0);
  });

  test("hears of a breaker's changes", async () => {
    const telemetry = new Telemetry();
    const clock = new VirtualClock();
    const client = createClient({
      clock,
      fetch: scriptedFetch({ "/": [{ error: "server_error" }] }, { clock }),
      endpoints: [endpoint("openai-chat", "a")],
      observers: [telemetry.observer()],
      retry: { maxRetries: 0 },
      breaker: { consecutiveFailures: 2, minSpanMs: 0 },
    });
    for (let n = 0; n < 2; n++) {
      const ended = expect(client.text({ model: "m" }, { label: "chat" })).rejects.toThrow();
      await clock.runAll();
      await ended;
    }
    const [transition] = await telemetry.points("ttft.client.circuit.transitions");
    expect(transition).toMatchObject({ count: 1, attributes: { "ttft.endpoint": "a", "ttft.circuit.state": "open" } });
    const [attempts] = await telemetry.points("ttft.client.attempts");
    expect(attempts?.attributes).toEqual({
      "ttft.endpoint": "a",
      "ttft.label": "chat",
      "ttft.outcome": "provider_error",
      "error.type": "server_error",
    });
  });

  test("is named after what it does", async () => {
    const telemetry = new Telemetry();
    const fetch = scriptedFetch({ "/": ["one"] });
    const observers = [telemetry.observer()];
    const url = "https://a.test/v1beta/models/{model}:streamGenerateContent?alt=sse";
    await createClient({ fetch, observers, endpoints: [{ protocol: "gemini", url, model: "g" }] }).text({
      contents: [],
    });
    const completions = { protocol: "openai-completions", url: "https://a.test/v1/completions", model: "c" } as const;
    await createClient({ fetch, observers, endpoints: [completions] }).text({ prompt: "" });
    expect(telemetry.operations.map(({ name }) => name)).toEqual(["generate_content g", "text_completion c"]);
  });
});

function withoutTools(telemetry: Telemetry) {
  const client = createClient({
    fetch: scriptedFetch({}),
    endpoints: [{ ...endpoint("openai-chat", "a"), capabilities: { tools: false } }],
    observers: [telemetry.observer()],
  });
  const lacking = { model: "m", tools: [{ type: "function", function: { name: "f" } }] };
  return { client, lacking };
}
