/**
 * `ttft`: one streaming LLM call that is measured from before the connection, limited where it waits, judged by its
 * protocol when it ends, and free to move to another endpoint until the first real output.
 *
 * @module
 */
export { type Clock, systemClock } from "./base/clock.ts";
