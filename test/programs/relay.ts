/** A route that keeps the key on the server and hands the bytes on to a page. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import express from "express";
import { Hono } from "hono";
import { createClient } from "ttft";

const client = createClient({
  endpoints: [
    {
      protocol: "openai-chat",
      url: "https://api.openai.com/v1/chat/completions",
      apiKey: process.env.OPENAI_API_KEY,
      model: "gpt-5-mini",
    },
    {
      protocol: "openai-chat",
      url: "https://backup.example/v1/chat/completions",
      apiKey: process.env.BACKUP_KEY,
      model: "gpt-5-mini",
    },
  ],
});

// Wherever a handler returns a `Response`: Hono, Next.js, Bun, Deno, Workers.
export const hono = new Hono().post("/api/chat", async (c) => {
  const { messages } = await c.req.json<{ messages: object[] }>();
  return client.response({ messages }, { signal: c.req.raw.signal });
});

// Where it writes to a socket.
export const app = express()
  .use(express.json())
  .post("/api/chat", async (req, res) => {
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const answer = await client.response({ messages: req.body.messages }, { signal: gone.signal });
    res.writeHead(answer.status, Object.fromEntries(answer.headers));
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), res).catch(() => {});
  });
