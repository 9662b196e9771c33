import type { Context } from "../context";
import type { Range } from "../lib/range";
import { selectGroupNames, selectLinkNames } from "./names-repository";
import { type CountsRow, mostVisited, selectCountsByKey } from "./report-repository";
import { visitsOf } from "./time-series";

type Ranked = CountsRow & { key: string };

/** By visits, then by id. Without those that have none. */
export const sortByVisits = (rows: readonly Ranked[]): Ranked[] =>
  rows
    .filter((row) => visitsOf(row) > 0)
    .toSorted((one, other) => visitsOf(other) - visitsOf(one) || (one.key < other.key ? -1 : 1));

async function findTop(ctx: Context, kind: "link" | "group", range: Range, limit: number): Promise<Ranked[]> {
  const candidates = mostVisited(ctx.workspace.rowId, kind, range);
  const [rows] = await ctx.db.read(selectCountsByKey<string>(kind, candidates, range, "range"));
  return sortByVisits(rows).slice(0, limit);
}

/**
 * The links with the most clicks and scans in a range. Each number is that of the link's own page. With very many links, one
 * that was never among the most visited of a day is not found. Two calls of D1.
 */
export async function listTopLinks(ctx: Context, range: Range, limit: number) {
  const top = await findTop(ctx, "link", range, limit);
  const ids = top.map(({ key }) => key);
  const [names] = await ctx.db.read(ids.length === 0 ? undefined : selectLinkNames(ctx.workspace.rowId, ids));
  const nameOf = new Map(names.map((name) => [name.id, name]));
  return top.flatMap(({ key, clicks, scans }) => {
    const name = nameOf.get(key);
    return name === undefined ? [] : [{ id: key, slug: name.slug, title: name.title, clicks, scans }];
  });
}

/** The Activity Groups with the most clicks and scans in a range, found and counted in the same way. */
export async function listTopGroups(ctx: Context, range: Range, limit: number) {
  const top = await findTop(ctx, "group", range, limit);
  const ids = top.map(({ key }) => key);
  const [names] = await ctx.db.read(
    ids.length === 0 ? undefined : selectGroupNames(ctx.workspace.rowId, ids),
  );
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return top.map((row) => ({ id: row.key, name: nameOf.get(row.key) ?? "", visits: visitsOf(row) }));
}
