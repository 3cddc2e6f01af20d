import { describe, expect, test } from "vitest";
import type { Scripts } from "../../src/testing.ts";
import { call, everyWay } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

const FIRST_CHUNK = "gen_ai.client.operation.time_to_first_chunk";

async function seconds(
  way: (typeof everyWay)[number],
  chunk: "output" | "content" | "event" | undefined,
  scripts: Scripts,
) {
  const telemetry = new Telemetry();
  await call(way, scripts, telemetry.observer({ chunk }));
  const sumOf = async (name: string) => (await telemetry.points(name))[0]?.sum ?? null;
  expect(telemetry.operations[0]?.attributes["gen_ai.response.time_to_first_chunk"] ?? null).toBe(
    await sumOf(FIRST_CHUNK),
  );
  return [await sumOf(FIRST_CHUNK), await sumOf("ttft.client.time_to_first_content")];
}

describe.for(everyWay)("the first chunk, through $facade in $protocol", (way) => {
  /** Keep-alives, the opening frames, then reasoning, then text. */
  const slow = {
    "https://a.test": [
      { waitMs: 100 },
      { keepAlive: 1 },
      { waitMs: 100 },
      "",
      { waitMs: 200 },
      { reasoning: "hm" },
      { waitMs: 400 },
      "one",
    ],
  };

  test("is by default the first output; neither keep-alives nor opening frames stop it", async () => {
    expect(await seconds(way, undefined, slow)).toEqual([0.4, 0.8]);
    expect(await seconds(way, "output", slow)).toEqual([0.4, 0.8]);
  });

  test("can be the first event; keep-alives still do not stop it, and it does not stop first content", async () => {
    expect(await seconds(way, "event", slow)).toEqual([0.2, 0.8]);
  });

  test("can be the first content", async () => {
    expect(await seconds(way, "content", slow)).toEqual([0.8, 0.8]);
  });

  test("is not recorded where none came", async () => {
    expect(await seconds(way, "output", { "https://a.test": ["", { end: "cut" }] })).toEqual([null, null]);
  });

  test("counts from the call, with the attempts that failed inside", async () => {
    const scripts = {
      "https://a.test": [{ waitMs: 300 }, { error: "overloaded_error" }],
      "https://b.test": [{ waitMs: 100 }, "one"],
    };
    expect(await seconds(way, "output", scripts)).toEqual([0.4, 0.4]);
  });
});

test("an answer that came whole has no first chunk and no first content", async () => {
  const body = {
    id: "c",
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "one" }, finish_reason: "stop" }],
  };
  const [way] = everyWay;
  for (const chunk of ["output", "content", "event"] as const)
    expect(await seconds(way as never, chunk, { "https://a.test": [{ status: 200, body }] })).toEqual([null, null]);
});
