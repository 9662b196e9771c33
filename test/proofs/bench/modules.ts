import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Metafile } from "esbuild";
import { experimental_readRawConfig } from "wrangler";

/** As wrangler.toml has them. */
export function readCompatibility() {
  const { rawConfig } = experimental_readRawConfig({ config: "wrangler.toml" });
  const { compatibility_date: compatibilityDate = "", compatibility_flags: compatibilityFlags = [] } =
    rawConfig;
  return { compatibilityDate, compatibilityFlags };
}

/** A Worker's modules, the main one first. The others are named as wrangler.toml has it. */
export function modulesOf(main: string): { type: "ESModule"; path: string; contents: string }[] {
  const folder = dirname(main);
  const others = readdirSync(folder).filter((name) => /^waymark-.*\.js$/.test(name));
  return [basename(main), ...others].map((path) => ({
    type: "ESModule",
    path,
    contents: readFileSync(join(folder, path), "utf8"),
  }));
}

/** What is loaded with a module that is imported or is the main one: the sources in it, and their bytes as they are built. */
export function loadedWith({ outputs }: Metafile, source: string): { sources: string[]; bytes: number } {
  const modules = new Set(Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === source));
  if (modules.size !== 1) throw new Error(`${source} is no module of its own.`);
  // A set goes on with what is added while it is walked.
  for (const name of modules)
    for (const { kind, path } of outputs[name]?.imports ?? [])
      if (kind === "import-statement" && path in outputs) modules.add(path);
  const all = [...modules].flatMap((name) => outputs[name] ?? []);
  const inputs = all.flatMap((output) => Object.entries(output.inputs));
  return {
    sources: inputs.flatMap(([name, { bytesInOutput }]) => (bytesInOutput === 0 ? [] : [name])).sort(),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
