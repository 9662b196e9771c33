import "../../../src/cli/node-version";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Runs Stryker on one pure module at a time, and prints the survivors and the score.

const ROOT = new URL("../../../", import.meta.url);
/** Tables. No mutant of them has a test in Node. */
const TABLES: ReadonlySet<string> = new Set(["countries.ts", "field-codes.ts", "zod.ts"]);
const PURE: readonly string[] = [
  ...readdirSync(new URL("src/lib", ROOT))
    .filter((file) => file.endsWith(".ts") && !TABLES.has(file))
    .map((file) => `src/lib/${file}`),
  "src/access/api-key.ts",
  "src/resources/qr/render.ts",
];
const STRYKER = fileURLToPath(new URL("node_modules/@stryker-mutator/core/bin/stryker.js", ROOT));
const CONFIG = "test/proofs/mutants/stryker.config.json";
const MIN_SCORE = 90;

interface Mutant {
  status: string;
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number; column: number } };
}

/** Stryker's incremental file: it is also its input, so that unchanged mutants do not run again. */
interface Report {
  files: Record<string, { mutants: Mutant[] }>;
}

/** The mutants of a module. Throws if Stryker fails. */
function mutantsOf(module: string, options: readonly string[]): readonly Mutant[] {
  const file = `.stryker/${module.replaceAll("/", "-")}.json`;
  const { status } = spawnSync(
    process.execPath,
    [STRYKER, "run", CONFIG, "--incremental", "--incrementalFile", file, "--mutate", module, ...options],
    { stdio: "inherit", cwd: fileURLToPath(ROOT) },
  );
  if (status !== 0) throw new Error(`Stryker failed for ${module}`);
  const { files }: Report = JSON.parse(readFileSync(new URL(file, ROOT), "utf8"));
  return files[module]?.mutants ?? [];
}

const given = process.argv.slice(2);
const firstOption = given.findIndex((each) => each.startsWith("-"));
const named = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);

let killed = 0;
let survived = 0;
for (const module of named.length > 0 ? named : PURE) {
  console.log(`--- ${module}`);
  for (const { status, location, replacement, mutatorName } of mutantsOf(module, options)) {
    if (status === "Killed" || status === "Timeout") killed++;
    if (status !== "Survived" && status !== "NoCoverage") continue;
    survived++;
    const { line, column } = location.start;
    console.log(`survived: ${module}:${line}:${column} ${replacement ?? mutatorName}`);
  }
}
const score = (100 * killed) / (killed + survived);
console.log(`${score.toFixed(1)} of 100 killed`);
process.exitCode = score >= MIN_SCORE ? 0 : 1;
