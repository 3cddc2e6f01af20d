/** A promise that is resolved from outside (`Promise.withResolvers` is missing on Node 20 and older browsers). */

/** The promise is made for the first who asks: for most of what can be awaited nobody does. */
export class Deferred<Value = void> {
  #value: Value | null = null;
  #settled = false;
  #promise: Promise<Value> | null = null;
  #settle: ((value: Value) => void) | null = null;

  get promise(): Promise<Value> {
    this.#promise ??= this.#settled
      ? Promise.resolve(this.#value as Value)
      : new Promise((settle) => {
          this.#settle = settle;
        });
    return this.#promise;
  }

  resolve(value: Value): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#value = value;
    this.#settle?.(value);
  }
}
