/** The connect limit, on a real socket: a server that takes the connection and never answers the TLS handshake. */
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { createStub, type Stub } from "../../src/testing/stub.ts";

let server: Server;
let sockets: Socket[];
let bytes: number;
let stub: Stub;

beforeEach(async () => {
  sockets = [];
  bytes = 0;
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stub = await createStub({ "/v1/chat/completions": ["from b"] });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  await stub.close();
});

const stalled = () => {
  const { port } = server.address() as { readonly port: number };
  return { name: "a", protocol: "openai-chat", url: `https://127.0.0.1:${port}/v1/chat/completions` } as const;
};
const backup = () => ({ name: "b", protocol: "openai-chat", url: stub.url("/v1/chat/completions") }) as const;
const connectMs = 100;
const body = { messages: [] };

test("a handshake that does not come is a connect limit, not a first-token limit, and is not tried again", async () => {
  const client = createClient({ endpoints: [stalled()], limits: { connectMs } });
  await expect(client.text(body)).rejects.toMatchObject({
    code: "provider_timeout",
    message: "no connection within 100 ms (connect limit)",
    attempts: [{ outcome: "timeout_connect", status: 504, timing: { connectMs: null, headersMs: null } }],
  });
  expect(sockets).toHaveLength(1);
  // The client's half of the handshake came: it was the server that was silent.
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(0), 5_000);
});

test("the next endpoint is asked", async () => {
  const client = createClient({
    endpoints: [stalled(), { ...backup(), limits: { connectMs: 5_000 } }],
    limits: { connectMs },
  });
  const turn = await client.turn(body);
  expect(turn).toMatchObject({ status: "complete", endpoint: "b", text: "from b" });
  expect(turn.attempts).toMatchObject([
    { endpoint: "a", outcome: "timeout_connect" },
    { endpoint: "b", outcome: "complete", kind: "fallback" },
  ]);
});
