/**
 * What nobody can undercut: `floor0` drains the body; `floor1b` is a reader loop, one decoder, `eventsource-parser` and
 * one `JSON.parse` per event. Nothing that hands out typed deltas can do less that is portable.
 */
import { createParser } from "eventsource-parser";
import { DIALECTS, type Dialect, PATHS } from "../stub/plan.ts";
import type { Ask, Column } from "./column.ts";

const BODY = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hi" }] });
const HEADERS = { "content-type": "application/json", authorization: "Bearer x" };

export const post = ({ base, signal }: Ask, dialect: Dialect, send: typeof fetch = fetch): Promise<Response> =>
  send(base + PATHS[dialect], { method: "POST", headers: HEADERS, body: BODY, ...(signal && { signal }) });

const DELTAS: { readonly [Name in Dialect]: (event: any) => string | undefined } = {
  chat: ({ choices }) => choices[0]?.delta?.content ?? choices[0]?.delta?.tool_calls?.[0]?.function?.arguments,
  messages: ({ type, delta }) => (type === "content_block_delta" ? (delta.text ?? delta.partial_json) : undefined),
  responses: ({ type, delta }) => (type.endsWith(".delta") ? delta : undefined),
};

export async function drain(response: Response, ask: Ask): Promise<void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    ask.bytes(value);
  }
}

async function loop(ask: Ask, dialect: Dialect): Promise<void> {
  const response = await post(ask, dialect);
  const deltaOf = DELTAS[dialect];
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return;
      const delta = deltaOf(JSON.parse(data));
      if (delta) ask.delta(delta);
    },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

export const columns: Readonly<Record<string, Column>> = Object.fromEntries(
  DIALECTS.flatMap((dialect): [string, Column][] => [
    [`floor0:${dialect}`, { dialect, run: async (ask) => drain(await post(ask, dialect), ask) }],
    [`floor1b:${dialect}`, { dialect, run: (ask) => loop(ask, dialect) }],
  ]),
);
