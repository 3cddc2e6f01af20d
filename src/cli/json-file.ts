/** JSON that a flag holds or names, or what is wrong with it. */
import { readFileSync } from "node:fs";
import { UsageError } from "./usage-error.ts";

/** @throws UsageError */
export function jsonFile(flag: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${flag} ${file} cannot be read`);
  }
  return jsonOf(`${flag} ${file}`, text);
}

/** @throws UsageError The text may hold a key: it is not repeated. */
export function jsonOf(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${where} is not JSON`);
  }
}
