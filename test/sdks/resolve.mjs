/** Where the SDKs are: in the folder that `TTFT_SDKS` names, by default beside this file. */
import { pathToFileURL } from "node:url";

const { TTFT_SDKS } = process.env;
const home = TTFT_SDKS ? pathToFileURL(`${TTFT_SDKS}/`) : new URL("./", import.meta.url);
const ttft = new URL("../../src/", import.meta.url);
const repository = new URL("../../", import.meta.url).href;

export function resolve(specifier, context, next) {
  const entry = /^ttft(?:\/(\w+))?$/.exec(specifier);
  if (entry) return next(new URL(`${entry[1] ?? "index"}.ts`, ttft).href, context);
  const isOurs = /^(test\/sdks|examples)\/(?!.*node_modules)/.test(context.parentURL?.slice(repository.length) ?? "");
  const isBare = /^(@|[a-z])[^:]*$/i.test(specifier);
  return next(specifier, isOurs && isBare ? { ...context, parentURL: new URL("package.json", home).href } : context);
}
