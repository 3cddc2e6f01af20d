/** The one class of frame there is, so that every call of `frame.data` in the hot path sees the same shape. */
import type { Frame } from "./frame.ts";
import { FrameFault, type ParsedJson, parseJson } from "./json.ts";

export class WireFrame implements Frame {
  readonly event: string;
  readonly data: string;
  #parsed: ParsedJson | undefined;

  constructor(event: string, data: string) {
    this.event = event;
    this.data = data;
  }

  /** The same as `json()`, as a value. */
  get parsed(): ParsedJson {
    this.#parsed ??= parseJson(this.data);
    return this.#parsed;
  }

  json(): any {
    const { parsed } = this;
    if (parsed.ok) return parsed.json;
    throw new FrameFault(parsed.fault);
  }
}
