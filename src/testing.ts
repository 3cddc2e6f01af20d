/**
 * `ttft/testing`: scripted providers, in memory and on a real socket, time that moves when you say so, and turns for
 * component tests.
 *
 * @module
 */
export { mswHandlers } from "./testing/msw.ts";
export type { StubRequest } from "./testing/request-log.ts";
export type { Script, Scripts, Step } from "./testing/script.ts";
export { type ScriptedFetch, scriptedFetch } from "./testing/scripted-fetch.ts";
export { createStub, type Stub } from "./testing/stub.ts";
export { testProtocol } from "./testing/test-protocol.ts";
export { completeTurn, incompleteTurn } from "./testing/turns.ts";
export { VirtualClock } from "./testing/virtual-clock.ts";
