import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { DIST, GENERATED, MODULES, PACKAGE } from "./paths";

const COMMON: BuildOptions = {
  absWorkingDir: PACKAGE,
  bundle: true,
  format: "esm",
  target: "es2023",
  nodePaths: [MODULES],
  // What the root's tsconfig says of JSX is for its own pages.
  tsconfigRaw: {},
  logLevel: "warning",
};

/** Bundles a module in this package, runs it, and gives its export `value`, which may be a promise. */
export async function runSource(contents: string): Promise<unknown> {
  // Node keeps a module by its path, so that no two runs may have the same.
  const file = `${GENERATED}${randomUUID()}.mjs`;
  const stdin = { contents, resolveDir: PACKAGE, loader: "ts" } as const;
  const { outputFiles } = await build({ ...COMMON, platform: "node", stdin, write: false });
  await writeFile(file, outputFiles[0]?.contents ?? "");
  try {
    const module: { value: unknown } = await import(pathToFileURL(file).href);
    return await module.value;
  } finally {
    await rm(file);
  }
}

/** What `npm install` of the package brings. Everything else is bundled. */
async function dependencies(): Promise<string[]> {
  const text = await readFile(`${PACKAGE}package.json`, "utf8");
  const manifest: { dependencies: Record<string, string> } = JSON.parse(text);
  return Object.keys(manifest.dependencies);
}

/** The client uses web APIs alone, so that it also runs in Workers, Deno and bundles. */
export async function bundleClient(): Promise<void> {
  const external = await dependencies();
  const entryPoints = { index: "index.ts" };
  await build({
    ...COMMON,
    platform: "neutral",
    mainFields: ["module", "main"],
    entryPoints,
    external,
    outdir: DIST,
  });
}

const COMMAND = "command/waymark.ts";
const SHEBANG = "#!/usr/bin/env node\n";

/** The command. What it loads with `import()` gets a file of its own, so that most commands start without it. */
export async function bundleCommand(): Promise<void> {
  if (!existsSync(PACKAGE + COMMAND)) return console.log(`${COMMAND} is not there yet.`);
  const [entryPoints, chunkNames] = [{ waymark: COMMAND }, "command/[name]-[hash]"];
  const external = await dependencies();
  await build({
    ...COMMON,
    platform: "node",
    splitting: true,
    entryPoints,
    chunkNames,
    external,
    outdir: DIST,
  });
  const file = `${DIST}waymark.js`;
  const text = await readFile(file, "utf8");
  await writeFile(file, text.startsWith("#!") ? text : SHEBANG + text, { mode: 0o755 });
}

const SCHEMA = "file/schema.ts";

/** The JSON Schema of `waymark.yaml`, for editors. */
export async function writeSchema(): Promise<void> {
  if (!existsSync(PACKAGE + SCHEMA)) return console.log(`${SCHEMA} is not there yet.`);
  const schema = await runSource(
    `import { fileSchema } from "./${SCHEMA}"; export const value = fileSchema();`,
  );
  await writeFile(`${DIST}schema.json`, `${JSON.stringify(schema, null, 2)}\n`);
}
