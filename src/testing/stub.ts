/** The same scripts on a real socket: a server on 127.0.0.1 that plays every fault a socket can show. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { systemClock } from "../base/clock.ts";
import { type ClosedPort, closedPort } from "./closed-port.ts";
import { builtin } from "./node.ts";
import { checkChunkBytes, Performance } from "./perform.ts";
import { RequestEntry, type StubRequest } from "./request-log.ts";
import { Routes } from "./routes.ts";
import type { Scripts } from "./script.ts";
import { OPEN_TO_PAGES, socketStage } from "./socket-stage.ts";

export interface Stub {
  /** The address of a path. For a path whose only step is `{ end: "refuse" }` it names a port that refuses. */
  url(path: string): string;
  /** In the order in which they came. Preflights are answered and not listed. */
  readonly requests: readonly StubRequest[];
  /** Ends everything, connections that are held open too. */
  close(): Promise<void>;
}

/**
 * A provider on a real socket (Node): resets, half closes, stalls and refused connections are real ones. The log's times
 * are `performance.now()` of this process, to be compared with the client's in the same process. Answers any origin
 * (CORS), so that pages can use it. Script keys are paths.
 * @param options `port`: default any free one. `chunkBytes`: every write is cut into chunks of that many bytes.
 * @throws TypeError for a wrong script or option. Rejects where there is no `node:http`, or the port is taken.
 */
export async function createStub(
  scripts: Scripts,
  options: { readonly port?: number | undefined; readonly chunkBytes?: number | undefined } = {},
): Promise<Stub> {
  const stub = new SocketStub(scripts, checkChunkBytes(options.chunkBytes));
  await stub.listen(checkPort(options.port));
  return { url: (path) => stub.url(path), requests: stub.requests, close: () => stub.close() };
}

class SocketStub {
  readonly requests: RequestEntry[] = [];
  readonly #routes: Routes;
  readonly #chunkBytes: number;
  readonly #server: Server;
  readonly #playing = new Set<Performance>();
  #origin = "";
  #closedPort: ClosedPort | null = null;

  constructor(scripts: Scripts, chunkBytes: number) {
    this.#routes = new Routes(scripts);
    this.#chunkBytes = chunkBytes;
    const foreign = this.#routes.keys.find((key) => !key.startsWith("/"));
    if (foreign !== undefined)
      throw new TypeError(`createStub takes paths ("/v1/chat/completions"), got the URL ${JSON.stringify(foreign)}`);
    const http = builtin("node:http", "createStub");
    this.#server = http.createServer({ noDelay: true, requestTimeout: 0 }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    this.#origin = `http://127.0.0.1:${(this.#server.address() as { readonly port: number }).port}`;
    if (this.#routes.keys.some((key) => this.#refuses(key))) this.#closedPort = await closedPort();
  }

  url(path: string): string {
    const url = new URL(path.startsWith("/") ? path : `/${path}`, this.#origin);
    const key = this.#routes.keyOf(url);
    if (key !== null && this.#closedPort !== null && this.#refuses(key)) url.port = String(this.#closedPort.port);
    return url.href;
  }

  async close(): Promise<void> {
    for (const performance of this.#playing) performance.stop();
    this.#closedPort?.release();
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** Its only step, whoever comes. */
  #refuses(key: string): boolean {
    const [script, ...others] = this.#routes.scriptsOf(key);
    const [step, ...rest] = script ?? [];
    return (
      others.length === 0 && rest.length === 0 && typeof step === "object" && "end" in step && step.end === "refuse"
    );
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "OPTIONS") return preflight(request, response);
    const entry = new RequestEntry(`${this.#origin}${request.url}`, headersOf(request), systemClock.now());
    this.requests.push(entry);
    const performance = new Performance({ clock: systemClock, chunkBytes: this.#chunkBytes, entry });
    this.#playing.add(performance);
    let over = false;
    response.on("close", () => {
      performance.stop();
      this.#playing.delete(performance);
      if (!over && this.#server.listening) entry.closed(systemClock);
    });
    entry.read(await textOf(request));
    const stage = socketStage(response, this.#chunkBytes < Infinity, () => {
      over = true;
    });
    await performance.run(this.#routes.answer(entry), stage);
  }
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    ...OPEN_TO_PAGES,
    "access-control-allow-methods": "*",
    // `*` does not cover `authorization`: what is asked for is allowed.
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
    "access-control-allow-private-network": "true",
    "access-control-max-age": "86400",
  });
  response.end();
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

async function textOf(request: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function checkPort(port: number | undefined): number {
  if (port === undefined) return 0;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new TypeError(`port takes a whole number from 0 to 65535, got ${String(port)}`);
}
