import { describe, expect, test } from "vitest";
import { scriptedFetch } from "../../src/testing/scripted-fetch.ts";

const refuses = (scripts: unknown, message: string) => expect(() => scriptedFetch(scripts as never)).toThrow(message);
const CHAT = "/v1/chat/completions";

describe("a wrong script is refused at the door", () => {
  test.each([
    [null, "scripts: takes an object from URL prefix or path to script, got null"],
    [["Hello"], "scripts: takes an object from URL prefix or path to script"],
    [
      { "v1/chat": [] },
      'scripts["v1/chat"]: a key is a URL prefix ("https://api.test") or a path ("/v1/chat/completions")',
    ],
    [{ "": [] }, 'scripts[""]: a key is'],
    [{ "ftp://a.test": [] }, 'scripts["ftp://a.test"]: a key is'],
    [{ "/": "Hello" }, 'scripts["/"]: takes an array of steps or an array of scripts, got "Hello"'],
    [{ "/": [["a"], "b"] }, 'scripts["/"]: mixes steps and scripts'],
    [{ "/": [7] }, 'scripts["/"][0]: a step is a string or an object, got 7'],
    [{ "/": ["a", null] }, 'scripts["/"][1]: a step is a string or an object, got null'],
    [{ "/": [["a"], [{ wait: 5 }]] }, 'scripts["/"][1][0]: {"wait":5} is no step; did you mean waitMs?'],
    [{ "/": [{ text: "Hi" }] }, 'did you mean a bare string: "Hello"?'],
    [{ "/": [{}] }, "is no step. A step is a string or has one of reasoning, toolCall, waitMs"],
    [
      { "/": [{ waitMs: -1 }] },
      'waitMs takes a finite number of milliseconds ≥ 0 (for ever is { end: "hold" }), got -1',
    ],
    [{ "/": [{ waitMs: Infinity }] }, "got Infinity"],
    [{ "/": [{ waitMs: "5" }] }, 'got "5"'],
    [{ "/": [{ waitMs: 5, everyMs: 5 }] }, '"everyMs" is unknown here; allowed: waitMs'],
    [{ "/": [{ keepAlive: 0 }] }, "keepAlive takes a whole number from 1 to 1 000 000, got 0"],
    [{ "/": [{ keepAlive: 1, everyMs: Number.NaN }] }, "everyMs takes a finite number"],
    [{ "/": [{ reasoning: 1 }] }, "reasoning takes a string, got 1"],
    [{ "/": [{ toolCall: "weather" }] }, "toolCall takes { name, arguments, id?, pieces? }"],
    [
      { "/": [{ toolCall: { name: "", arguments: {} } }] },
      'scripts["/"][0].toolCall: name takes a string that is not empty',
    ],
    [{ "/": [{ toolCall: { name: "t" } }] }, "arguments takes a string (sent as it is) or a JSON value, got undefined"],
    [
      { "/": [{ toolCall: { name: "t", arguments: {}, args: 1 } }] },
      '"args" is unknown here; allowed: name, arguments, id, pieces',
    ],
    [{ "/": [{ toolCall: { name: "t", arguments: {}, pieces: 1.5 } }] }, "pieces takes a whole number"],
    [{ "/": [{ done: false }] }, "done takes true, got false"],
    [
      { "/": [{ stop: "end_turn" }] },
      "stop takes one of stop, stop_sequence, tool_calls, refusal, length, content_filter, paused",
    ],
    [{ "/": [{ error: 500 }] }, "error takes a string, got 500"],
    [{ "/": [{ status: 99 }] }, "status takes a whole number from 200 to 599, got 99"],
    [{ "/": [{ status: 200, body: 5 }] }, "body takes a string or an object, got 5"],
    [{ "/": [{ status: 200, headers: { a: 1 } }] }, "headers takes an object of valid header names and string values"],
    [
      { "/": [{ status: 200, headers: { "a b": "1" } }] },
      "headers takes an object of valid header names and string values",
    ],
    [{ "/": [{ send: 5 }] }, "send takes a string or a Uint8Array, got 5"],
    [{ "/": [{ end: "close" }] }, 'end takes one of cut, reset, half_close, hold, refuse, got "close"'],
    [{ "/": ["a", { status: 200 }] }, 'scripts["/"][1]: status comes once, before anything that is sent'],
    [{ "/": [{ status: 200 }, { status: 200 }] }, "status comes once"],
    [{ "/": [{ status: 200, body: "x" }, "more"] }, "after a status with a body only send, waitMs and end may follow"],
    [{ "/": [{ end: "cut" }, "more"] }, 'scripts["/"][0]: nothing may follow an end'],
    [{ "/": ["a", { end: "refuse" }] }, 'nothing but waitMs may come before { end: "refuse" }'],
    [{ [CHAT]: [{ stop: "paused" }] }, `scripts["${CHAT}"]: openai-chat cannot say the stop reason "paused"`],
    [
      { "https://a.test/api/chat": [{ toolCall: { name: "t", arguments: "{" } }] },
      "ollama cannot say the tool arguments",
    ],
    [{ "/v1/completions": [{ reasoning: "hm" }] }, "openai-completions cannot say reasoning"],
  ])("%j", (scripts, message) => refuses(scripts, message));

  test("what is right passes", () => {
    expect(() =>
      scriptedFetch({
        "/empty": [],
        "/none": [[]],
        "HTTP://A.TEST/x": ["a"],
        "/all": [
          { waitMs: 0 },
          { status: 200, headers: { a: "1" } },
          "a",
          "",
          { reasoning: "" },
          { toolCall: { name: "t", arguments: null, id: undefined, pieces: undefined } },
          { keepAlive: 1, everyMs: undefined },
          { send: new Uint8Array(1) },
          { error: "x", message: undefined },
          { done: true },
          { end: "hold" },
        ],
      }),
    ).not.toThrow();
  });
});
