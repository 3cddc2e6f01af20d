/**
 * `ttft`: one streaming LLM call that is measured from before the connection, limited where it waits, judged by its
 * protocol when it ends, and free to move to another endpoint until the first real output.
 *
 * Two rules hold for every type here. What you pass in: leaving a field out and passing `undefined` mean the same. What
 * you get back: every field is always there, `null` where it has no value, plain data, `readonly`.
 *
 * @module
 */
export type { Bounds, GateOptions } from "./attempt/bounds.ts";
export type { HeadersLike } from "./attempt/headers.ts";
export type { AttemptContext } from "./attempt/request.ts";
export type { Clock } from "./base/clock.ts";
export type { Failure, FailureReason, IncompleteReason, Outcome } from "./base/failure.ts";
export { type Client, createClient } from "./client/client.ts";
export { createFetch } from "./client/fetch.ts";
export { findTtftError } from "./client/find-error.ts";
export type {
  CallBody,
  CallOptions,
  ClientOptions,
  FetchOptions,
  PrimaryTraits,
  SharedOptions,
} from "./client/options.ts";
export { turnOf } from "./client/relay.ts";
export type { TurnStream } from "./client/stream.ts";
export { classicPolicy } from "./policy/classic.ts";
export type {
  BreakerOptions,
  Decision,
  FallbackOptions,
  Policy,
  PolicyInput,
  RetryBudgetOptions,
  RetryOptions,
} from "./policy/options.ts";
export type { BreakerState, SkipReason } from "./policy/states.ts";
export { anthropicMessages } from "./protocol/anthropic-messages.ts";
export { cohereV2 } from "./protocol/cohere-v2.ts";
export { defineProtocol } from "./protocol/define.ts";
export { gemini } from "./protocol/gemini.ts";
export { ollama } from "./protocol/ollama.ts";
export { openaiChat } from "./protocol/openai-chat.ts";
export { openaiCompletions } from "./protocol/openai-completions.ts";
export { openaiResponses } from "./protocol/openai-responses.ts";
export type {
  Protocol,
  ProtocolDecoder,
  ProtocolEvent,
  ProtocolName,
  StopReason,
  StreamEvent,
  StreamEventMap,
  Usage,
} from "./protocol/protocol.ts";
export type { Capabilities } from "./route/capabilities.ts";
export type { AnyBody, BodyFields, Endpoint, EndpointTraits } from "./route/endpoint.ts";
export { createHealth, type Health } from "./route/health.ts";
export type { HedgeOptions } from "./route/hedge.ts";
export type { AttemptLimits, LimitContext, Limits, PromptBand } from "./timing/limits.ts";
export type { Timing } from "./timing/timing.ts";
export {
  assertComplete,
  CallError,
  type CallErrorCode,
  IncompleteTurnError,
  isTtftError,
  type TtftError,
} from "./turn/errors.ts";
export { type ToolResult, toAssistantMessages, toToolMessages } from "./turn/history.ts";
export type { AttemptInfo, CallInfo, Observer } from "./turn/observer.ts";
export type { Attempt, AttemptKind, CallRecord, Skipped } from "./turn/record.ts";
export type { SchemaOutput, SchemaResult, StandardSchema, ToolSchemas } from "./turn/standard-schema.ts";
export { type ExecutableToolCall, executableToolCalls } from "./turn/tool-calls.ts";
export type { CompleteTurn, IncompleteTurn, ToolCall, ToolFragment, Turn, TurnMeta } from "./turn/turn.ts";
export type { Frame } from "./wire/frame.ts";
