/**
 * `ttft/testing`: scripted providers, in memory and on a real socket, time that moves when you say so, and turns for
 * component tests.
 *
 * @module
 */
export { VirtualClock } from "./testing/virtual-clock.ts";
