/** The `@anthropic-ai/sdk` package: raw iteration and `.stream()`. */
import Anthropic from "@anthropic-ai/sdk";
import { MESSAGES, prompt, tool, type Way, type World } from "../user.ts";

const client = ({ baseURL, fetch }: World) => new Anthropic({ apiKey: "key-of-the-user", baseURL, fetch });

const body = ({ wantsTool }: World): any => ({
  model: "m",
  max_tokens: 64,
  messages: [{ role: "user", content: prompt }],
  ...(wantsTool && { tools: [{ name: tool.name, description: tool.description, input_schema: tool.schema }] }),
});

async function raw(world: World): Promise<void> {
  const stream = await client(world).messages.create({ ...body(world), stream: true }, { signal: world.signal });
  let input = "";
  for await (const event of stream as any) {
    if (event.type !== "content_block_delta") continue;
    if (event.delta.type === "text_delta" && world.text(event.delta.text)) break;
    if (event.delta.type === "input_json_delta") input += event.delta.partial_json;
  }
  if (input) world.runTool(JSON.parse(input));
}

async function helper(world: World): Promise<void> {
  const stream = client(world).messages.stream(body(world), { signal: world.signal });
  for await (const event of stream) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta" && world.text(event.delta.text))
      return;
  }
  const message = await stream.finalMessage();
  for (const block of message.content) if (block.type === "tool_use") world.runTool(block.input);
}

export const ways: readonly Way[] = [
  { name: "anthropic", path: MESSAGES, run: raw },
  { name: "anthropic .stream()", path: MESSAGES, run: helper },
];
