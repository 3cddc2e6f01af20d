/** What both kinds of span have in common. */
import { type Context, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Known } from "./words.ts";

/** One by one: an object of all would be built only to be taken apart. */
export function setKnown(span: Span, attributes: Known): void {
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined && value !== null) span.setAttribute(name, value);
  }
}

/** `message` is a sentence of ours; `null` where nothing failed. */
export function endSpan(span: Span, message: string | null | undefined): void {
  if (message) span.setStatus({ code: SpanStatusCode.ERROR, message });
  span.end();
}

export function contextWithin(parent: Context, span: Span | null): Context {
  return span ? trace.setSpan(parent, span) : parent;
}
