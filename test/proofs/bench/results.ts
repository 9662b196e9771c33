import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, totalmem } from "node:os";
import type { StartName } from "./starts";
import { OPERATIONS, operationAt, SIZES, type Variant } from "./variants";

/** The measurements of one variant in one round. */
export interface Measured {
  /** CPU of workerd per request, in microseconds. */
  cpu: number;
  /** Requests a second. */
  rate: number;
}

export interface Run {
  variants: readonly Variant[];
  rounds: ReadonlyMap<string, Measured>[];
  /** CPU from the start of the process to the first answer, in milliseconds. */
  starts: Readonly<Record<StartName, number>>[];
  /** Of the modules that a new instance loads before its first redirect. */
  firstBytes: number;
  bundle: { bytes: number; gzip: number };
  seconds: number;
  loads: number[];
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

const versionOf = (name: string): string =>
  JSON.parse(
    readFileSync(createRequire(import.meta.resolve("miniflare")).resolve(`${name}/package.json`), "utf8"),
  ).version;

/** A goal, its limit, what was measured, and whether that keeps the limit. */
function checked(goal: string, limit: number, value: number, { unit = "", digits = 2 } = {}): string[] {
  const missed = `${(value - limit).toFixed(digits)}${unit}`;
  const measured = `${value.toFixed(digits)}${unit}`;
  return [goal, `≤ ${limit}${unit}`, measured, value <= limit ? "met" : `missed by ${missed}`];
}

/** The median over all rounds of `name` divided by `against` in the same round. */
function ratio({ rounds }: Run, name: string, against: string, of: keyof Measured): number {
  return median(
    rounds.map((round) => (round.get(name)?.[of] ?? Number.NaN) / (round.get(against)?.[of] ?? Number.NaN)),
  );
}

function goals(run: Run): string[][] {
  const ofVariants = run.variants.flatMap(({ name, goals }) =>
    goals.map(({ against, cpu }) =>
      checked(`${name}: CPU per request, of \`${against}\``, cpu, ratio(run, name, against, "cpu")),
    ),
  );
  const start = median(run.starts.map(({ "first redirect": first, floor }) => first - floor));
  return [
    ...ofVariants,
    checked("Start: CPU to the first redirect above `floor`", 15, start, { unit: " ms", digits: 1 }),
    checked("Start: bytes that a first redirect loads", 60_000, run.firstBytes, { digits: 0 }),
    checked("Bundle, gzip", 400, run.bundle.gzip / 1024, { unit: " KiB", digits: 0 }),
  ];
}

/** Renders the whole run as a Markdown page. */
export function report(run: Run): string {
  const { variants, rounds } = run;
  const each = (name: string, of: keyof Measured) =>
    rounds.map((round) => round.get(name)?.[of] ?? Number.NaN);
  const startNames = Object.keys(run.starts[0] ?? {}) as StartName[];
  const [cpu] = cpus();

  return `# Benchmark

For contributors who change what a visit or a request costs.

Written by \`npm run bench\`. Ratios compare variants of this one run; absolute numbers belong to the machine, and the
local KV and D1 are simulators, whose cost says nothing of production.

## Goals

${table(["Goal", "Limit", "Measured", ""], goals(run))}

## Variants

Medians of ${rounds.length} rounds of ${run.seconds} s; the ratios are medians of the rounds' own ratios.

${table(
  [
    "Variant",
    "CPU per request",
    "Requests a second",
    "CPU, of `floor`",
    "CPU, of `kv`",
    "Requests, of `floor`",
  ],
  variants.map(({ name }) => [
    name,
    `${median(each(name, "cpu")).toFixed(1)} µs`,
    median(each(name, "rate")).toFixed(0),
    ratio(run, name, "floor", "cpu").toFixed(2),
    ratio(run, name, "kv", "cpu").toFixed(2),
    ratio(run, name, "floor", "rate").toFixed(2),
  ]),
)}

What the API costs, in CPU per request as a ratio to \`query\`, a bare Worker that sends \`SELECT 1\` to D1; a workspace of
so many links is one of twenty:

${table(
  ["Operation", ...SIZES.map((links) => `${links.toLocaleString("en-GB")} links`)],
  OPERATIONS.map(([operation]) => [
    operation,
    ...SIZES.map((links) => ratio(run, operationAt(operation, links), "query", "cpu").toFixed(2)),
  ]),
)}

Start: CPU of workerd from its start to its first answer, in milliseconds, or to the end of what runs behind that answer.
KV, D1 and files are outside of workerd. \`floor\` and \`kv\` have the same bindings.

${table(
  ["Start", "Median", "Above `floor`", "Each"],
  startNames.map((name) => [
    name,
    median(run.starts.map((start) => start[name])).toFixed(1),
    median(run.starts.map((start) => start[name] - start.floor)).toFixed(1),
    run.starts.map((start) => start[name].toFixed(1)).join(", "),
  ]),
)}

A first redirect loads ${run.firstBytes.toLocaleString("en-GB")} bytes of the modules. All of them: ${(run.bundle.bytes / 1024).toFixed(0)} KiB, ${(run.bundle.gzip / 1024).toFixed(0)} KiB gzip.

## Machine

${cpus().length} cores of ${cpu?.model.trim() ?? "unknown model"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; Node ${process.version},
workerd ${versionOf("workerd")}, Miniflare ${versionOf("miniflare")}, wrk. Load average of the last minute, before each
round and at the end: ${run.loads.map((load) => load.toFixed(1)).join(", ")} (the benchmark itself makes up to 2).

## Method

- Every variant runs in a process of its own, but those of the API, which share one for each size: Miniflare starts one workerd, which is asked on its direct socket, without
  Miniflare's router and without \`wrangler dev\`. Ours is the bundle that \`wrangler deploy --dry-run\` writes.
- \`floor\` answers 302 and nothing else, \`headers\` also sends and reads the headers of a redirect, \`page\` 404 with a page as long as ours, \`kv\` does one
  \`KV.get\` and answers 302 (\`workers/\`).
- The rounds take all variants in turn, every other one backwards. \`wrk\` sends over 32 connections from one thread, with
  a browser's user agent, referrer and \`Accept\`. CPU is the user and system time of the workerd process divided by the
  requests answered: background work, simulators and clean-up are in it. Every workerd has a young generation of one
  semi-space of 1 MiB, so that collections of garbage come evenly. No rate limits are bound: each is a Durable Object here, which
  writes to a database of its own, and costs more than \`query\` has to do.
- \`hot\` visits one slug, which memory has, on the short host or on a domain of a workspace; in \`hot\` no clicks are recorded; in \`hot, clicks recorded\` a pack is
  written every second instead of every five, so that a saturated instance counts every visit.
- \`warm\` and \`kv\` rotate over 2,000 slugs: an instance remembers 1,000, so each visit reads KV. \`cold\` visits each slug
  once: it misses in KV, reads D1 and writes to KV behind the answer.
- \`page 500 by next\` shows one link and goes by the place behind the 499 links before it. \`q, rare\` finds one link of a
  hundred thousand, \`q, common\` a third of all, with the
  exact total, over one connection.
- Start: workerd is started anew with the slug in KV; CPU is read from its threads. A visit is written after a second.
`;
}

export const oneMinuteLoad = (): number => loadavg()[0] ?? Number.NaN;
