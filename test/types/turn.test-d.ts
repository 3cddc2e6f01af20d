import { describe, expectTypeOf, test } from "vitest";
import {
  assertComplete,
  type CompleteTurn,
  executableToolCalls,
  type Failure,
  type FailureReason,
  type IncompleteReason,
  type IncompleteTurn,
  type Outcome,
  type StopReason,
  type ToolCall,
  type Turn,
} from "../../src/index.ts";

declare const turn: Turn;
declare const complete: CompleteTurn;
declare const incomplete: IncompleteTurn;

describe("a turn that may be half an answer", () => {
  test("has neither text nor tool calls, whole or partial", () => {
    // @ts-expect-error it may be half an answer
    turn.text;
    // @ts-expect-error its calls may be fragments
    turn.toolCalls;
    // @ts-expect-error it may be whole
    turn.partialText;
    // @ts-expect-error it may have ended well
    turn.reason;
  });

  test("has them once it is known what it is", () => {
    if (turn.status === "complete") {
      expectTypeOf(turn.text).toEqualTypeOf<string>();
      expectTypeOf(turn.toolCalls).toEqualTypeOf<readonly ToolCall[]>();
      expectTypeOf(turn.stopReason).toEqualTypeOf<StopReason | null>();
    } else {
      expectTypeOf(turn).toEqualTypeOf<IncompleteTurn>();
      expectTypeOf(turn.partialText).toEqualTypeOf<string>();
      expectTypeOf(turn.error).toEqualTypeOf<Failure | null>();
      // @ts-expect-error half an answer is no answer
      turn.text;
    }
    assertComplete(turn);
    expectTypeOf(turn).toEqualTypeOf<CompleteTurn>();
  });

  test("keeps what is measured either way", () => {
    expectTypeOf(turn.timing.ttftMs).toEqualTypeOf<number | null>();
    expectTypeOf(turn.endpoint).toEqualTypeOf<string>();
  });
});

describe("tool calls", () => {
  test("are executable from a complete turn only", () => {
    expectTypeOf(executableToolCalls(complete)[0]?.input).toEqualTypeOf<unknown>();
    // @ts-expect-error it may be half an answer
    executableToolCalls(turn);
    // @ts-expect-error it is half an answer
    executableToolCalls(incomplete);
  });

  test("are no fragments", () => {
    // @ts-expect-error a fragment's arguments are not whole
    incomplete.toolFragments satisfies readonly ToolCall[];
  });
});

describe("reasons", () => {
  test("are closed: a switch over them needs no default", () => {
    function words(reason: IncompleteReason): string {
      switch (reason) {
        case "closed_before_terminal":
        case "connection_lost":
        case "transport_timeout":
          return "the connection";
        case "provider_error":
        case "malformed_event":
        case "too_large":
        case "empty":
        case "abnormal_stop":
          return "the provider";
        case "length":
        case "content_filter":
        case "paused":
          return "an ending of its own";
        case "timeout_first_token":
        case "timeout_idle":
        case "timeout_stall":
        case "timeout_total":
        case "timeout_consumer":
          return "a limit";
        case "aborted":
          return "the caller";
      }
    }
    expectTypeOf(words).returns.toEqualTypeOf<string>();
  });

  test("lie within each other", () => {
    expectTypeOf<IncompleteReason>().toExtend<FailureReason>();
    expectTypeOf<FailureReason>().toExtend<Outcome>();
    expectTypeOf<FailureReason>().not.toExtend<IncompleteReason>();
    expectTypeOf<Outcome>().not.toExtend<FailureReason>();
    expectTypeOf<IncompleteTurn["reason"]>().toEqualTypeOf<IncompleteReason>();
    // @ts-expect-error no such reason
    "timeout" satisfies Outcome;
  });
});
