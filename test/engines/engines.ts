/** How each engine is made to run the bundled program against a stub, and to say what it found. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { freePort } from "../runners/free-port.ts";
import type { Finding } from "./program.ts";

export interface Engine {
  readonly name: string;
  /** Where it is; an engine that is not installed is skipped. */
  readonly path: string;
  /** What brings it. */
  readonly origin: string;
  /** `folder` holds `program.mjs`, which exports `findings`. */
  run(folder: string, base: string): Promise<Finding[]>;
}

const HERE = import.meta.dirname;
const installed = (name: string) => join(HERE, "installed/node_modules/.bin", name);
const INSTALLED = "npm ci --prefix test/engines/installed";
const PATIENCE_MS = 60_000;

/** A command that runs `main.mjs`, with the address as its argument. */
function command(name: string, path: string, origin: string, args: readonly string[] = []): Engine {
  return {
    name,
    path,
    origin,
    async run(folder, base) {
      await writeFile(
        join(folder, "main.mjs"),
        `import { findings } from "./program.mjs";
const unheard = [];
process.on("unhandledRejection", (reason) => unheard.push(String(reason)));
const found = await findings(process.argv.at(-1));
found.push({ name: "no rejection without a listener", problem: unheard.length ? unheard.join() : null });
console.log(JSON.stringify(found));
process.exit(0);`,
      );
      return JSON.parse(await output(path, [...args, join(folder, "main.mjs"), base]));
    },
  };
}

const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

const page: Engine = {
  name: "Chromium",
  path: CHROMIUM,
  origin: "the system's package, or CHROMIUM_PATH",
  async run(folder, base) {
    const args = [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
    ];
    const browser = await chromium.launch({ executablePath: CHROMIUM, args });
    const site = await emptySite();
    try {
      const opened = await browser.newPage();
      const complaints: string[] = [];
      opened.on("pageerror", (error) => complaints.push(String(error)));
      // The page comes from another origin than the provider: as in a real one, CORS applies.
      await opened.goto(site.address);
      await opened.addScriptTag({ path: join(folder, "page.js") });
      const found: Finding[] = await opened.evaluate((address) => (globalThis as any).program.findings(address), base);
      return [...found, { name: "no error of the page", problem: complaints.length > 0 ? complaints.join() : null }];
    } finally {
      await browser.close();
      site.close();
    }
  },
};

async function emptySite(): Promise<{ readonly address: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>page</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const workerd: Engine = {
  name: "workerd",
  path: installed("workerd"),
  origin: INSTALLED,
  async run(folder, base) {
    const port = await freePort();
    await writeFile(
      join(folder, "worker.mjs"),
      `import { findings } from "./program.mjs";
export default { fetch: async (request) => Response.json(await findings(new URL(request.url).searchParams.get("base"))) };`,
    );
    await writeFile(join(folder, "config.capnp"), CONFIG.replace("PORT", String(port)));
    const server = spawn(workerd.path, ["serve", join(folder, "config.capnp")], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    try {
      return (await untilUp(`http://127.0.0.1:${port}/?base=${encodeURIComponent(base)}`)) as Finding[];
    } finally {
      server.kill();
    }
  },
};

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.mjs"), (name = "program.mjs", esModule = embed "program.mjs")],
      compatibilityDate = "2026-01-01",
      globalOutbound = "network"
    )),
    (name = "network", network = (allow = ["public", "private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:PORT", http = (), service = "main")]
);
`;

export const ENGINES: readonly Engine[] = [
  command(`Node ${process.versions.node}`, process.execPath, "this process"),
  command("Node 24", join(HERE, "../runtimes/node_modules/node24/bin/node"), "npm ci --prefix test/runtimes"),
  command("Bun", installed("bun"), INSTALLED),
  command("Deno", installed("deno"), INSTALLED, ["run", "-A"]),
  workerd,
  page,
];

export const isInstalled = ({ path }: Engine): boolean => existsSync(path);

async function output(path: string, args: readonly string[]): Promise<string> {
  const child = spawn(path, args, {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stdout.on("data", (bytes) => {
    said += bytes;
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`ended with ${signal ?? code}`);
  return said.trim().split("\n").at(-1) ?? "";
}

async function untilUp(url: string): Promise<unknown> {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return await (await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })).json();
    } catch (error) {
      if ((error as { cause?: { code?: string } }).cause?.code !== "ECONNREFUSED") throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error("it does not answer");
}
