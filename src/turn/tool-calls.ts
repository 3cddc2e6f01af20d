/** From the calls of a whole answer to what may be run: parsed, checked, or refused; never repaired. */
import { listIn } from "../protocol/fields.ts";
import type { StopReason } from "../protocol/protocol.ts";
import type { SchemaOutput, StandardSchema, ToolSchemas } from "./standard-schema.ts";
import type { CompleteTurn, ToolCall } from "./turn.ts";

// biome-ignore-start lint/complexity/noBannedTypes: `{}` is the type of having no schemas.

export type ExecutableToolCall<Schemas extends ToolSchemas = {}> = {} extends Schemas
  ? { readonly id: string; readonly index: number; readonly name: string; readonly input: unknown }
  : {
      [Name in keyof Schemas & string]: {
        readonly id: string;
        readonly index: number;
        readonly name: Name;
        readonly input: SchemaOutput<Schemas[Name]>;
      };
    }[keyof Schemas & string];

/**
 * The calls of a complete turn, parsed and checked, in order; provider-executed ones left out. `[]` if there are none.
 * With `schemas`, a call to a tool that is not in it throws, and each `input` has its schema's type. The input of a tool
 * that takes free text (OpenAI's `custom`) is that text.
 * @throws TypeError for a turn that is not complete, a stop reason that is not accepted, arguments that do not parse or
 * do not pass. Validation is synchronous: a schema that gives a promise is refused.
 */
export function executableToolCalls<const Schemas extends ToolSchemas = {}>(
  turn: CompleteTurn,
  options?: {
    /** Default `["tool_calls", "stop", "stop_sequence"]`: several hosts end tool turns with `stop`. */
    readonly accept?: readonly StopReason[] | undefined;
    readonly schemas?: Schemas | undefined;
  },
): ExecutableToolCall<Schemas>[] {
  const schemas = options?.schemas;
  return parsedToolCalls(turn, options?.accept).map(({ id, index, name, input }) => {
    const checked = schemas ? checkedInput(input, schemaOf(schemas, name, index), `call ${index} (${name})`) : input;
    return { id, index, name, input: checked } as ExecutableToolCall<Schemas>;
  });
}

// biome-ignore-end lint/complexity/noBannedTypes: `{}` is the type of having no schemas.

export interface ParsedToolCall {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly input: unknown;
}

const ACCEPTED: readonly StopReason[] = ["tool_calls", "stop", "stop_sequence"];

/** The same without schemas. Here, too, no message holds what the model wrote: neither its arguments nor its names. */
export function parsedToolCalls(turn: CompleteTurn, accept = ACCEPTED): ParsedToolCall[] {
  const { status, stopReason } = turn;
  if (status !== "complete")
    throw new TypeError(`tool calls of an ${status} turn are not executable: look at \`turn.status\` first`);
  const calls = turn.toolCalls.filter((call) => !call.providerExecuted);
  if (calls.length === 0) return [];
  if (stopReason === null || !accept.includes(stopReason)) {
    throw new TypeError(
      `tool calls are not executable after the stop reason ${stopReason}; accepted: ${accept.join(", ")}`,
    );
  }
  const freeText = freeTextCalls(turn.output);
  return calls.map(({ id, index, name, arguments: json }) => {
    const parsed = freeText.has(id) ? { value: json } : parse(json);
    if (parsed === null) throw new TypeError(`the arguments of tool call ${index} are not JSON`);
    return { id, index, name, input: parsed.value };
  });
}

/** Does some call wait for the client whose arguments do not parse? None at all are `{}`. */
export function hasInvalidToolCalls(calls: readonly ToolCall[], output: readonly object[]): boolean {
  const freeText = freeTextCalls(output);
  return calls.some((call) => hasInvalidArguments(call) && !freeText.has(call.id));
}

export function hasInvalidArguments(call: ToolCall): boolean {
  return !call.providerExecuted && parse(call.arguments) === null;
}

/** `null` if it is no JSON. What is wrong with it is not told: a parser's message quotes the text. */
function parse(json: string): { readonly value: unknown } | null {
  try {
    return { value: json === "" ? {} : JSON.parse(json) };
  } catch {
    return null;
  }
}

/** Ids of the calls whose arguments are no JSON by design. */
function freeTextCalls(output: readonly object[]): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  for (const item of output as readonly any[]) {
    if (item.type === "custom_tool_call") ids.add(item.call_id);
    for (const call of listIn(item.tool_calls)) if (call?.type === "custom") ids.add(call.id);
  }
  return ids;
}

function schemaOf(schemas: ToolSchemas, name: string, index: number): StandardSchema {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schema) return schema;
  throw new TypeError(
    `tool call ${index} names a tool that is not in \`schemas\` (${Object.keys(schemas).join(", ")})`,
  );
}

function checkedInput(input: unknown, schema: StandardSchema, call: string): unknown {
  const result = schema["~standard"].validate(input);
  if ("then" in result) {
    result.then(undefined, () => {});
    throw new TypeError(`the schema of ${call} gave a promise: it has to validate synchronously`);
  }
  if (result.issues)
    throw new TypeError(`the input of ${call} does not pass its schema (issues: ${result.issues.length})`);
  return result.value;
}
