import { randomUUID } from "node:crypto";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generateDtsBundle } from "dts-bundle-generator";
import { type BuildOptions, build } from "esbuild";
import { fileSchema } from "../file/schema";
import { DIST, GENERATED, MODULES, PACKAGE } from "./paths";

const COMMON: BuildOptions = {
  absWorkingDir: PACKAGE,
  bundle: true,
  format: "esm",
  target: "es2023",
  nodePaths: [MODULES],
  // Ignores the root's tsconfig, which is for the Worker.
  tsconfigRaw: {},
  logLevel: "warning",
};

/** Bundles and runs a module. Resolves to its export `value`, which may be a promise. */
export async function runSource(contents: string): Promise<unknown> {
  // Node caches modules by path, so each run needs its own.
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

/** Installed with the package, so not bundled. */
async function dependencies(): Promise<string[]> {
  const text = await readFile(`${PACKAGE}package.json`, "utf8");
  const manifest: { dependencies: Record<string, string> } = JSON.parse(text);
  return Object.keys(manifest.dependencies);
}

/** The client uses only web APIs, so it also runs in Workers, Deno and bundles. */
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

/** The command. Code behind `import()` gets its own file, so commands that do not need it start faster. */
export async function bundleCommand(folder = DIST): Promise<void> {
  const [entryPoints, chunkNames] = [{ waymark: COMMAND }, "command/[name]-[hash]"];
  const external = await dependencies();
  await build({
    ...COMMON,
    platform: "node",
    splitting: true,
    entryPoints,
    chunkNames,
    external,
    outdir: folder,
  });
  const file = join(folder, "waymark.js");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.startsWith("#!") ? text : SHEBANG + text);
  await chmod(file, 0o755);
}

/** Writes the types of `index.ts`, with those that they use. */
export async function writeDeclarations(): Promise<void> {
  const output = { noBanner: true, exportReferencedTypes: false };
  const options = { preferredConfigPath: `${PACKAGE}tsconfig.json` };
  const [text = ""] = generateDtsBundle([{ filePath: `${PACKAGE}index.ts`, output }], options);
  await writeFile(`${DIST}index.d.ts`, text);
}

/** The JSON Schema of `waymark.yaml`, for editors. */
export const writeSchema = (): Promise<void> =>
  writeFile(`${DIST}schema.json`, `${JSON.stringify(fileSchema(), null, 2)}\n`);
