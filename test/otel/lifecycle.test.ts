import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { describe, expect, test } from "vitest";
import { call, everyWay, type Leave, MODEL } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

const DURATION = "gen_ai.client.operation.duration";

const withTelemetry = () => {
  const telemetry = new Telemetry();
  return { telemetry, observer: telemetry.observer() };
};

describe.for(everyWay)("through $facade in $protocol", (way) => {
  test("a whole answer is one span with one attempt, and one point of each measurement", async () => {
    const { telemetry, observer } = withTelemetry();
    const script = [{ waitMs: 200 }, "one", { waitMs: 100 }, " two"];
    await call(way, { "https://a.test": script }, observer, { body: { temperature: 0.5, max_tokens: 9, n: 1 } });
    const [operation] = telemetry.operations;
    const [attempt] = telemetry.attempts;
    expect([telemetry.operations.length, telemetry.attempts.length, telemetry.started]).toEqual([1, 1, 2]);
    expect(operation?.name).toBe(`chat ${MODEL}`);
    expect(operation?.kind).toBe(SpanKind.CLIENT);
    expect(operation?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(operation?.events).toEqual([]);
    expect(operation?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": way.protocol.split("-")[0],
      "gen_ai.request.model": MODEL,
      "gen_ai.request.stream": true,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.max_tokens": 9,
      "gen_ai.response.model": MODEL,
      "gen_ai.response.time_to_first_chunk": 0.2,
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 2,
      "server.address": "a.test",
      "server.port": 443,
      "ttft.outcome": "complete",
      "ttft.turn.complete": true,
      "ttft.attempts": 1,
      "ttft.time_to_first_content": 0.2,
      "ttft.max_gap": 0.1,
      "ttft.content_chunks": 2,
      "ttft.protocol": way.protocol,
      "ttft.prompt.band": "<2k",
    });
    expect(operation?.attributes).not.toHaveProperty("gen_ai.request.choice.count");
    expect(operation?.attributes).not.toHaveProperty("error.type");
    expect(attempt?.parentSpanContext?.spanId).toBe(operation?.spanContext().spanId);
    expect(attempt?.kind).toBe(SpanKind.INTERNAL);
    expect(attempt?.attributes).toEqual({
      "ttft.attempt.index": 0,
      "ttft.attempt.kind": "initial",
      "ttft.backoff": 0,
      "ttft.endpoint": "a",
      "ttft.outcome": "complete",
      "server.address": "a.test",
      "server.port": 443,
      "http.response.status_code": 200,
    });
    const counts = (await telemetry.metrics()).map(({ name, points }) => [name, points.map(({ count }) => count)]);
    expect(Object.fromEntries(counts)).toEqual({
      [DURATION]: [1],
      "gen_ai.client.operation.time_to_first_chunk": [1],
      "gen_ai.client.operation.time_per_output_chunk": [1],
      "gen_ai.client.token.usage": [1, 1],
      "ttft.client.time_to_first_content": [1],
      "ttft.client.attempt.time_to_first_content": [1],
      "ttft.client.attempts": [1],
    });
    expect((await telemetry.points(DURATION))[0]?.sum).toBeCloseTo(0.3);
  });

  test.for(["break", "abort", "cancel"] as const satisfies Leave[])(
    "a caller who leaves by %s ends one span and records one duration",
    async (leave) => {
      const { telemetry, observer } = withTelemetry();
      await call(way, { "https://a.test": ["one", { end: "hold" }] }, observer, { leave });
      expect([telemetry.operations.length, telemetry.attempts.length, telemetry.started]).toEqual([1, 1, 2]);
      const [operation] = telemetry.operations;
      expect(operation?.status.code).toBe(SpanStatusCode.UNSET);
      expect(operation?.attributes).toMatchObject({
        "ttft.outcome": "aborted",
        "ttft.turn.complete": false,
        "gen_ai.response.finish_reasons": ["error"],
      });
      expect(operation?.attributes).not.toHaveProperty("error.type");
      expect(telemetry.attempts[0]?.status.code).toBe(SpanStatusCode.UNSET);
      const [duration] = await telemetry.points(DURATION);
      expect(duration?.count).toBe(1);
      expect(duration?.attributes).not.toHaveProperty("error.type");
    },
  );

  test("an answer that is cut is an error with its reason", async () => {
    const { telemetry, observer } = withTelemetry();
    await call(way, { "https://a.test": ["one", { end: "cut" }] }, observer);
    const [operation] = telemetry.operations;
    expect(operation?.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: "the stream ended without its success signal",
    });
    expect(operation?.attributes).toMatchObject({
      "error.type": "closed_before_terminal",
      "ttft.outcome": "closed_before_terminal",
      "gen_ai.response.finish_reasons": ["error"],
    });
    expect((await telemetry.points(DURATION)).map(({ attributes }) => attributes["error.type"])).toEqual([
      "closed_before_terminal",
    ]);
  });

  test("what the provider ended itself is no error, and keeps the provider's reason", async () => {
    const { telemetry, observer } = withTelemetry();
    await call(way, { "https://a.test": ["one", { stop: "length" }] }, observer);
    const [operation] = telemetry.operations;
    expect(operation?.status.code).toBe(SpanStatusCode.UNSET);
    expect(operation?.attributes["ttft.outcome"]).toBe("length");
    expect(operation?.attributes).not.toHaveProperty("error.type");
    expect(operation?.attributes["gen_ai.response.finish_reasons"]).not.toEqual(["error"]);
    expect((await telemetry.points(DURATION))[0]?.attributes).not.toHaveProperty("error.type");
  });

  test("a failure before any output is recorded once, with the status that the server sent", async () => {
    const { telemetry, observer } = withTelemetry();
    const script = [{ status: 418, body: { error: { message: "no coffee", type: "teapot" } } }];
    await call(way, { "https://a.test": script }, observer);
    expect(telemetry.operations[0]?.attributes).toMatchObject({ "error.type": "418", "ttft.outcome": "http_error" });
    expect(telemetry.operations[0]?.status.message).toBe("the server answered with status 418");
    expect(telemetry.attempts[0]?.attributes).toMatchObject({
      "http.response.status_code": 418,
      "ttft.failure.status": 418,
      "error.type": "418",
    });
    expect((await telemetry.points(DURATION)).map(({ count }) => count)).toEqual([1]);
    expect(await telemetry.count("gen_ai.client.operation.time_to_first_chunk")).toBe(0);
    expect(await telemetry.count("ttft.client.time_to_first_content")).toBe(0);
  });

  test("after a failover the call is no error, its first attempt is, and the wait is inside", async () => {
    const { telemetry, observer } = withTelemetry();
    const scripts = {
      "https://a.test": [{ waitMs: 50 }, { error: "overloaded_error" }],
      "https://b.test": [{ waitMs: 30 }, "one"],
    };
    await call(way, scripts, observer);
    const [operation] = telemetry.operations;
    expect(operation?.status.code).toBe(SpanStatusCode.UNSET);
    expect(operation?.attributes).toMatchObject({ "server.address": "b.test", "ttft.attempts": 2 });
    expect(operation?.attributes).not.toHaveProperty("error.type");
    expect(
      telemetry.attempts.map(({ status, attributes }) => [
        status.code,
        attributes["error.type"],
        attributes["ttft.attempt.kind"],
      ]),
    ).toEqual([
      [SpanStatusCode.ERROR, "overloaded_error", "initial"],
      [SpanStatusCode.UNSET, undefined, "fallback"],
    ]);
    const [fallback] = await telemetry.points("ttft.client.fallbacks");
    expect(fallback).toMatchObject({
      count: 1,
      attributes: { "ttft.from_endpoint": "a", "error.type": "overloaded_error" },
    });
    const [whole] = await telemetry.points("ttft.client.time_to_first_content");
    const [attempt] = await telemetry.points("ttft.client.attempt.time_to_first_content");
    expect(whole?.sum).toBeCloseTo(0.08);
    expect(attempt?.sum).toBeCloseTo(0.03);
    expect(whole?.attributes).toMatchObject({ "ttft.fell_back": true, "ttft.endpoint": "b" });
    expect((await telemetry.points(DURATION))[0]?.attributes).not.toHaveProperty("error.type");
    expect(await telemetry.count("ttft.client.attempts")).toBe(2);
  });
});
