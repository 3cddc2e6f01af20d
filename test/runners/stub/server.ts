/** A loopback HTTP server that plays a case and keeps a log of what its clients did. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Step, StreamCase } from "../format.ts";
import { answerTo, emptyLog, endpointOf, headersOf, type Stub, type StubLog, sleep, writesOf } from "./script.ts";

/** Long enough for the bytes before a reset to have left. */
const flushMs = 5;

export async function serverStub(script: StreamCase): Promise<Stub> {
  const log = emptyLog();
  const server = createServer((request, response) => void answer(script, log, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: async () => structuredClone(log),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(script: StreamCase, log: StubLog, request: IncomingMessage, response: ServerResponse) {
  const endpoint = endpointOf(request.url ?? "/");
  const scripted = answerTo(script, endpoint, log);
  const port = request.socket.remotePort;
  if (port !== undefined && !log.connections.includes(port)) log.connections.push(port);
  const body = await bodyOf(request);
  if (body === null) return;
  log.bodies.push(body);
  log.headerNames.push(Object.keys(request.headers));
  const arrived = performance.now();
  const line: Line = { open: true, ended: false };
  response.on("close", () => {
    line.open = false;
    if (!line.ended) log.closes.push({ endpoint, afterMs: performance.now() - arrived });
  });
  await play(scripted, response, line);
}

/** One connection: is it open, and was it the script that ended it? */
interface Line {
  open: boolean;
  ended: boolean;
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(parts).toString("utf8");
}

async function play(scripted: Answer, response: ServerResponse, line: Line): Promise<void> {
  if (scripted.beforeHeadersMs) await sleep(scripted.beforeHeadersMs);
  if (!line.open) return;
  response.socket?.setNoDelay(true);
  response.writeHead(scripted.status, headersOf(scripted));
  if (scripted.flushHeaders) response.flushHeaders();
  for (const step of scripted.steps) {
    if (!line.open || line.ended) return;
    await playStep(step, response, line);
  }
  if (line.open && !line.ended) end(response, line);
}

function end(response: ServerResponse, line: Line): void {
  line.ended = true;
  response.end();
}

async function playStep(step: Step, response: ServerResponse, line: Line): Promise<void> {
  if (step.delayMs) return sleep(step.delayMs);
  if (step.close) return end(response, line);
  if (step.reset || step.error) {
    line.ended = true;
    await sleep(flushMs);
    response.socket?.resetAndDestroy();
    return;
  }
  if (step.hold) return closed(response, line);
  for (const { bytes, gapMs } of writesOf(step)) {
    if (gapMs) await sleep(gapMs);
    if (!line.open) return;
    if (!response.write(bytes)) await drained(response, line);
  }
}

async function closed(response: ServerResponse, line: Line): Promise<void> {
  if (line.open) await new Promise<void>((resolve) => response.once("close", resolve));
}

async function drained(response: ServerResponse, line: Line): Promise<void> {
  if (!line.open) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.on("drain", go);
    response.on("close", go);
  });
}
