import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { SURVIVORS } from "./survivors";

// Runs Stryker and writes what came of it into README.md; what follows `npm run test:mutants --` goes to Stryker.

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
const REPORT = new URL("../../.stryker/mutants.json", import.meta.url);
const STRYKER = new URL("../../node_modules/@stryker-mutator/core/bin/stryker.js", import.meta.url);
const MOST_SHOWN = 80;

const startedAt = Date.now();
const stryker = spawnSync(
  process.execPath,
  [STRYKER.pathname, "run", "test/mutants/stryker.config.json", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);

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

const { files }: Report = JSON.parse(readFileSync(REPORT, "utf8"));

const rowOf = (name: string, mutants: readonly Mutant[]): string => {
  const count = (status: string) => mutants.filter((mutant) => mutant.status === status).length;
  const [killed, timeouts, survived, uncovered] = ["Killed", "Timeout", "Survived", "NoCoverage"].map(
    count,
  ) as [number, number, number, number];
  const all = killed + timeouts + survived + uncovered;
  const score = all === 0 ? "–" : ((100 * (killed + timeouts)) / all).toFixed(1);
  return `| ${name} | ${all} | ${killed} | ${timeouts} | ${survived} | ${uncovered} | ${score} % | ${count("Ignored")} |`;
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
  `Made by \`npm run test:mutants\`, in ${minutes} minutes on ${cpus().length} cores of ${cpus()[0]?.model ?? "no name"}.`,
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
process.exitCode = stryker.status === 0 && unexplained.length === 0 ? 0 : 1;
