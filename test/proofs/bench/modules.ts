import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The script and its text modules, which wrangler names by their hash. */
export function modulesOf(script: string): { type: "ESModule" | "Text"; path: string; contents: string }[] {
  const folder = dirname(script);
  const texts = readdirSync(folder).filter((name) => /^[0-9a-f]{40}-/.test(name));
  return [
    { type: "ESModule" as const, path: "worker.js", contents: readFileSync(script, "utf8") },
    ...texts.map((path) => ({
      type: "Text" as const,
      path,
      contents: readFileSync(join(folder, path), "utf8"),
    })),
  ];
}
