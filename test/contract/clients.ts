import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./processes";

const USES = fileURLToPath(new URL("clients/", import.meta.url));

const COMPILER_OPTIONS = {
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  // The declarations of libraries alone: what is generated is source.
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

/** Generates a client with each tool, and compiles it with the file of `clients/` that uses it. */
export async function compileClients(folder: string, document: string, tool: (path: string) => string) {
  const generate = (path: string, ...args: string[]) =>
    run(process.execPath, [tool(path), ...args], { cwd: folder });
  mkdirSync(join(folder, "clients"));
  const generated = (name: string) => join(folder, "clients", "generated", name);
  await Promise.all([
    generate(
      "@hey-api/openapi-ts/bin/run.js",
      "-i",
      document,
      "-o",
      generated("hey-api"),
      "--silent",
      "--no-log-file",
    ),
    generate(
      "orval/dist/bin/orval.mjs",
      "--input",
      document,
      "--output",
      generated("orval.ts"),
      "--client",
      "fetch",
    ),
  ]);
  for (const name of readdirSync(USES)) copyFileSync(join(USES, name), join(folder, "clients", name));
  const config = { compilerOptions: COMPILER_OPTIONS, include: ["clients"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  await run(process.execPath, [tool("typescript/bin/tsc"), "-p", "tsconfig.json"], { cwd: folder });
}
