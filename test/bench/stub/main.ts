/** The stub, a process of its own: raw sockets and bytes that are built before they are asked for. Prints its port. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { answerOf, type WireAnswer } from "./answers.ts";
import { planIn } from "./plan.ts";
import { Wheel } from "./wheel.ts";

const HEAD =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\nX-Request-Id: req_1\r\nTransfer-Encoding: chunked\r\n\r\n";
const wheels = new Map<number, Wheel>();

/** `HEAD` has an answer built, and tells its size. */
function respond(socket: Socket, method: string, path: string): void {
  const asked = planIn(path);
  if (asked === null) return void socket.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  const { plan, dialect } = asked;
  const answer = answerOf(dialect, plan);
  if (method === "HEAD") {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Payload: ${answer.payloadBytes}\r\n\r\n`);
  } else if (plan.gapMs) {
    socket.write(HEAD);
    wheelOf(plan.gapMs).add(socket, answer.chunks, plan.holdMs ?? 0);
  } else pour(socket, answer);
}

function wheelOf(gapMs: number): Wheel {
  const wheel = wheels.get(gapMs) ?? new Wheel(gapMs);
  wheels.set(gapMs, wheel);
  return wheel;
}

function pour(socket: Socket, { writes }: WireAnswer): void {
  const [first = Buffer.alloc(0), ...rest] = writes;
  let next = 0;
  const more = (): void => {
    while (next < rest.length && !socket.destroyed) {
      if (!socket.write(rest[next++] as Buffer)) return void socket.once("drain", more);
    }
  };
  if (socket.write(Buffer.concat([Buffer.from(HEAD), first]))) more();
  else socket.once("drain", more);
}

/** One request after the other; their bodies are skipped. */
function serve(socket: Socket): void {
  let held: Buffer = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes) => {
    held = held.length > 0 ? Buffer.concat([held, bytes]) : bytes;
    for (let end = requestEnd(held); end > 0; end = requestEnd(held)) {
      const [method = "", path = ""] = held.toString("latin1", 0, held.indexOf("\r\n")).split(" ");
      held = held.subarray(end);
      respond(socket, method, path);
    }
  });
}

/** 0 as long as it is not all here. */
function requestEnd(held: Buffer): number {
  const headEnd = held.indexOf("\r\n\r\n") + 4;
  if (headEnd < 4) return 0;
  const head = held.toString("latin1", 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const last = held.indexOf(LAST, headEnd);
    return last < 0 ? 0 : last + LAST.length;
  }
  const end = headEnd + Number(length ?? 0);
  return held.length < end ? 0 : end;
}

const LAST = "0\r\n\r\n";

const server = createServer({ noDelay: true }, serve);
server.listen({ port: 0, host: "127.0.0.1", backlog: 16_384 }, () => {
  console.log((server.address() as AddressInfo).port);
});
