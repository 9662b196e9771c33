import type { Context } from "../context";
import type { Range } from "../lib/range";
import { type Owners, ownersByIds } from "./owners";
import {
  countedAssets,
  selectCountsByKey,
  selectIsTooMany,
  selectTotalsOfLinks,
  selectVisitsOfTags,
} from "./report-repository";
import { rowsBy, toPoints, visitsOf } from "./time-series";

// The visits of many owners at once, for lists. Each number is that of the owner's own page.

type Listed = "group" | "asset";

/** The clicks and scans of Activity Groups, or of assets, in a range by id. One that is missing has none. One call of D1. */
export async function sumVisits(ctx: Context, kind: Listed, ids: readonly string[], range: Range) {
  if (ids.length === 0) return new Map<string, number>();
  return sumVisitsOf(ctx, kind, ownersByIds(kind, ctx.workspace.rowId, ids), range);
}

/** The scans of up to 500 assets of a group's links. */
export const sumScansOfGroup = (ctx: Context, group: string, range: Range) =>
  sumVisitsOf(ctx, "asset", countedAssets(ctx.workspace.rowId, group), range);

async function sumVisitsOf(ctx: Context, kind: Listed, owners: Owners, range: Range) {
  const [rows] = await ctx.db.read(selectCountsByKey<string>(kind, owners, range, "range"));
  return new Map(rows.map((row) => [row.key, visitsOf(row)]));
}

/**
 * The clicks and scans of all tags in a range by id. A tag that is missing has none; null if too many links of the
 * workspace were visited since the range began. One call of D1.
 */
export async function sumVisitsOfTags(ctx: Context, range: Range) {
  const workspaceId = ctx.workspace.rowId;
  const [[cut], rows] = await ctx.db.read(
    selectIsTooMany(workspaceId, undefined, range.from),
    selectVisitsOfTags(workspaceId, range),
  );
  return cut?.is_too_many === 1 ? null : new Map(rows.map(({ id, visits }) => [id, visits]));
}

/** All clicks and scans of links so far, by id. One call of D1. */
export async function listTotalsOfLinks(ctx: Context, ids: readonly string[]) {
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectTotalsOfLinks(ctx.workspace.rowId, ids),
  );
  return new Map(rows.map(({ id, ...totals }) => [id, totals]));
}

/** The clicks and scans of links by the hours, days or weeks of a range. One call of D1. */
export async function listVisitsOfLinks(ctx: Context, ids: readonly string[], range: Range) {
  const owners = ownersByIds("link", ctx.workspace.rowId, ids);
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectCountsByKey<string>("link", owners, range, rowsBy(range)),
  );
  const byLink = Map.groupBy(rows, ({ key }) => key);
  return new Map(ids.map((id) => [id, toPoints(range, byLink.get(id) ?? [])] as const));
}
