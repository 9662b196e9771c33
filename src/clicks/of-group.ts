import type { Context } from "../context";
import { sortNaturally } from "../lib/natural-order";
import type { Range } from "../lib/range";
import { storedId } from "../lib/ulid-text";
import {
  type GroupAssetRow,
  MAX_LISTED_LINKS,
  type QuietLinkRow,
  selectGroupAssets,
  selectQuietLinks,
  selectVisitedLinks,
} from "./group-repository";
import { selectIsCut } from "./visit-repository";

export interface ListedLink {
  id: string;
  slug: string;
  title: string | null;
  short_url: string;
  channel: string | null;
  clicks: number;
  scans: number;
}

const toListed = (ctx: Context, row: QuietLinkRow & { clicks?: number; scans?: number }): ListedLink => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  short_url: `${ctx.config.shortBaseUrl}/${row.slug}`,
  channel: row.channel,
  clicks: row.clicks ?? 0,
  scans: row.scans ?? 0,
});

/** Whether links without visits are listed too: of a group with up to 1,000 links. */
export const listsQuietLinks = (total: number): boolean => total <= MAX_LISTED_LINKS;

/** A page of a group's links without visits in a range, the newest first. */
export async function listQuietLinks(
  ctx: Context,
  group: string,
  range: Range,
  page: { limit: number; offset: number },
): Promise<ListedLink[]> {
  const [rows] = await ctx.db.read(selectQuietLinks(ctx.workspace.rowId, storedId(group), range, page));
  return rows.map((row) => toListed(ctx, row));
}

/**
 * The links of a group by their visits in a range, as its page lists them: up to 500 visited ones, and up to 1,000 others
 * unless more links are visited than are counted.
 */
export async function exportGroupLinks(ctx: Context, group: string, range: Range): Promise<ListedLink[]> {
  const id = storedId(group);
  const [visited, quiet, [cut]] = await ctx.db.read(
    selectVisitedLinks(ctx.workspace.rowId, id, range),
    selectQuietLinks(ctx.workspace.rowId, id, range, { limit: MAX_LISTED_LINKS, offset: 0 }),
    selectIsCut(ctx.workspace.rowId, { group: id }),
  );
  const others = cut?.is_cut === 1 ? [] : quiet;
  return [...visited, ...others].map((row) => toListed(ctx, row));
}

export type GroupAsset = GroupAssetRow;

/**
 * The assets of a group's links with their scans in a range, the most scanned first, then in natural order of their names.
 * `isMore` if there are more than `limit`.
 */
export async function listGroupAssets(
  ctx: Context,
  group: string,
  range: Range,
  limit: number,
): Promise<{ assets: GroupAsset[]; isMore: boolean }> {
  const [rows] = await ctx.db.read(selectGroupAssets(ctx.workspace.rowId, storedId(group), range));
  const assets = sortNaturally(rows).toSorted((one, other) => other.scans - one.scans);
  return { assets: assets.slice(0, limit), isMore: assets.length > limit };
}
