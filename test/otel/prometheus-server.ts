/** A Prometheus of one's own for a test: scrapes one page every second, evaluates the shipped rules, answers queries. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function isInstalled(): boolean {
  try {
    for (const binary of ["prometheus", "promtool"]) execFileSync(binary, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class PrometheusServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "prometheus-"));
  readonly #process: ChildProcess;
  readonly #base: string;

  private constructor(port: number, target: string, rules: string) {
    this.#base = `http://127.0.0.1:${port}`;
    const config = {
      global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
      rule_files: [rules],
      scrape_configs: [{ job_name: "app", static_configs: [{ targets: [target] }] }],
    };
    // Every JSON document is one of YAML.
    writeFileSync(join(this.#folder, "prometheus.yml"), JSON.stringify(config));
    const flags = [
      `--config.file=${this.#folder}/prometheus.yml`,
      `--storage.tsdb.path=${this.#folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ];
    this.#process = spawn("prometheus", flags, { stdio: "ignore" });
  }

  static async start(target: string, rules: string): Promise<PrometheusServer> {
    const server = new PrometheusServer(await freePort(), target, rules);
    await server.until(async () => (await fetch(`${server.#base}/-/ready`)).ok);
    return server;
  }

  async query(expression: string): Promise<Sample[]> {
    const response = await fetch(`${this.#base}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { status, error, data } = (await response.json()) as any;
    if (status !== "success") throw new Error(`${error}: ${expression}`);
    return data.result.map(({ metric, value }: any) => ({ labels: metric, value: Number(value[1]) }));
  }

  async rules(): Promise<readonly { readonly name: string; readonly health: string; readonly state?: string }[]> {
    const { data } = (await (await fetch(`${this.#base}/api/v1/rules`)).json()) as any;
    return data.groups.flatMap((group: any) => group.rules);
  }

  async until(holds: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 240; tries++) {
      if (await holds().catch(() => false)) return;
      await pause(250);
    }
    throw new Error("Prometheus did not get there within a minute");
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill();
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
