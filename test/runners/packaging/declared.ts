/** What the declarations of an entry promise to be there at run time. */
import { join } from "node:path";
import ts from "typescript";
import type { Consumer } from "./consumer.ts";

/** Names of its value exports; what is only a type is left out. */
export function valuesDeclared({ installed, manifest }: Consumer, entry: string): string[] {
  const key = `.${entry.slice(manifest.name.length)}`;
  const types = (manifest.exports[key] as { readonly import?: { readonly types?: string } } | undefined)?.import?.types;
  if (!types) return [];
  const file = join(installed, types);
  const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: [] };
  const program = ts.createProgram([file], options);
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) return [];
  const isValue = (symbol: ts.Symbol) => {
    const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (original.flags & ts.SymbolFlags.Value) !== 0;
  };
  return checker
    .getExportsOfModule(module)
    .filter(isValue)
    .map((symbol) => symbol.name);
}
