/** A fresh process per sample: measures what its one argument says, and prints the numbers. */
import type { Column } from "../columns/column.ts";
import { bulk, crowd, endless, held, pairs } from "./measure.ts";
import type { Ordered, Sample } from "./sample.ts";

async function columnIn(module: string, name: string): Promise<Column> {
  const { columns } = (await import(module)) as { columns: Readonly<Record<string, Column>> };
  const column = columns[name];
  if (!column) throw new Error(`there is no column ${name}`);
  return column;
}

async function measure(ordered: Ordered): Promise<Sample> {
  const column = await columnIn(ordered.module, ordered.column);
  switch (ordered.kind) {
    case "bulk":
      return bulk(column, ordered);
    case "crowd":
      return crowd(column, ordered);
    case "pairs":
      return pairs(column, await columnIn(ordered.floorModule, `floor0:${column.dialect}`), ordered);
    case "held":
      return held(column, ordered);
    case "endless":
      return endless(column, ordered);
  }
}

console.log(JSON.stringify(await measure(JSON.parse(process.argv[2] as string))));
process.exit(0);
