/** The one class of frame there is, so that every call of `frame.data` in the hot path sees the same shape. */
import type { Frame } from "./frame.ts";
import { FrameFault, parseJson } from "./json.ts";

const UNREAD = Symbol();

export class WireFrame implements Frame {
  readonly event: string;
  readonly data: string;
  #json: any = UNREAD;

  constructor(event: string, data: string) {
    this.event = event;
    this.data = data;
  }

  json(): any {
    if (this.#json === UNREAD) this.#json = this.#parse();
    return this.#json;
  }

  get isJson(): boolean {
    return this.#json !== UNREAD || parseJson(this.data).ok;
  }

  #parse(): any {
    const parsed = parseJson(this.data);
    if (parsed.ok) return parsed.json;
    throw new FrameFault(parsed.fault);
  }
}
