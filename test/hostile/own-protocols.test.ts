/** Protocols of the caller's own that fail where nobody expects it: the call ends all the same, and says so. */
import { describe, expect, it } from "vitest";
import { defineProtocol, type Protocol } from "../../src/index.ts";
import { BODY, clientBefore, HELLO, outcomeOf, streamed, watchRejections } from "./given.ts";

watchRejections();

const throws = () => {
  throw new Error("boom");
};

/** Texts as they come, whole at the end of the body. */
function own(more: Partial<ReturnType<Protocol["createDecoder"]>>, createDecoder?: () => never) {
  const decoder = () => ({
    frame: (frame: { data: string }, emit: any) => emit({ type: "text", text: frame.data, index: 0 }),
    end: (emit: any) => emit({ type: "done" }),
    ...more,
  });
  return defineProtocol({ name: "own", framing: "sse", createDecoder: createDecoder ?? decoder });
}

describe("`output()`", () => {
  it.each<[string, any]>([
    ["throws", throws],
    ["gives no list", () => "blocks"],
  ])("that %s leaves no blocks and hurts nothing", async (_, output) => {
    const heard: unknown[] = [];
    const observers = [{ callEnd: (_: unknown, record: unknown) => heard.push(record) }];
    const { client } = clientBefore(async () => streamed("data: hello\n\n"), {
      observers,
      endpoint: { protocol: own({ output }) },
    });
    const turn = await client.turn(BODY);
    expect(turn).toMatchObject({ status: "complete", text: "hello", output: [] });
    expect(heard).toHaveLength(1);
  });

  it("that throws where the connection breaks still lets the call end", async () => {
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(new TextEncoder().encode("data: hello\n\n"));
        else controller.error(new Error("reset"));
      },
    });
    const { client, clock } = clientBefore(
      async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
      { observers: [{ callEnd: () => {} }], endpoint: { protocol: own({ output: throws }) } },
    );
    expect(await outcomeOf(client.turn(BODY), clock)).toMatchObject({
      status: "incomplete",
      reason: "connection_lost",
    });
  });
});

it("a decoder that cannot be made has met an answer that it does not know", async () => {
  const { client, clock } = clientBefore(async () => streamed(HELLO), { endpoint: { protocol: own({}, throws) } });
  expect((await outcomeOf(client.turn(BODY), clock)).failure.reason).toBe("malformed_event");
});
