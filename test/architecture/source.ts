import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export interface Import {
  file: string;
  /** A file of src without its extension, or a package. */
  target: string;
}

const SOURCE = new URL("../../src/", import.meta.url).pathname;
/** What is installed and built in the package of the client. */
const FOREIGN = /^client\/(?:node_modules|dist|generated)\//;
const EXTENSION = /(?:\.d)?\.tsx?$/;
const IMPORT = /^(?:(?:import|export)\b[^"';=]*?\bfrom|import)\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

function resolve(file: string, specifier: string, files: ReadonlySet<string>): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = normalize(join(dirname(file), specifier)).replace(EXTENSION, "");
  return files.has(path) ? path : `${path}/index`;
}

/** All imports of src, including type imports and dynamic imports. */
export function readImports(): Import[] {
  const names = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (name) => EXTENSION.test(name) && !FOREIGN.test(name),
  );
  const files = new Set(names.map((name) => name.replace(EXTENSION, "")));
  return names.flatMap((name) => {
    const file = name.replace(EXTENSION, "");
    const text = readFileSync(join(SOURCE, name), "utf8");
    return Array.from(text.matchAll(IMPORT), ([, from, atRunTime]) => ({
      file,
      target: resolve(file, from ?? atRunTime ?? "", files),
    }));
  });
}
