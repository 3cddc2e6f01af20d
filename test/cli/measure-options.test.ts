import { describe, expect, test } from "vitest";
import { measureOptions } from "../../src/cli/measure/options.ts";

const URL_FLAG = ["--url", "https://a.test/v1/chat/completions", "--protocol", "openai-chat"];
const CANARY = "sk-canary-0123456789";

describe("the flags of ttft measure", () => {
  test("none: the embedded stub, one call", () => {
    expect(measureOptions([], {})).toMatchObject({ endpoints: null, calls: 1, concurrency: 1, json: false });
  });

  test("one endpoint, its key from the environment", () => {
    const argv = [...URL_FLAG, "--model", "m", "-n", "20", "--concurrency", "2", "--header", "x-org: acme"];
    const { endpoints, calls, concurrency } = measureOptions(argv, { TTFT_API_KEY: CANARY });
    const url = "https://a.test/v1/chat/completions";
    const headers = { "x-org": "acme" };
    expect(endpoints).toEqual([{ url, protocol: "openai-chat", model: "m", apiKey: CANARY, headers }]);
    expect([calls, concurrency]).toEqual([20, 2]);
  });

  test("more endpoints follow as fallbacks, each with a key of its own", () => {
    const backup = { name: "b", url: "https://b.test/v1/messages", protocol: "anthropic-messages", keyEnv: "B_KEY" };
    const { endpoints } = measureOptions([...URL_FLAG, "--endpoint", JSON.stringify(backup)], { B_KEY: CANARY });
    expect(endpoints?.[1]).toEqual({ name: "b", url: backup.url, protocol: backup.protocol, apiKey: CANARY });
  });

  test.each([
    ["openai-chat", { messages: [{ role: "user", content: "Hi" }] }],
    ["openai-responses", { input: "Hi" }],
    ["openai-completions", { prompt: "Hi" }],
    ["anthropic-messages", { max_tokens: 512, messages: [{ role: "user", content: "Hi" }] }],
    ["gemini", { contents: [{ role: "user", parts: [{ text: "Hi" }] }] }],
    ["ollama", { messages: [{ role: "user", content: "Hi" }] }],
    ["cohere-v2", { messages: [{ role: "user", content: "Hi" }] }],
  ])("a prompt becomes a request of %s", (protocol, body) => {
    const argv = ["--url", "https://a.test/", "--protocol", protocol, "--prompt", "Hi"];
    expect(measureOptions(argv, {}).body).toEqual(body);
  });

  test.each([
    [["--frobnicate"], "frobnicate"],
    [["--url", "https://a.test"], "--url needs --protocol"],
    [["--model", "m"], "--model needs --url"],
    [["--header", `authorization: ${CANARY}`], "--header needs --url"],
    [[...URL_FLAG, "-n", "0"], "-n takes a whole number from 1 to 100000"],
    [[...URL_FLAG, "-n", "many"], "-n takes a whole number from 1 to 100000"],
    [[...URL_FLAG, "--concurrency", "1.5"], "--concurrency takes a whole number from 1 to 1000"],
    [[...URL_FLAG, "--total-ms=-1"], "--total-ms takes a number of milliseconds above 0"],
    [[...URL_FLAG, "--key-env", "NO_SUCH"], "the environment variable NO_SUCH is not set"],
    [[...URL_FLAG, "--header", CANARY], '--header must be written as "Name: value"'],
    [[...URL_FLAG, "--body", "no/such/file.json"], "--body no/such/file.json cannot be read"],
    [[...URL_FLAG, "--body", "LICENSE"], "--body LICENSE is not JSON"],
    [["--endpoint", `{"apiKey":"${CANARY}"`], "--endpoint is not JSON"],
    [["--endpoint", '{"protocol":"openai-chat"}'], "--endpoint, field `url`: "],
  ])("%j is refused, and says why", (argv, sentence) => {
    const refused = () => measureOptions(argv, {});
    expect(refused).toThrow(sentence);
    expect(refused).not.toThrow(CANARY);
  });
});
