/**
 * Function arguments that Gemini streams as values with their JSON paths (RFC 9535), written as JSON text in the order
 * in which they come. Until the last one has come the text does not parse, so a cut call never looks whole.
 */

interface Container {
  /** The keys written so far, `null` in an array. */
  readonly keys: Set<unknown> | null;
  size: number;
  /** The key that is open in it, or was written last. */
  key: string | number;
}

type Path = readonly (string | number)[];

export class StreamedArguments {
  readonly #open: Container[] = [];
  /** The path of a string that goes on. */
  #string: unknown = null;
  #text = "";

  /** The JSON text that follows, or `null` if it cannot be written on: out of order, or no value. */
  write(values: readonly any[], isLast: boolean): string | null {
    this.#text = "";
    if (this.#open.length === 0) this.#enter(false);
    for (const value of values) if (!this.#add(value)) return null;
    if (!isLast) return this.#text;
    if (this.#string !== null) return null;
    this.#closeTo(0);
    return this.#text;
  }

  #add(arg: any): boolean {
    if (this.#string !== null) {
      if (arg?.jsonPath !== this.#string || typeof arg.stringValue !== "string") return false;
    } else {
      const path = parsePath(arg?.jsonPath);
      if (path === null || !this.#goTo(path)) return false;
      if (typeof arg.stringValue === "string") this.#text += '"';
    }
    return this.#value(arg);
  }

  #value(arg: any): boolean {
    const { stringValue, numberValue, boolValue, nullValue } = arg;
    if (typeof stringValue === "string") {
      this.#text += JSON.stringify(stringValue).slice(1, -1) + (arg.willContinue ? "" : '"');
      this.#string = arg.willContinue ? arg.jsonPath : null;
    } else if (typeof numberValue === "number" || typeof boolValue === "boolean") {
      this.#text += JSON.stringify(numberValue ?? boolValue);
    } else if (nullValue !== undefined) this.#text += "null";
    else return false;
    return true;
  }

  /** Closes what the path has left, opens what it enters, and writes its last key. */
  #goTo(path: Path): boolean {
    const open = this.#open;
    let shared = 0;
    while (shared < open.length - 1 && shared < path.length - 1 && open[shared]?.key === path[shared]) shared++;
    this.#closeTo(shared + 1);
    for (let depth = shared; depth < path.length; depth++) {
      if (depth > shared) this.#enter(typeof path[depth] === "number");
      if (!this.#writeKey(path[depth] as string | number)) return false;
    }
    return true;
  }

  #writeKey(key: string | number): boolean {
    const container = this.#open.at(-1) as Container;
    if (container.keys === null ? key !== container.size : typeof key !== "string" || container.keys.has(key))
      return false;
    if (container.size++ > 0) this.#text += ",";
    if (container.keys?.add(key)) this.#text += `${JSON.stringify(key)}:`;
    container.key = key;
    return true;
  }

  #enter(isArray: boolean): void {
    this.#open.push({ keys: isArray ? null : new Set(), size: 0, key: "" });
    this.#text += isArray ? "[" : "{";
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) this.#text += this.#open.pop()?.keys ? "}" : "]";
  }
}

const segment = /\.([^.[\]]+)|\[(?:(\d+)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))\]/y;

/** `$.recipe.steps[0]['a b']` as keys, `null` if it is no path to one value inside the arguments. */
function parsePath(jsonPath: unknown): Path | null {
  if (typeof jsonPath !== "string" || !jsonPath.startsWith("$")) return null;
  const path: (string | number)[] = [];
  let at = 1;
  while (at < jsonPath.length) {
    segment.lastIndex = at;
    const match = segment.exec(jsonPath);
    if (!match) return null;
    at = segment.lastIndex;
    const [, name, position, quoted] = match;
    const key = name ?? (position ? Number(position) : unquote(quoted as string));
    if (key === null) return null;
    path.push(key);
  }
  return path.length > 0 ? path : null;
}

function unquote(quoted: string): string | null {
  const inner = quoted.slice(1, -1);
  try {
    return JSON.parse(quoted[0] === '"' ? quoted : `"${inner.replace(/\\'/g, "'").replace(/"/g, '\\"')}"`);
  } catch {
    return null;
  }
}
