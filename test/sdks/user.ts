/** The code of a user, as one way of one SDK makes them write it, and what it tells of itself. */

export interface World {
  /** Of the endpoint, up to what the SDK adds. */
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** True for `createFetch`: options that its documentation asks for are set. */
  readonly ours: boolean;
  readonly wantsTool: boolean;
  /** A piece of text has come. True: leave the loop now. */
  readonly text: (piece: string) => boolean;
  /** The user's tool runs: this cannot be taken back. */
  readonly runTool: (input: unknown) => string;
}

export interface Way {
  readonly name: string;
  readonly path: string;
  /** Ends as the user's own function would: returns, or throws. */
  readonly run: (world: World) => Promise<void>;
  /** Has no loop that could be left. */
  readonly noBreak?: boolean;
}

export const prompt = "Say hello";
export const tool = {
  name: "weather",
  description: "The weather of a city",
  schema: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
} as const;

export const CHAT = "/v1/chat/completions";
export const RESPONSES = "/v1/responses";
export const MESSAGES = "/v1/messages";
