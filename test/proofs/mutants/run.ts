import "../../../src/cli/node-version";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SURVIVORS } from "./survivors";

// Runs Stryker on one module at a time and stores each result in results.jsonl.

const ROOT = new URL("../../../", import.meta.url);
/** Tables. No mutant of them has a test in Node. */
const TABLES: ReadonlySet<string> = new Set(["countries.ts", "field-codes.ts", "zod.ts"]);
const MODULES: readonly string[] = [
  ...readdirSync(new URL("src/lib", ROOT))
    .filter((file) => file.endsWith(".ts") && !TABLES.has(file))
    .map((file) => `src/lib/${file}`),
  "src/analytics/count.ts",
  "src/resources/destinations/hosts.ts",
  "src/resources/engagement/asset-status.ts",
  "src/resources/imports/slug-refusal.ts",
  "src/http/idempotency/idempotency.ts",
  "src/resources/links/list/list-filter.ts",
  "src/resources/links/list/list-plan.ts",
  "src/resources/links/list/position.ts",
  "src/resources/links/requested-tags.ts",
  "src/resources/links/link-rules.ts",
  "src/resources/links/write/next-state.ts",
  "src/resources/links/write/link-state.ts",
  "src/resources/links/write/link-totals.ts",
  "src/resources/qr/render.ts",
  "src/redirect/slugs/cache.ts",
  "src/redirect/slugs/doubts.ts",
  "src/redirect/slugs/lookup.ts",
  "src/redirect/slugs/slug-rules.ts",
  "src/redirect/slugs/slug-memory.ts",
  "src/redirect/slugs/sync.ts",
  "src/access/api-key.ts",
  "src/access/authenticate.ts",
].toSorted();

interface Place {
  line: number;
  column: number;
}

interface Mutant {
  status: string;
  mutatorName: string;
  replacement?: string;
  location: { start: Place; end: Place };
}

/** Stryker's incremental file: it is also its input, so that unchanged mutants do not run again. */
interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

/** The result of one module. */
interface Result {
  module: string;
  /** A hash of the measured code. */
  source: string;
  killed: number;
  timeouts: number;
  survived: number;
  uncovered: number;
  ignored: number;
  /** The original code and the mutated code. */
  survivors: [string, string][];
}

const RESULTS = new URL("results.jsonl", import.meta.url);
const STRYKER = fileURLToPath(new URL("node_modules/@stryker-mutator/core/bin/stryker.js", ROOT));
const MAX_SHOWN_CHARACTERS = 80;
const MIN_SCORE = 90;

const textOf = (module: string): string => readFileSync(new URL(module, ROOT), "utf8");
/** The code without comments and line breaks, which have no mutants. */
const codeOf = (text: string): string =>
  text.replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").replaceAll(/\s+/g, " ");
const hash = (text: string): string => createHash("sha256").update(codeOf(text)).digest("hex").slice(0, 12);

const oneLine = (code: string) => {
  const text = code.replace(/\s+/g, " ").trim();
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
};

/** The code that a mutant replaces. */
function original(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? "";
  lines[0] = lines[0]?.slice(start.column - 1) ?? "";
  return oneLine(lines.join("\n"));
}

/** Runs Stryker on one module. Undefined if Stryker fails. */
function measure(module: string, options: readonly string[]): Result | undefined {
  const file = `.stryker/${module.replaceAll("/", "-")}.json`;
  const config = "test/proofs/mutants/stryker.config.json";
  const { status } = spawnSync(
    process.execPath,
    [STRYKER, "run", config, "--incremental", "--incrementalFile", file, "--mutate", module, ...options],
    { stdio: "inherit", cwd: fileURLToPath(ROOT) },
  );
  if (status !== 0) return undefined;
  const { files }: Report = JSON.parse(readFileSync(new URL(file, ROOT), "utf8"));
  const { source, mutants } = files[module] ?? { source: textOf(module), mutants: [] };
  const count = (wanted: string) => mutants.filter((mutant) => mutant.status === wanted).length;
  return {
    module,
    source: hash(source),
    killed: count("Killed"),
    timeouts: count("Timeout"),
    survived: count("Survived"),
    uncovered: count("NoCoverage"),
    ignored: count("Ignored"),
    survivors: mutants
      .filter((mutant) => mutant.status === "Survived" || mutant.status === "NoCoverage")
      .map(({ location, replacement, mutatorName }) => [
        original(source, location),
        oneLine(replacement ?? mutatorName),
      ]),
  };
}

const lines = existsSync(RESULTS) ? readFileSync(RESULTS, "utf8").trim().split("\n") : [];
const results = new Map(
  lines.map((line) => JSON.parse(line) as Result).map((result) => [result.module, result]),
);
const isMeasured = (module: string): boolean => results.get(module)?.source === hash(textOf(module));

const given = process.argv.slice(2);
const firstOption = given.findIndex((each) => each.startsWith("-"));
const named = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = named.filter((module) => !MODULES.includes(module));
if (unknown.length > 0)
  throw new Error(`not in the list of modules in test/proofs/mutants/run.ts: ${unknown.join(", ")}`);

const broken: string[] = [];
for (const module of named.length > 0 ? named : MODULES.filter((each) => !isMeasured(each))) {
  console.log(`--- ${module}`);
  const result = measure(module, options);
  if (result === undefined) broken.push(module);
  else results.set(module, result);
  const kept = MODULES.flatMap((each) => results.get(each) ?? []);
  writeFileSync(RESULTS, kept.map((each) => `${JSON.stringify(each)}\n`).join(""));
}

const measured = MODULES.filter(isMeasured).flatMap((module) => results.get(module) ?? []);
const unmeasured = MODULES.filter((module) => !isMeasured(module));
const sum = (of: (result: Result) => number): number =>
  measured.reduce((total, result) => total + of(result), 0);
const killed = sum((result) => result.killed + result.timeouts);
const score = (100 * killed) / (killed + sum((result) => result.survived + result.uncovered));

const explained = new Set(SURVIVORS.flatMap(({ mutants }) => mutants));
const unexplained = measured
  .flatMap(({ module, survivors }) => survivors.map(([was, is]) => `${module}: ${was} → ${is}`))
  .filter((id) => !explained.has(id));

for (const id of unexplained)
  console.error(`survived without a reason in test/proofs/mutants/survivors.ts: ${id}`);
for (const module of broken) console.error(`Stryker failed for ${module}`);
for (const module of unmeasured) console.error(`changed since its result: ${module}`);
console.log(`${score.toFixed(1)} of 100 killed in ${measured.length} modules`);
process.exitCode = score >= MIN_SCORE && [...unexplained, ...broken, ...unmeasured].length === 0 ? 0 : 1;
