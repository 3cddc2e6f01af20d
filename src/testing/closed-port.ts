/** A port that refuses every connection and that nobody else can take meanwhile. */
import type { Server } from "node:net";
import { builtin } from "./node.ts";

export interface ClosedPort {
  readonly port: number;
  release(): void;
}

/**
 * A free port that was closed again may be given to the next process. The local end of an open connection is taken for
 * as long as the connection lives, and nothing listens on it: so we connect to ourselves and name that end.
 */
export async function closedPort(): Promise<ClosedPort> {
  const net = builtin("node:net", "createStub");
  const server: Server = net.createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  const accepted = new Promise<{ destroy(): void }>((resolve) => server.once("connection", resolve));
  const socket = net.connect(port, "127.0.0.1");
  await new Promise<void>((resolve, reject) => socket.once("error", reject).once("connect", resolve));
  const peer = await accepted;
  return {
    port: socket.localPort as number,
    release() {
      socket.destroy();
      peer.destroy();
      server.close();
    },
  };
}
