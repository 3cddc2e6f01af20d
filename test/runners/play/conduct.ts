/** How the consumer of one call behaves: reads on, waits, leaves, aborts or blocks, at the moment the case names. */
import type { CaseClient, StreamCase } from "../format.ts";
import { sleep } from "../stub/script.ts";
import { Trigger } from "./trigger.ts";
import type { World } from "./world.ts";

const pauseMs = 200;

export class Conduct {
  readonly signal: AbortSignal | null;
  readonly abortReason: unknown;
  readonly trigger: Trigger;
  /** Set by the reader: closes what is being read. */
  close: () => void = () => {};
  /** The consumer has left and reads no more. */
  left = false;
  pullsWhilePaused: number | null = null;
  readonly #world: World;
  #sawContent = false;
  /** The consumer holds an event and can leave by itself. */
  #between = false;

  constructor(world: World, controller: AbortController | null) {
    this.#world = world;
    this.signal = controller?.signal ?? null;
    const { client } = world.script;
    this.abortReason = client.abortReason && new Error(client.abortReason.message);
    this.trigger = new Trigger(client.at, this.#act(client, controller));
  }

  get slow(): boolean {
    const { action } = this.#world.script.client;
    return action === "slowConsumer" || action === "pauseAfterFirst";
  }

  /** After each event or chunk; `content` says whether content has come by now. */
  async after(content: boolean): Promise<void> {
    const { client } = this.#world.script;
    if (content && !this.#sawContent) {
      this.#sawContent = true;
      this.#world.page?.pass(client.env?.visibility ?? []);
      this.#within(() => this.trigger.firstContent());
      if (client.action === "pauseAfterFirst") await this.#pause();
    }
    if (client.action === "slowConsumer") await sleep(client.perChunkMs ?? 0);
  }

  /** The bytes that the consumer has read hold the terminal event. */
  terminal(): void {
    this.#within(() => this.trigger.terminal());
  }

  #within(run: () => void): void {
    this.#between = true;
    run();
    this.#between = false;
  }

  #act(client: CaseClient, controller: AbortController | null): () => void {
    switch (client.action) {
      case "abort":
        return () => controller?.abort(...(this.abortReason ? [this.abortReason] : []));
      case "break":
      case "cancelBody":
        return () => {
          this.left = true;
          if (!this.#between) this.close();
        };
      case "blockEventLoop":
        return () => block(client.ms ?? 0);
      default:
        return () => {};
    }
  }

  async #pause(): Promise<void> {
    await sleep(pauseMs);
    const { stub, seen } = this.#world;
    this.pullsWhilePaused = stub.fetch ? (await stub.log()).pulls : seen.reads;
  }
}

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** A signal is passed only where the case has a use for it. */
export const needsSignal = ({ client, expect }: StreamCase) =>
  client.action === "abort" ||
  client.action === "script" ||
  client.sharedSignal === true ||
  expect.process?.abortListeners !== undefined;
