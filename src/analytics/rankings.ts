import type { Context } from "../context";
import type { Range } from "../lib/range";
import { shortUrlOf } from "../lib/short-url";
import { type CountsRow, selectMostVisited } from "./report-repository";
import { visitsOf } from "./time-series";

/** By visits, then by id. Without those that have none. */
export const sortByVisits = <Row extends CountsRow & { key: string }>(rows: readonly Row[]): Row[] =>
  rows
    .filter((row) => visitsOf(row) > 0)
    .toSorted((one, other) => visitsOf(other) - visitsOf(one) || (one.key < other.key ? -1 : 1));

async function findTop(ctx: Context, kind: "link" | "group", range: Range, limit: number) {
  const [rows] = await ctx.db.read(selectMostVisited(ctx.workspace.rowId, kind, range));
  return sortByVisits(rows).slice(0, limit);
}

/**
 * The links with the most clicks and scans in a range. Each number is that of the link's own page. With very many links, one
 * that was never among the most visited of a day is not found. One call of D1.
 */
export async function listTopLinks(ctx: Context, range: Range, limit: number) {
  const top = await findTop(ctx, "link", range, limit);
  return top.map(({ key, name, title, domain, clicks, scans }) => ({
    ...{ id: key, slug: name, title, short_url: shortUrlOf(ctx.config, domain, name) },
    ...{ clicks, scans },
  }));
}

export async function listTopGroups(ctx: Context, range: Range, limit: number) {
  const top = await findTop(ctx, "group", range, limit);
  return top.map((row) => ({ id: row.key, name: row.name, visits: visitsOf(row) }));
}
