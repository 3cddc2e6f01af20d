/** Reads fields that a server may have left out or mistyped. */

/** `""` for what is no string. */
export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** `""` for what is no plain name, such as an error's type: those are passed on, sentences are not. */
export const nameIn = (value: unknown): string => (/^[\w.-]{1,64}$/.test(textIn(value)) ? textIn(value) : "");

/** `[]` for what is no array. */
export const listIn = (value: unknown): readonly any[] => (Array.isArray(value) ? value : []);

/** What JSON text says, `{}` where it says nothing or does not parse: providers take back objects only. */
export function objectIn(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
