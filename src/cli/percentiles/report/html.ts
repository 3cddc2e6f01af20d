/** Markup in which every value is text: names come from files, and a name must never become an element. */

/** Markup that is finished; everything else that is put into a template is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | readonly Html[] | string | number | null;

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.reduce((text, part, at) => `${text}${textOf(values[at - 1] ?? null)}${part}`));
}

/** For a `<script type="application/json">`: no text in it can close the element. */
export function embeddedJson(value: unknown): Html {
  return new Html(
    JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  '"': "&quot;",
  "'": "&#39;",
};

function textOf(value: Value): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return (
    String(value)
      .replace(/[<>&"']/g, (c) => ESCAPES[c] as string)
      // A number keeps its groups and its unit on one line.
      .replace(/(\d) (?=\d|%|m?s\b)/g, "$1\u00a0")
  );
}

export function legendOf(keys: readonly (readonly [look: string, words: string])[]): Html {
  return html`<p class="legend">${keys.map(([look, words]) => html`<span><i class="key ${look}"></i>${words}</span> `)}</p>`;
}
