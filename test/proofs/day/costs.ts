import type { Part } from "./simulate";

// What days cost, and what the free plan carries, by Cloudflare's prices of 2026.

const DAYS_A_MONTH = 30;
const CPU_MS_A_VISIT = 0.2;
/** To the first redirect of a new instance. */
const CPU_MS_A_START = 20;
/** D1's maximum, which a service of this size fills. */
const DATABASE_GB = 10;

/** What a second day uses. */
export interface Use {
  visits: number;
  requests: number;
  kvReads: number;
  /** By visits, and by changes and their jobs. */
  kvWrites: number;
  kvWritesOfChanges: number;
  /** For visits and their counts, and for changes. */
  rowsWritten: number;
  rowsWrittenOfChanges: number;
  rowsRead: number;
  lines: number;
  cpuMs: number;
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);

/** The rows that a change of links writes, also by the job. */
const isOfChanges = (table: string): boolean => table === "slugs" || table === "audit_log";

/** The tables of visits' rows, by the visits and the crons. */
export function rowsByTable({ causes: { visit, cron } }: Part): Map<string, number> {
  const tables = new Map<string, number>();
  for (const [table, rows] of [...Object.entries(visit.tables), ...Object.entries(cron.tables)])
    if (!isOfChanges(table) && rows > 0) tables.set(table, (tables.get(table) ?? 0) + rows);
  return tables;
}

export function useOf(part: Part): Use {
  const { visit, change, cron } = part.causes;
  const rowsWritten = sum(rowsByTable(part).values());
  return {
    visits: part.visits,
    requests: part.visits,
    kvReads: part.kvReads,
    kvWrites: part.kvWrites.visit,
    kvWritesOfChanges: part.kvWrites.change + part.kvWrites.cron,
    rowsWritten,
    rowsWrittenOfChanges: visit.written + cron.written + change.written - rowsWritten,
    rowsRead: visit.read + change.read + cron.read,
    lines: part.lines,
    cpuMs: CPU_MS_A_VISIT * part.visits + CPU_MS_A_START * part.born,
  };
}

export interface Limit {
  what: string;
  visits: number;
}

/** How many visits a day each allowance of the free plan carries, the scarcest first. Changes come before visits. */
export function freePlan(use: Use): Limit[] {
  const limits: [what: string, allowed: number, ofVisits: number, ofOthers: number][] = [
    ["KV writes", 1_000, use.kvWrites, use.kvWritesOfChanges],
    ["KV reads", 100_000, use.kvReads, 0],
    ["D1 rows written", 100_000, use.rowsWritten, use.rowsWrittenOfChanges],
    ["D1 rows read", 5_000_000, use.rowsRead, 0],
    ["requests", 100_000, use.requests, 0],
    ["lines of the log", 200_000, use.lines, 0],
  ];
  return limits
    .map(([what, allowed, ofVisits, ofOthers]) => ({
      what,
      visits: Math.floor(((allowed - ofOthers) * use.visits) / ofVisits),
    }))
    .sort((one, other) => one.visits - other.visits);
}

export interface Item {
  what: string;
  millions: number;
  dollars: number;
}

/** What visits a day cost a month on the paid plan, item by item, if each causes what it causes here. */
export function paidPlan(use: Use, visitsADay: number): Item[] {
  const scale = (visitsADay * DAYS_A_MONTH) / use.visits / 1e6;
  const items: [what: string, used: number, includedMillions: number, dollarsAMillion: number][] = [
    ["Requests", use.requests, 10, 0.3],
    ["CPU, ms", use.cpuMs, 30, 0.02],
    ["KV reads", use.kvReads, 10, 0.5],
    ["KV writes", use.kvWrites + use.kvWritesOfChanges, 1, 5],
    ["D1 rows written", use.rowsWritten + use.rowsWrittenOfChanges, 50, 1],
    ["D1 rows read", use.rowsRead, 25_000, 0.001],
    ["Lines of the log", use.lines, 20, 0.6],
  ];
  return [
    { what: "The plan", millions: 0, dollars: 5 },
    ...items.map(([what, used, included, price]) => ({
      what,
      millions: used * scale,
      dollars: Math.max(0, used * scale - included) * price,
    })),
    { what: "A full database of 10 GB", millions: 0, dollars: (DATABASE_GB - 5) * 0.75 },
  ];
}

export const dollarsOf = (items: readonly Item[]): number => sum(items.map(({ dollars }) => dollars));
