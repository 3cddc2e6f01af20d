/** The wire text of one answer, event by event, with the fields that providers really send around each delta. */
import { ARGUMENTS_PER_DELTA, argumentsOf, type Dialect, deltaAt, type Plan } from "./plan.ts";

export function* eventsOf(dialect: Dialect, plan: Plan): Generator<string> {
  const deltas = plan.argumentBytes ? pieces(argumentsOf(plan.argumentBytes)) : null;
  yield* deltas ? CALLS[dialect](deltas) : TEXTS[dialect](plan);
}

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += ARGUMENTS_PER_DELTA) found.push(text.slice(at, at + ARGUMENTS_PER_DELTA));
  return found;
}

const named = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

// ── Chat Completions ──

function chunk(delta: object, finishReason: string | null = null): string {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
  return `data: ${JSON.stringify({
    id: "chatcmpl-CNf3aTq0Zr8mJx2dWk5Yb1Hs7Lp9Q",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "gpt-4o-2024-08-06",
    service_tier: "default",
    system_fingerprint: "fp_cbf1785567",
    choices: [choice],
    usage: null,
    obfuscation: "aZ4x",
  })}\n\n`;
}

const chatCall = (call: object): string => chunk({ tool_calls: [{ index: 0, ...call }] });

function* chatText(plan: Plan): Generator<string> {
  yield chunk({ role: "assistant", content: "", refusal: null });
  for (let index = 0; index < plan.events; index++) yield chunk({ content: deltaAt(index, plan) });
  yield chunk({}, "stop");
  yield "data: [DONE]\n\n";
}

function* chatCalls(deltas: readonly string[]): Generator<string> {
  yield chatCall({ id: "call_1", type: "function", function: { name: "save", arguments: "" } });
  for (const delta of deltas) yield chatCall({ function: { arguments: delta } });
  yield chunk({}, "tool_calls");
  yield "data: [DONE]\n\n";
}

// ── Messages ──

const MESSAGE = {
  id: "msg_01AbCdEfGhIjKlMnOpQrStUv",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
};

function* message(block: object, deltas: Iterable<object>, stopReason: string): Generator<string> {
  yield named("message_start", { message: MESSAGE });
  yield named("content_block_start", { index: 0, content_block: block });
  yield named("ping", {});
  for (const delta of deltas) yield named("content_block_delta", { index: 0, delta });
  yield named("content_block_stop", { index: 0 });
  yield named("message_delta", {
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 5 },
  });
  yield named("message_stop", {});
}

function* messageTexts(plan: Plan): Generator<object> {
  for (let index = 0; index < plan.events; index++) yield { type: "text_delta", text: deltaAt(index, plan) };
}

const messageText = (plan: Plan) => message({ type: "text", text: "" }, messageTexts(plan), "end_turn");

const messageCall = (deltas: readonly string[]) =>
  message(
    { type: "tool_use", id: "toolu_01", name: "save", input: {} },
    deltas.map((delta) => ({ type: "input_json_delta", partial_json: delta })),
    "tool_use",
  );

// ── Responses ──

/** Numbers its events, as the API does. */
function responses(begun: object, whole: object, between: Iterable<readonly [string, object]>): Generator<string> {
  return (function* () {
    let number = 0;
    const event = (type: string, fields: object) => named(type, { sequence_number: number++, ...fields });
    const response = (status: string, output: object[]) => ({
      id: "resp_0a1b2c3d4e5f",
      object: "response",
      created_at: 1_790_000_000,
      status,
      error: null,
      incomplete_details: null,
      model: "gpt-4o-2024-08-06",
      output,
      usage: null,
    });
    yield event("response.created", { response: response("in_progress", []) });
    yield event("response.output_item.added", { output_index: 0, item: begun });
    for (const [type, fields] of between) yield event(type, { output_index: 0, ...fields });
    yield event("response.output_item.done", { output_index: 0, item: whole });
    yield event("response.completed", { response: response("completed", [whole]) });
  })();
}

function responsesText(plan: Plan): Generator<string> {
  const id = "msg_0a1b2c3d4e5f";
  const item = { id, type: "message", role: "assistant" };
  let text = "";
  for (let index = 0; index < plan.events; index++) text += deltaAt(index, plan);
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  const place = { item_id: id, content_index: 0 };
  function* between(): Generator<readonly [string, object]> {
    yield ["response.content_part.added", { ...place, part: { ...part, text: "" } }];
    for (let index = 0; index < plan.events; index++) {
      const delta = deltaAt(index, plan);
      yield ["response.output_text.delta", { ...place, delta, logprobs: [], obfuscation: "aZ4xQ9" }];
    }
    yield ["response.output_text.done", { ...place, text, logprobs: [] }];
    yield ["response.content_part.done", { ...place, part }];
  }
  const whole = { ...item, status: "completed", content: [part] };
  return responses({ ...item, status: "in_progress", content: [] }, whole, between());
}

function responsesCall(deltas: readonly string[]): Generator<string> {
  const item = { id: "fc_1", type: "function_call", call_id: "call_1", name: "save" };
  const json = deltas.join("");
  function* between(): Generator<readonly [string, object]> {
    for (const delta of deltas) yield ["response.function_call_arguments.delta", { item_id: "fc_1", delta }];
    yield ["response.function_call_arguments.done", { item_id: "fc_1", arguments: json }];
  }
  const whole = { ...item, status: "completed", arguments: json };
  return responses({ ...item, status: "in_progress", arguments: "" }, whole, between());
}

const TEXTS = { chat: chatText, messages: messageText, responses: responsesText };
const CALLS = { chat: chatCalls, messages: messageCall, responses: responsesCall };
