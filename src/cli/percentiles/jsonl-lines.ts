/** Lines of JSON, whatever their length: one that is too long is passed over and not kept. */
import type { BadRowList } from "./bad-rows.ts";
import type { Chunks } from "./source.ts";

/** A whole turn with its content; what is longer is no line that this library wrote. */
const MOST_LINE_CHARACTERS = 64 * 1024 * 1024;

export async function readLines(
  chunks: Chunks,
  bad: BadRowList,
  onValue: (value: unknown, line: number) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let line = 0;
  let pieces: string[] = [];
  let length = 0;
  const endLine = () => {
    line++;
    if (length > MOST_LINE_CHARACTERS) bad.add(line, "the line is longer than 64 MiB");
    else takeLine(pieces.join(""), line, bad, onValue);
    pieces = [];
    length = 0;
  };
  const take = (text: string) => {
    const lines = text.split("\n");
    lines.forEach((piece, at) => {
      if (at > 0) endLine();
      length += piece.length;
      if (length <= MOST_LINE_CHARACTERS) pieces.push(piece);
      else pieces = [];
    });
  };
  for await (const chunk of chunks) take(decoder.decode(chunk, { stream: true }));
  take(decoder.decode());
  endLine();
}

function takeLine(text: string, line: number, bad: BadRowList, onValue: (value: unknown, line: number) => void): void {
  if (text.trim() === "") return;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad.add(line, "the line is not JSON");
  }
  onValue(value, line);
}
