import { afterEach, describe, expect, it } from "vitest";
import type { Answer, StreamCase } from "../format.ts";
import { isolatedStub } from "./isolated.ts";
import { memoryStub } from "./memory.ts";
import type { Stub } from "./script.ts";
import { serverStub } from "./server.ts";

const answer = (fields: Partial<Answer>): Answer => ({ status: 200, headers: {}, steps: [{ close: true }], ...fields });
const script = (fields: Partial<StreamCase>) =>
  ({ ...answer({}), client: { action: "consume" }, expect: { outcome: "complete" }, ...fields }) as StreamCase;

const kinds = {
  "over a socket": serverStub,
  "in memory": async (each: StreamCase) => memoryStub(each),
};

const opened: Stub[] = [];
afterEach(async () => {
  for (const stub of opened.splice(0)) await stub.close();
});

describe.each(Object.entries(kinds))("the stub %s", (_, open) => {
  const started = async (fields: Partial<StreamCase>) => {
    const stub = await open(script(fields));
    opened.push(stub);
    return stub;
  };
  const post = (stub: Stub, endpoint = "A", init: RequestInit = {}) =>
    (stub.fetch ?? fetch)(`${stub.base}/${endpoint}/v1/chat/completions`, { method: "POST", body: "{}", ...init });

  it("sends text, repeated text and bytes", async () => {
    const steps = [
      { send: "a" },
      { send: "b", times: 2 },
      { send: "c", times: 3, join: true as const },
      { sendHex: "c3a9" },
    ];
    const stub = await started({ steps: [...steps, { close: true }] });
    expect(await (await post(stub)).text()).toBe("abbcccé");
  });

  it("waits as long as it is told, before the headers and between writes", async () => {
    const stub = await started({
      beforeHeadersMs: 40,
      steps: [{ send: "a" }, { delayMs: 40 }, { send: "b", times: 2, everyMs: 20 }],
    });
    const from = performance.now();
    const response = await post(stub);
    expect(performance.now() - from).toBeGreaterThan(35);
    await response.text();
    expect(performance.now() - from).toBeGreaterThan(90);
  });

  it("answers each endpoint by the number of the request, and repeats the last answer", async () => {
    const stub = await started({ targets: { A: [answer({ status: 503 }), answer({})], B: [answer({ status: 404 })] } });
    const statuses = [
      await post(stub),
      await post(stub),
      await post(stub),
      await post(stub, "B"),
      await post(stub, "C"),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([503, 200, 200, 404, 599]);
    expect((await stub.log()).requests).toEqual({ A: 3, B: 1, C: 1 });
  });

  it("breaks a body off after what it has sent", async () => {
    const stub = await started({ steps: [{ send: "half" }, { reset: true }] });
    const reader = (await post(stub)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("half");
    await expect(reader?.read()).rejects.toThrow(TypeError);
  });

  it("holds a body open until the caller aborts", async () => {
    const controller = new AbortController();
    const stub = await started({ steps: [{ send: "a" }, { hold: true }] });
    const reader = (await post(stub, "A", { signal: controller.signal })).body?.getReader();
    await reader?.read();
    const pending = reader?.read();
    controller.abort();
    await expect(pending).rejects.toThrow("aborted");
  });

  it("writes a date that lies as far off as the template says", async () => {
    const stub = await started({ headers: { "retry-after": "{{httpDate:+90}}" } });
    const response = await post(stub);
    await response.text();
    const offMs = Date.parse(response.headers.get("retry-after") ?? "") - Date.now();
    expect(offMs).toBeGreaterThan(85_000);
    expect(offMs).toBeLessThan(91_000);
  });
});

describe("the log of a stub with a socket", () => {
  it("holds bodies, header names, connections and who closed them", async () => {
    const stub = await serverStub(script({ steps: [{ send: "a" }, { hold: true }] }));
    opened.push(stub);
    const controller = new AbortController();
    const init = { method: "POST", body: "{}", headers: { "x-own": "1" }, signal: controller.signal };
    const response = await fetch(`${stub.base}/A/v1`, init);
    await response.body?.getReader().read();
    controller.abort();
    await expect.poll(async () => (await stub.log()).closes.length).toBe(1);
    const log = await stub.log();
    expect(log.bodies).toEqual(["{}"]);
    expect(log.headerNames[0]).toContain("x-own");
    expect(log.connections).toHaveLength(1);
    expect(log.closes[0]?.endpoint).toBe("A");
  });
});

describe("the stub in a process of its own", () => {
  it("plays the same script and hands over its log", async () => {
    const stub = await isolatedStub(script({ steps: [{ send: "a" }, { close: true }] }));
    opened.push(stub);
    const response = await fetch(`${stub.base}/A/v1`, { method: "POST", body: "{}" });
    expect(await response.text()).toBe("a");
    expect(await stub.log()).toMatchObject({ requests: { A: 1 }, bodies: ["{}"] });
  });
});

describe("the in-memory body", () => {
  it("fails with the error of the case, and counts its reads", async () => {
    const bodyError = { name: "TypeError", message: "terminated", cause: { code: "UND_ERR_BODY_TIMEOUT" } };
    const stub = memoryStub(
      script({ steps: [{ send: "a" }, { error: true }], client: { action: "consume", stub: "memory", bodyError } }),
    );
    const reader = (await stub.fetch?.(`${stub.base}/A/v1`))?.body?.getReader();
    await reader?.read();
    await expect(reader?.read()).rejects.toMatchObject({
      message: "terminated",
      cause: { code: "UND_ERR_BODY_TIMEOUT" },
    });
    expect((await stub.log()).pulls).toBe(2);
  });
});
