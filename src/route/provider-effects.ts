/**
 * What a provider does on its own side for a request, read from its body: such a call may not be repeated or doubled as
 * freely as one that only generates.
 */
import type { Fields } from "../attempt/body.ts";
import { isFilled } from "./capabilities.ts";

/** Tools that the client answers: the provider only names them. Anything not known to be one is the provider's. */
const ANSWERED_BY_CLIENT =
  /^(function|custom|namespace|functionDeclarations|function_declarations|local_shell|shell|apply_patch|(bash|text_editor|memory)_\d+)$/;
/** Tools whose use changes something outside. */
const WITH_EFFECTS = /^(mcp|computer|connector)/i;

/** Does the provider run tools for it? Then no second endpoint may run them beside the first. */
export function hasProviderTools(body: Fields): boolean {
  const { web_search_options, search_parameters, plugins } = body;
  return (
    hasProviderEffects(body) ||
    Boolean(web_search_options ?? search_parameters) ||
    isFilled(plugins) ||
    toolKinds(body).some((kind) => !ANSWERED_BY_CLIENT.test(kind))
  );
}

/** Remote tools, a computer, a job that outlives the connection: repeated only if the first request cannot have run. */
export function hasProviderEffects(body: Fields): boolean {
  return (
    body.background === true ||
    isFilled(body.mcp_servers) ||
    isFilled(body.connectors) ||
    toolKinds(body).some((kind) => WITH_EFFECTS.test(kind))
  );
}

function toolKinds({ tools }: Fields): string[] {
  return Array.isArray(tools)
    ? tools.flatMap((tool) => (typeof tool === "object" && tool !== null ? kindsOf(tool) : []))
    : [];
}

/** By its type; without one, a tool that has a name is a function, and Gemini names each kind by a field. */
function kindsOf(tool: Fields): string[] {
  const { type, name, function: described, environment, execution } = tool;
  if (typeof type !== "string") return name || described ? ["function"] : Object.keys(tool);
  if (type === "shell" && String(environment?.type).startsWith("container")) return ["hosted_shell"];
  return [type === "tool_search" && execution === "client" ? "function" : type];
}
