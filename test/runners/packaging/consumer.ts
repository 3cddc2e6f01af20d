/** Packs the project and installs the tarball into an empty project, as a user would have it. */
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface Consumer {
  /** An empty project with the package in its `node_modules`. */
  readonly folder: string;
  readonly installed: string;
  readonly tarball: string;
  readonly manifest: Manifest;
  remove(): Promise<void>;
}

export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What a command printed, and how it ended. */
export interface Ran {
  readonly ok: boolean;
  readonly output: string;
}

export const run = (file: string, args: readonly string[], cwd: string, env = process.env) =>
  new Promise<Ran>((resolve) => {
    execFile(file, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim() });
    });
  });

export const binary = (name: string) => join(root, "node_modules", ".bin", name);

/** Packs what is built; builds first where the build is missing or older than the sources. */
export async function createConsumer(): Promise<Consumer> {
  const manifest: Manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  if (await isStale()) await must(run("npm", ["run", "--silent", "build"], root), "build");
  const folder = await mkdtemp(join(tmpdir(), "consumer-"));
  const packed = await must(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root),
    "pack",
  );
  const tarball = join(folder, nameOfTarball(packed.output));
  const installed = join(folder, "node_modules", manifest.name);
  await mkdir(installed, { recursive: true });
  await must(run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"], folder), "unpack");
  await linkDependencies(manifest, folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  return { folder, installed, tarball, manifest, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function must(running: Promise<Ran>, what: string): Promise<Ran> {
  const ran = await running;
  if (!ran.ok) throw new Error(`${what} failed: ${ran.output.slice(-300)}`);
  return ran;
}

/** The manifest's lifecycle may print before it, so take the last JSON array. */
function nameOfTarball(output: string): string {
  const listed = JSON.parse(output.slice(output.indexOf("[\n")).replace(/\][^\]]*$/, "]"));
  return listed[0].filename;
}

/** What the package depends on is installed here already; linking it needs no network. */
async function linkDependencies({ dependencies, peerDependencies }: Manifest, folder: string): Promise<void> {
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const target = join(root, "node_modules", name);
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    if (existsSync(target)) await symlink(target, link);
  }
}

async function isStale(): Promise<boolean> {
  // Declarations are written last: a build that was broken off has none.
  const built = join(root, "dist", "testing.d.cts");
  if (!existsSync(built)) return true;
  const sources = await readdir(join(root, "src"), { recursive: true });
  const inputs = [...sources.map((name) => join("src", name)), "package.json", "tsup.config.ts"];
  const builtAt = statSync(built).mtimeMs;
  return inputs.some((name) => statSync(join(root, name)).mtimeMs > builtAt);
}
