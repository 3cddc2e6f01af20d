/** The `openai` package: raw iteration and the helpers, over Chat Completions and over Responses. */
import OpenAI from "openai";
import { CHAT, prompt, RESPONSES, tool, type Way, type World } from "../user.ts";

const client = ({ baseURL, fetch }: World) =>
  new OpenAI({ apiKey: "key-of-the-user", baseURL: `${baseURL}/v1`, fetch });

const { name, description, schema: parameters } = tool;
const chatBody = ({ wantsTool }: World): any => ({
  model: "m",
  messages: [{ role: "user", content: prompt }],
  ...(wantsTool && { tools: [{ type: "function", function: { name, description, parameters } }] }),
});
const responsesBody = ({ wantsTool }: World): any => ({
  model: "m",
  input: prompt,
  ...(wantsTool && { tools: [{ type: "function", name, description, parameters, strict: true }] }),
});

/** Deltas are put together by hand; when the loop is over, the call is made. */
async function rawChat(world: World): Promise<void> {
  const { signal } = world;
  const stream = await client(world).chat.completions.create({ ...chatBody(world), stream: true }, { signal });
  let input = "";
  for await (const { choices } of stream as any) {
    const delta = choices[0]?.delta;
    if (delta?.content && world.text(delta.content)) break;
    for (const call of delta?.tool_calls ?? []) input += call.function?.arguments ?? "";
  }
  if (input) world.runTool(JSON.parse(input));
}

async function streamChat(world: World): Promise<void> {
  const stream = client(world).chat.completions.stream(chatBody(world), { signal: world.signal });
  for await (const { choices } of stream) {
    const piece = choices[0]?.delta.content;
    if (piece && world.text(piece)) return;
  }
  const message = await stream.finalMessage();
  for (const call of message.tool_calls ?? [])
    if (call.type === "function") world.runTool(JSON.parse(call.function.arguments));
}

/** The helper that runs tools by itself; here at most one turn. */
async function runTools(world: World): Promise<void> {
  const runner = client(world).chat.completions.runTools(
    {
      model: "m",
      messages: [{ role: "user", content: prompt }],
      stream: true,
      tools: [
        {
          type: "function",
          function: {
            name,
            description,
            parameters: parameters as any,
            parse: JSON.parse,
            function: (input: object) => {
              const result = world.runTool(input);
              runner.abort();
              return result;
            },
          },
        },
      ] as any,
    },
    { signal: world.signal },
  );
  runner.on("content", (piece) => void world.text(piece));
  let ran = false;
  runner.on("functionToolCallResult", () => {
    ran = true;
  });
  await runner.done().catch((error) => {
    if (!ran) throw error;
  });
}

async function rawResponses(world: World): Promise<void> {
  const { signal } = world;
  const stream = await client(world).responses.create({ ...responsesBody(world), stream: true }, { signal });
  const inputs: string[] = [];
  for await (const event of stream as any) {
    if (event.type === "response.output_text.delta" && world.text(event.delta)) break;
    if (event.type === "response.function_call_arguments.delta") inputs[0] = (inputs[0] ?? "") + event.delta;
  }
  for (const input of inputs) world.runTool(JSON.parse(input));
}

async function streamResponses(world: World): Promise<void> {
  const stream = client(world).responses.stream(responsesBody(world), { signal: world.signal });
  for await (const event of stream) if (event.type === "response.output_text.delta" && world.text(event.delta)) return;
  const response = await stream.finalResponse();
  for (const item of response.output) if (item.type === "function_call") world.runTool(JSON.parse(item.arguments));
}

export const ways: readonly Way[] = [
  { name: "openai chat", path: CHAT, run: rawChat },
  { name: "openai chat .stream()", path: CHAT, run: streamChat },
  { name: "openai chat runTools()", path: CHAT, run: runTools, noBreak: true },
  { name: "openai responses", path: RESPONSES, run: rawResponses },
  { name: "openai responses .stream()", path: RESPONSES, run: streamResponses },
];
