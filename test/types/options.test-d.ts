import { describe, expectTypeOf, test } from "vitest";
import {
  type CallError,
  type CallErrorCode,
  createClient,
  createFetch,
  type Endpoint,
  type IncompleteReason,
  IncompleteTurnError,
  isTtftError,
  type StreamEvent,
  type TtftError,
  type Turn,
} from "../../src/index.ts";

const endpoint = { protocol: "openai-chat", url: "https://a.test/v1/chat/completions" } as const;
const endpoints = [endpoint];

interface Request {
  readonly model: string;
  readonly messages: readonly string[];
  readonly temperature?: number;
}

describe("a wrong option does not compile", () => {
  test("of a client", () => {
    // @ts-expect-error `limits` is meant
    createClient({ endpoints, timeout: 5_000 });
    // @ts-expect-error `retry: { maxRetries }` is meant
    createClient({ endpoints, maxRetries: 2 });
    // @ts-expect-error an endpoint at least has to be named
    createClient({});
    // @ts-expect-error a number of milliseconds is meant
    createClient({ endpoints, limits: { firstTokenMs: "8s" } });
    // @ts-expect-error no such limit
    createClient({ endpoints, limits: { headersMs: 5 } });
    // @ts-expect-error only `false` switches it off
    createClient({ endpoints, breaker: true });
  });

  test("of an endpoint", () => {
    // @ts-expect-error no such protocol
    const misspelt: Endpoint = { protocol: "openai", url: "https://a.test" };
    // @ts-expect-error `url` is meant
    const elsewhere: Endpoint = { protocol: "openai-chat", baseURL: "https://a.test" };
    void [misspelt, elsewhere];
  });

  test("of a call", () => {
    const client = createClient({ endpoints });
    // @ts-expect-error a key belongs to an endpoint
    void client.text({ messages: [] }, { apiKey: "k" });
    // @ts-expect-error no such stop reason
    void client.text({ messages: [] }, { accept: ["max_tokens"] });
  });

  test("of a drop-in", () => {
    // @ts-expect-error `fallbacks` are meant
    createFetch({ endpoints });
  });
});

describe("what may be undefined may be passed on", () => {
  test("also where optional properties are exact", () => {
    const unset = undefined as string | undefined;
    createClient({
      endpoints: [{ ...endpoint, apiKey: unset, model: unset }],
      limits: undefined,
      observers: [unset && {}],
    });
    const signal = undefined as AbortSignal | undefined;
    void createClient({ endpoints }).text({ messages: [] }, { signal, label: unset });
  });
});

describe("a request has the type that its client was given", () => {
  const client = createClient<Request>({ endpoints: [{ protocol: "openai-chat", url: "https://a.test/" }] });

  test("without what is set for it", () => {
    void client.text({ messages: ["hi"] });
    void client.text({ model: "m", messages: ["hi"], temperature: 0 });
    // @ts-expect-error messages are required
    void client.text({ temperature: 0 });
    // @ts-expect-error a misspelt field
    void client.text({ messages: [], temprature: 0 });
  });

  test("and a body function takes it", () => {
    const converts: Endpoint<Request> = { ...endpoint, body: ({ messages }) => ({ contents: messages }) };
    void converts;
    // @ts-expect-error it has to take the request
    const wrong: Endpoint<Request> = { ...endpoint, body: (request: number) => ({ request }) };
    void wrong;
  });
});

describe("what comes back", () => {
  test("has the shape that the method names", async () => {
    const client = createClient({ endpoints });
    expectTypeOf(client.text).returns.resolves.toEqualTypeOf<string>();
    expectTypeOf(client.turn).returns.resolves.toEqualTypeOf<Turn>();
    expectTypeOf(client.response).returns.resolves.toEqualTypeOf<Response>();
    const stream = await client.stream({ messages: [] });
    for await (const event of stream) expectTypeOf(event).toEqualTypeOf<StreamEvent>();
    for await (const text of stream.textStream()) expectTypeOf(text).toEqualTypeOf<string>();
    expectTypeOf(createFetch()).toEqualTypeOf<typeof globalThis.fetch>();
  });

  test("an error says which of two it is", () => {
    const error: unknown = null;
    if (!isTtftError(error)) return;
    expectTypeOf(error).toEqualTypeOf<TtftError>();
    expectTypeOf(error.code).toEqualTypeOf<CallErrorCode | IncompleteReason>();
    if (error.code === "length") expectTypeOf(error).toEqualTypeOf<IncompleteTurnError>();
    if (error.code === "request_rejected") expectTypeOf(error).toEqualTypeOf<CallError>();
    if (error instanceof IncompleteTurnError) expectTypeOf(error.turn.partialText).toEqualTypeOf<string>();
  });
});
