import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { mswHandlers } from "../../src/testing/msw.ts";

const CHAT = "https://a.test/v1/chat/completions";
const server = setupServer();
const unhandled = vi.fn();
beforeEach(() => server.listen({ onUnhandledRequest: unhandled }));
afterEach(() => {
  server.resetHandlers();
  server.close();
  unhandled.mockClear();
});
const post = (init: RequestInit = {}) => fetch(CHAT, { method: "POST", body: '{"model":"m"}', ...init });

describe("mswHandlers", () => {
  test("plays a script, with its waits and its proper end", async () => {
    server.use(...mswHandlers({ "https://a.test": ["Hel", { waitMs: 20 }, { keepAlive: 1 }, "lo"] }));
    const response = await post();
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const text = await response.text();
    expect(text).toContain('"model":"m"');
    expect(text).toMatch(/"Hel"[\s\S]*: keep-alive[\s\S]*"lo"[\s\S]*\[DONE\]/);
  });

  test("one script per request; a cut is a clean end; an error status has its body", async () => {
    server.use(...mswHandlers({ "/v1/chat/completions": [["half", { end: "cut" }], [{ status: 503 }]] }));
    expect(await (await post()).text()).not.toContain("[DONE]");
    const failed = await post();
    expect(failed.status).toBe(503);
    expect((await failed.json()).error.type).toBe("service_unavailable");
  });

  test("stands beside msw's own handlers, in their order, and lets the rest through", async () => {
    server.use(
      http.post(CHAT, () => HttpResponse.text("msw first"), { once: true }),
      ...mswHandlers({ "https://a.test": [{ send: "scripted" }] }),
      http.get("https://b.test/", () => HttpResponse.text("msw last")),
    );
    expect(await (await post()).text()).toBe("msw first");
    expect(await (await post()).text()).toBe("scripted");
    expect(await (await fetch("https://b.test/")).text()).toBe("msw last");
    expect(unhandled).not.toHaveBeenCalled();
    server.restoreHandlers();
    expect(await (await post()).text()).toBe("msw first");
    expect(server.listHandlers()).toHaveLength(3);
    server.resetHandlers();
    expect(server.listHandlers()).toHaveLength(0);
  });

  test("the request's body is left for others", async () => {
    const bodies: string[] = [];
    server.events.on("request:end", async ({ request }) => {
      bodies.push(await request.clone().text());
    });
    server.use(...mswHandlers({ "/": ["x"] }));
    await (await post()).text();
    await vi.waitFor(() => expect(bodies).toEqual(['{"model":"m"}']));
    server.events.removeAllListeners();
  });

  test("an abort while the headers stall rejects with the reason", async () => {
    server.use(...mswHandlers({ "/": [{ waitMs: 60_000 }, { status: 200 }] }));
    const controller = new AbortController();
    const reason = new Error("mine");
    setTimeout(() => controller.abort(reason), 20);
    await expect(post({ signal: controller.signal })).rejects.toBe(reason);
  });

  test("refuses what msw cannot play", () => {
    for (const end of ["reset", "half_close", "refuse"] as const)
      expect(() => mswHandlers({ "/v1": [[], [{ end }]] })).toThrow(
        `scripts["/v1"]: msw cannot play { end: "${end}" }; use createStub, or scriptedFetch in memory`,
      );
    expect(() => mswHandlers({ "/": [{ end: "hold" }] })).not.toThrow();
  });
});
