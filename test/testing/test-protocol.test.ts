import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { protocols } from "../../src/protocol/builtins.ts";
import type { Emit, Protocol, ProtocolName } from "../../src/protocol/protocol.ts";
import { play } from "../../src/testing/play.ts";
import { readBy } from "../../src/testing/protocol-run.ts";
import { pathOf } from "../../src/testing/providers/choose.ts";
import type { Script } from "../../src/testing/script.ts";
import { testProtocol } from "../../src/testing/test-protocol.ts";
import type { Frame } from "../../src/wire/frame.ts";

/** NDJSON of a home-made server, and a decoder that does all as it should, unless told otherwise. */
const SAMPLE =
  '{"t":"h"}\n{"t":"i"}\n{"tool":"weather","n":1,"id":"c1","args":"{\\"city\\":"}\n{"n":1,"args":"\\"Paris\\"}"}\n{"end":"stop","tokens":4}\n';
const samples = [
  {
    name: "hello",
    bytes: SAMPLE,
    text: "hi",
    usage: { inputTokens: null, outputTokens: 4, cachedInputTokens: null, reasoningTokens: null },
  },
];

function homemade(frameOf: (line: any, emit: Emit, frame: Frame) => void = well, more: object = {}): Protocol {
  return {
    name: "homemade",
    framing: "ndjson",
    createDecoder: () => ({ frame: (frame, emit) => frameOf(frame.json(), emit, frame), ...more }),
  };
}

function well(line: any, emit: Emit): void {
  if (line.error) return emit({ type: "error", code: line.error.code, message: line.error.message });
  if (line.t) emit({ type: "text", text: line.t, index: 0 });
  if (line.tool) emit({ type: "tool_call", index: line.n, id: line.id, name: line.tool });
  if (line.args) emit({ type: "tool_arguments", index: line.n, delta: line.args });
  if (!line.end) return;
  const usage = { inputTokens: null, outputTokens: line.tokens, cachedInputTokens: null, reasoningTokens: null };
  emit({ type: "usage", usage });
  emit({ type: "stop", stopReason: "stop", rawStopReason: line.end });
  emit({ type: "done" });
}

const breaks = (protocol: Protocol, message: string | RegExp, given = samples) =>
  expect(testProtocol(protocol, given)).rejects.toThrow(message);

