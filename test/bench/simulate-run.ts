/** One run: so many clients call the real library for so long, and each call comes to a figure. */
import { type Attempt, CallError, type Client, type ClientOptions, createClient } from "../../src/index.ts";
import { SimulationClock } from "./simulate-clock.ts";
import { type Provider, seeded, simulatedFetch } from "./simulate-providers.ts";

export interface Population {
  readonly name: string;
  readonly clients: number;
  /** Of all together. */
  readonly callsPerSecond: number;
}

export type Rules = Omit<ClientOptions, "endpoints" | "fetch" | "clock" | "random">;

export interface Setup {
  readonly population: Population;
  readonly rules: Rules;
  readonly seed: number;
  /** Healthy until then; calls before it are not counted. */
  readonly incidentAtMs: number;
  readonly lastsMs: number;
  /** By endpoint name, in the order of the chain. */
  readonly providers: (random: () => number) => Readonly<Record<string, Provider>>;
}

export interface Call {
  /** Since the incident began. */
  readonly atMs: number;
  /** `null`: it failed. */
  readonly ttftMs: number | null;
  readonly requests: number;
  /** The last endpoint of the chain was asked and was silent as well. */
  readonly backupWasSilent: boolean;
}

export async function run(setup: Setup): Promise<Call[]> {
  const { population, incidentAtMs, lastsMs } = setup;
  const random = seeded(setup.seed);
  const clock = new SimulationClock();
  const clients = clientsOf(setup, random, clock);
  const calls: Call[] = [];
  const endsAt = incidentAtMs + lastsMs;
  const arrive = () => {
    const startedAt = clock.now();
    const client = clients[Math.floor(random() * clients.length)] as Client;
    void callOnce(client, startedAt - incidentAtMs).then((call) => {
      if (call.atMs >= 0) calls.push(call);
    });
    const waitMs = (-Math.log(1 - random()) * 1_000) / population.callsPerSecond;
    if (startedAt + waitMs < endsAt) clock.after(waitMs, arrive);
  };
  clock.after(0, arrive);
  await clock.runAll();
  return calls;
}

function clientsOf({ population, rules, providers }: Setup, random: () => number, clock: SimulationClock): Client[] {
  const simulated = providers(random);
  const fetch = simulatedFetch(clock, simulated) as ClientOptions["fetch"];
  const endpoints = Object.keys(simulated).map((name) => {
    return { name, protocol: "openai-chat", url: `https://${name}.test/v1/chat/completions` } as const;
  });
  const options = { ...rules, endpoints, fetch, clock, random };
  return Array.from({ length: population.clients }, () => createClient(options));
}

const body = { messages: [{ role: "user", content: "Hello" }] };

async function callOnce(client: Client, atMs: number): Promise<Call> {
  try {
    const { timing, attempts } = await client.turn(body, { collect: false });
    return { atMs, ttftMs: timing.ttftMs, requests: attempts.length, backupWasSilent: false };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { attempts } = error;
    return { atMs, ttftMs: null, requests: attempts.length, backupWasSilent: attempts.some(isSilentBackup) };
  }
}

const isSilentBackup = ({ endpoint, outcome }: Attempt) => endpoint === "b" && outcome === "timeout_first_token";
