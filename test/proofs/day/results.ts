import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dollarsOf, freePlan, paidPlan, rowsByTable, type Use, useOf } from "./costs";
import { LARGE, SCENARIOS, USUAL_NAME } from "./scenarios";
import type { Part, Result } from "./simulate";

// The table of the days, on the screen and in RESULTS.md.

const RESULTS = fileURLToPath(new URL("RESULTS.md", import.meta.url));
/** The figures of the protocol that gave each value in KV a lease of five minutes. */
const LEASES = fileURLToPath(new URL("leases.json", import.meta.url));

const number = (value: number, digits = 0): string =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const percent = (part: number, whole: number): string => `${number((100 * part) / whole, 1)} %`;

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");

const HEAD = [
  "Day",
  "visits",
  "wait for D1",
  "KV reads a visit",
  "KV writes a visit",
  "KV writes of changes",
  "rows written a visit",
  "rows read a visit",
  "calls of D1 a visit",
  "503",
  "old, to 2 min",
  "old, later",
];

function dayRow(name: string, part: Part): string[] {
  const use = useOf(part);
  const { visit, change, cron } = part.causes;
  return [
    name,
    number(part.visits),
    percent(part.waited, part.visits),
    number(part.kvReads / part.visits, 2),
    number(use.kvWrites / part.visits, 3),
    number(use.kvWritesOfChanges),
    number(use.rowsWritten / part.visits, 1),
    number(use.rowsRead / part.visits, 1),
    number((visit.calls + change.calls + cron.calls) / part.visits, 2),
    number(part.failed),
    number(part.outdated),
    number(part.late),
  ];
}

/** With the rows of what is added up in the hour after it. */
function useOfLarge({ parts }: Result): Use {
  const [, busy, quiet] = parts.map(useOf) as [Use, Use, Use];
  const inAll = (name: keyof Use) => busy[name] + quiet[name];
  return {
    ...busy,
    rowsWritten: inAll("rowsWritten"),
    rowsWrittenOfChanges: inAll("rowsWrittenOfChanges"),
    rowsRead: inAll("rowsRead"),
  };
}

/** The part of the rows written that is the queue's: so many a visit, however many links there are. */
function queueOfLarge({ parts }: Result): number {
  const tables = parts.slice(1).map(rowsByTable);
  const queue = tables.reduce((sum, rows) => sum + (rows.get("visit_queue") ?? 0), 0);
  return queue / tables.reduce((sum, rows) => sum + [...rows.values()].reduce((all, one) => all + one, 0), 0);
}

export interface Figures {
  [name: string]: string;
}

function figuresOf(results: ReadonlyMap<string, Result>): Figures {
  const figures: Figures = {};
  const usual = results.get(USUAL_NAME);
  if (usual !== undefined) {
    const [first, second] = usual.parts as [Part, Part];
    const uses = [useOf(first), useOf(second)] as const;
    const scarcest = freePlan(uses[1])[0];
    figures["visits that wait for D1, first and second day"] = [first, second]
      .map(({ waited, visits }) => percent(waited, visits))
      .join(", ");
    figures["writes to KV, changes apart, a visit"] = uses
      .map(({ kvWrites, visits }) => number(kvWrites / visits, 3))
      .join(", ");
    figures["rows of D1 written, a visit"] = uses
      .map(({ rowsWritten, visits }) => number(rowsWritten / visits, 1))
      .join(", ");
    figures["visits a day that the free plan carries, from the second day"] =
      `${number(scarcest?.visits ?? 0)} (${scarcest?.what})`;
  }
  for (const { name, visits } of LARGE) {
    const result = results.get(name);
    if (result === undefined) continue;
    const items = paidPlan(useOfLarge(result), visits);
    figures[`${name}, $ a month`] = number(dollarsOf(items));
  }
  return figures;
}

export function writeResults(all: readonly Result[], isWhole: boolean, seconds: number): void {
  const results = new Map(all.map((result) => [result.scenario.name, result]));
  const figures = figuresOf(results);
  const before: Figures = existsSync(LEASES) ? JSON.parse(readFileSync(LEASES, "utf8")) : {};
  const days = SCENARIOS.flatMap(({ name }) =>
    (results.get(name)?.parts.slice(0, 2) ?? []).map((part, day) => dayRow(`${name}, day ${day + 1}`, part)),
  );
  const large = LARGE.flatMap(({ name, minutes }) => {
    const part = results.get(name)?.parts[1];
    return part === undefined ? [] : [dayRow(`${name}, ${number(minutes ?? 0, 1)} minutes`, part)];
  });
  const usual = results.get(USUAL_NAME)?.parts[1];
  const text = [
    "# A simulated day",
    "For people who ask what visits cost, and how many wait for D1. `npm run bench:day` makes this page.",
    `The real Worker in workerd, with SQLite as D1 runs it, a model of KV in 20 places (\`test/places.ts\`), and a clock of its
own: each place has up to five instances, which die after five minutes without a visit; a write of KV is seen elsewhere after
10 to 60 seconds, and what a place has read it shows for 30. Visits come by Zipf's law, more by day than by night. Half of the
links are in a group, every tenth is visited by the code of an asset, and 40 links are changed a day. Trouble comes at noon of the
second day.`,
    "## What counts",
    table(
      [
        "5,000 visits a day to 1,000 links",
        ...(Object.keys(before).length > 0 ? ["with leases"] : []),
        "now",
      ],
      Object.entries(figures).map(([name, value]) => [
        name,
        ...(Object.keys(before).length > 0 ? [before[name] ?? ""] : []),
        value,
      ]),
    ),
    "## Days",
    table(HEAD, [...days, ...large]),
    '"Wait for D1": the answer took longer than KV takes. "Old": led to a destination from before a change that was confirmed, up to two minutes before the visit or earlier.',
    ...(usual === undefined
      ? []
      : [
          "## Rows of a visit, by table",
          table(
            ["Table", "rows a visit, second day"],
            [...rowsByTable(usual)]
              .sort(([, one], [, other]) => other - one)
              .map(([name, rows]) => [`\`${name}\``, number(rows / usual.visits, 2)]),
          ),
          "## What the free plan carries",
          table(
            ["Allowance", "visits a day"],
            freePlan(useOf(usual)).map(({ what, visits }) => [what, number(visits)]),
          ),
        ]),
    ...LARGE.flatMap(({ name, visits }) => {
      const result = results.get(name);
      if (result === undefined) return [];
      const items = paidPlan(useOfLarge(result), visits);
      return [
        `## ${name}`,
        table(
          ["Item", "millions a month", "$ a month"],
          [
            ...items.map(({ what, millions, dollars }) => [
              what,
              millions === 0 ? "" : number(millions, 1),
              number(dollars, 2),
            ]),
            ["In all", "", number(dollarsOf(items))],
          ],
        ),
        `Of the rows written, ${percent(queueOfLarge(result), 1)} are of the queue. The others are counts of links and of their owners, which are
written once for all visits that are added up together.`,
      ];
    }),
  ].join("\n\n");
  process.stdout.write(`${text}\n\nIt took ${number(seconds)} s.\n`);
  if (isWhole) writeFileSync(RESULTS, `${text}\n`);
  if (process.env["LEASES"]) writeFileSync(LEASES, `${JSON.stringify(figures, null, 2)}\n`);
}