describe("testProtocol", () => {
  test("passes a protocol that does all as it should", async () => {
    await testProtocol(homemade(), samples);
  });

  test("names the protocol, the sample, the rule and what broke it", async () => {
    await breaks(homemade(), 'homemade, sample "hello": the sample rule broke: its text is "hi", expected "ho"', [
      { ...(samples[0] as (typeof samples)[0]), text: "ho" },
    ]);
  });

  test("sample: usage, a missing `done`, nothing at all", async () => {
    const usage = { inputTokens: 1, outputTokens: 4, cachedInputTokens: null, reasoningTokens: null };
    await breaks(homemade(), "usage.inputTokens is null, expected 1", [{ ...(samples[0] as any), usage }]);
    await breaks(
      homemade((line, emit) => well(line, (event) => event.type !== "done" && emit(event))),
      "ends as closed_before_terminal: no `done` was emitted",
    );
    await breaks(
      homemade(() => {}),
      "ends as empty: nothing was emitted",
    );
  });

  test("event: what a decoder throws is told, and what it emits is checked", async () => {
    await breaks(
      homemade(() => {
        throw new RangeError("oops");
      }),
      "the decoder threw RangeError: oops",
    );
    const instead = (type: string, fields: object) =>
      homemade((line, emit) =>
        well(line, (event) => emit(event.type === type ? ({ ...event, ...fields } as never) : event)),
      );
    await breaks(instead("text", { text: undefined }), "text.text must be a string, got undefined");
    await breaks(instead("tool_call", { id: "" }), 'tool_call.id must be a string that is not empty, got ""');
    await breaks(instead("tool_call", { name: 7 }), "tool_call.name must be a string that is not empty, got 7");
    await breaks(instead("tool_call", { index: "1" }), 'tool_call.index must be a number, got "1"');
    await breaks(
      instead("tool_arguments", { index: 2 }),
      "tool_arguments.index must be that of an earlier tool_call, got 2",
    );
    await breaks(
      instead("stop", { stopReason: "end_turn" }),
      'stop.stopReason must be a StopReason or null, got "end_turn"',
    );
  });

  test("slicing: a decoder that keeps something from one stream to the next", async () => {
    let seen = 0;
    const shared = homemade((line, emit) =>
      well(line.t ? { t: seen++ < 2 ? line.t : line.t.toUpperCase() } : line, emit),
    );
    await breaks(shared, 'the slicing rule broke: in pieces of 1 bytes it gives complete "HI"');
  });

  test("cut-anywhere: a clean end that is taken for success", async () => {
    const protocol = homemade((line, emit) => well(line, (event) => event.type !== "done" && emit(event)), {
      end: (emit: Emit) => {
        emit({ type: "done" });
      },
    });
    await breaks(
      protocol,
      /the cut-anywhere rule broke: cut after 9 of \d+ bytes it is complete, with complete "h" in place of/,
    );
  });

  test("cut-anywhere: text that is taken back", async () => {
    const protocol: Protocol = {
      ...homemade(),
      createDecoder() {
        let last = "";
        return {
          frame(frame, emit) {
            const line = frame.json();
            if (line.end) emit({ type: "text", text: "hi", index: 0 });
            last = line.t ?? last;
            well({ ...line, t: undefined }, emit);
          },
          end: (emit) => emit({ type: "text", text: last, index: 0 }),
        };
      },
    };
    await breaks(protocol, "it holds what the whole one does not");
  });

  test("keep-alive: unknown lines that become output, or break the stream", async () => {
    await breaks(
      homemade((line, emit) => well(line.type ? { t: "?" } : line, emit)),
      'the keep-alive rule broke: with unknown lines between its frames it gives complete "?h?i',
    );
    await breaks(
      homemade((line, emit) => (line.type ? emit({ type: "malformed", message: "?" }) : well(line, emit))),
      "it gives malformed_event",
    );
  });

  test("error: a failure that is overlooked, a broken frame that is swallowed", async () => {
    await breaks(
      homemade((line, emit) => well({ ...line, error: undefined }, emit)),
      /the error rule broke: with .*overloaded_error.* after 0 bytes it gives complete "hi" and 1 tool calls: it must end as provider_error/,
    );
    const swallowing: Protocol = {
      ...homemade(),
      createDecoder: () => ({
        frame(frame, emit) {
          try {
            well(frame.json(), emit);
          } catch {}
        },
      }),
    };
    await breaks(swallowing, "it must end as malformed_event");
  });

  test("tool: a complete answer whose arguments do not parse", async () => {
    const bytes = '{"tool":"t","n":0,"id":"c","args":"{"}\n{"end":"stop","tokens":1}\n';
    await breaks(homemade(), "the tool rule broke: the arguments of call 0 (t) are not JSON: {", [
      { name: "cut call", bytes, text: "" } as never,
    ]);
  });

  test("refuses what is no protocol and no samples", async () => {
    await expect(testProtocol({ name: "x" } as never, samples)).rejects.toThrow(TypeError);
    await expect(testProtocol(homemade(), [])).rejects.toThrow("testProtocol takes at least one sample");
  });
});

describe("the built-in protocols keep the rules", () => {
  const bytesOf = (name: ProtocolName, script: Script) => {
    const writes = [...play(script, { pathname: pathOf(name), headers: {}, body: null }, 1)];
    return Buffer.concat(writes.flatMap((act) => (act.type === "write" ? [act.bytes] : [])));
  };
  const scripts: Record<string, Script> = {
    text: ["Grüße ", "🙂 again"],
    tools: [{ reasoning: "hm" }, "Look:", { toolCall: { name: "weather", arguments: { city: "Paris" }, pieces: 3 } }],
    length: ["half", { stop: "length" }],
    failure: ["half", { error: "overloaded_error" }],
  };
  test.each(Object.keys(protocols) as ProtocolName[])("%s, on scripted answers", async (name) => {
    for (const [sample, script] of Object.entries(scripts)) {
      if (name === "openai-completions" && sample === "tools") continue;
      const text = script.filter((step) => typeof step === "string").join("");
      await testProtocol(protocols[name], [{ name: sample, bytes: bytesOf(name, script), text }]);
    }
  });

  const corpus = process.env.TTFT_CORPUS ?? "test/corpus";
  test.skipIf(!existsSync(corpus)).each(Object.keys(protocols) as ProtocolName[])(
    "%s, on recordings",
    async (name) => {
      const folder = join(corpus, name);
      for (const file of readdirSync(folder)) {
        const bytes = readFileSync(join(folder, file));
        const { outcome, text } = readBy(protocols[name], [bytes]);
        // A recording of a foreign shape or of a broken stream is no sample. Cut after the first of two `STOP`s, a
        // Gemini stream cannot be told from a whole one.
        const stops = bytes.toString().match(/"finishReason"/g)?.length ?? 0;
        if (bytes.length > 5_000 || stops > 1 || !/complete|length|content_filter|paused|provider_error/.test(outcome))
          continue;
        await testProtocol(protocols[name], [{ name: file, bytes, text }]);
      }
    },
    120_000,
  );
});
