import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { SURVIVORS } from "./survivors";

// Runs Stryker on one module after the other, keeps what came of each, and writes what came of all into README.md.

const ROOT = new URL("../../", import.meta.url);
const MODULES: readonly string[] = [
  ...readdirSync(new URL("src/lib", ROOT)).map((file) => `src/lib/${file}`),
  "src/clicks/count.ts",
  "src/hosts/resolver.ts",
  "src/idempotency/service.ts",
  "src/links/rules.ts",
  "src/links/totals.ts",
  "src/qr/render.ts",
  "src/redirect/target.ts",
  "src/slugs/cache.ts",
  "src/slugs/claim.ts",
  "src/slugs/isolate.ts",
  "src/slugs/sync.ts",
  "src/workspaces/api-key.ts",
  "src/workspaces/keys.ts",
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

interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

const README = new URL("README.md", import.meta.url);
const STRYKER = fileURLToPath(new URL("node_modules/@stryker-mutator/core/bin/stryker.js", ROOT));
const MOST_SHOWN = 80;
const LEAST_SCORE = 90;

const DEAD = ["Killed", "Timeout"];
const COUNTED = [...DEAD, "Survived", "NoCoverage"];

const resultOf = (module: string): string => `.stryker/results/${module.replaceAll("/", "-")}.json`;

/** The modules named, or all; what begins with a hyphen, and what follows it, goes to Stryker. */
const given = process.argv.slice(2);
const firstOption = given.findIndex((each) => each.startsWith("-"));
const named = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = named.filter((module) => !MODULES.includes(module));
if (unknown.length > 0)
  throw new Error(`not among the modules of test/mutants/run.ts: ${unknown.join(", ")}`);

const broken: string[] = [];
for (const module of named.length === 0 ? MODULES : named) {
  console.log(`--- ${module}`);
  const { status } = spawnSync(
    process.execPath,
    [
      STRYKER,
      "run",
      "test/mutants/stryker.config.json",
      "--incremental",
      ...["--incrementalFile", resultOf(module), "--mutate", module],
      ...options,
    ],
    { stdio: "inherit", cwd: fileURLToPath(ROOT) },
  );
  if (status !== 0) broken.push(module);
}

const oneLine = (code: string) => {
  const text = code.replace(/\s+/g, " ").trim();
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

/** The code that a mutant replaces. */
function original(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? "";
  lines[0] = lines[0]?.slice(start.column - 1) ?? "";
  return oneLine(lines.join("\n"));
}

const code = (text: string) =>
  (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``).replaceAll("|", "\\|");

const files: Report["files"] = {};
const unmeasured: string[] = [];
for (const module of MODULES) {
  const result = new URL(resultOf(module), ROOT);
  if (!existsSync(result)) unmeasured.push(module);
  else Object.assign(files, (JSON.parse(readFileSync(result, "utf8")) as Report).files);
}

const scoreOf = (mutants: readonly Mutant[]): number => {
  const counted = mutants.filter(({ status }) => COUNTED.includes(status));
  return (100 * counted.filter(({ status }) => DEAD.includes(status)).length) / counted.length;
};

const rowOf = (name: string, mutants: readonly Mutant[]): string => {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const all = count(...COUNTED);
  const score = all === 0 ? "–" : `${scoreOf(mutants).toFixed(1)} %`;
  const counts = [all, ...COUNTED.map((status) => count(status)), score, count("Ignored")];
  return `| ${name} | ${counts.join(" | ")} |`;
};

const names = Object.keys(files).toSorted();
const mutantsOf = (name: string) => files[name]?.mutants ?? [];
const table = [
  "| file | mutants | killed | timed out | survived | not covered | score | left alone |",
  "|---|--:|--:|--:|--:|--:|--:|--:|",
  ...names.flatMap((name) => (mutantsOf(name).length === 0 ? [] : [rowOf(`\`${name}\``, mutantsOf(name))])),
  rowOf("**all**", names.flatMap(mutantsOf)),
];

const listed = new Map<string, string[]>();
const unexplained: string[] = [];
for (const name of names) {
  for (const mutant of mutantsOf(name)) {
    if (mutant.status !== "Survived" && mutant.status !== "NoCoverage") continue;
    const was = original(files[name]?.source ?? "", mutant.location);
    const is = oneLine(mutant.replacement ?? mutant.mutatorName);
    const id = `${name}: ${was} → ${is}`;
    const why = SURVIVORS.find(({ mutants }) => mutants.includes(id))?.why;
    if (why === undefined) unexplained.push(id);
    const line = `- \`${name}:${mutant.location.start.line}\` ${code(was)} → ${code(is)}`;
    const group = why ?? "Nobody has said why.";
    listed.set(group, [...(listed.get(group) ?? []), line]);
  }
}

const survivors = [...listed].flatMap(([why, lines]) => ["", `**${why}**`, "", ...lines]);
const result = [
  "## Result",
  "",
  `Made by \`npm run test:mutants\`, on ${cpus().length} cores of ${cpus()[0]?.model ?? "no name"}.`,
  ...(unmeasured.length === 0 ? [] : ["", `Not yet measured: ${unmeasured.map(code).join(", ")}.`]),
  "",
  ...table,
  "",
  "## Survivors",
  ...survivors,
  "",
];
const text = readFileSync(README, "utf8").replace(/## Result\n[\s\S]*$/, "");
writeFileSync(README, text + result.join("\n"));

for (const id of unexplained)
  console.error(`survived, and test/mutants/survivors.ts does not say why: ${id}`);
for (const module of broken) console.error(`Stryker could not finish ${module}`);
const score = scoreOf(names.flatMap(mutantsOf));
console.log(`${score.toFixed(1)} of 100 killed`);
process.exitCode = score >= LEAST_SCORE && [...unexplained, ...broken, ...unmeasured].length === 0 ? 0 : 1;
