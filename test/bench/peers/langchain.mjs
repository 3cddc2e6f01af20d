/** LangChain's chat model. */
import { ChatOpenAI } from "@langchain/openai";
import { perBase } from "../columns/column.ts";

const model = perBase(
  (base) => new ChatOpenAI({ apiKey: "x", model: "m", maxRetries: 0, configuration: { baseURL: `${base}/v1` } }),
);

export const columns = {
  "langchain:chat": {
    dialect: "chat",
    async run(ask) {
      for await (const { content } of await model(ask).stream("hi")) if (content) ask.delta(String(content));
    },
  },
};
