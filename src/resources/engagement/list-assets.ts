import { MAX_RANKED_ASSETS } from "../../analytics/report-limits";
import { sumScansOfGroup, sumVisits } from "../../analytics/visits-by-owner";
import type { Context, WorkspaceContext } from "../../context";
import { sortNaturally } from "../../lib/natural-order";
import { pageOf } from "../../lib/paging";
import { type Range, toRange } from "../../lib/range";
import { fold, toWords, unaccented } from "../../lib/slug-text";
import { DAY_MS } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { selectNamedKey } from "../../redirect/slugs/statements/slug-owners";
import { type Asset, toAsset } from "./asset";
import {
  selectAssetByCode,
  selectAssetsByIds,
  selectSummaries,
  selectSummariesOfGroup,
  selectSummariesOfLink,
} from "./asset-repository";
import type { ListAssets } from "./asset-schema";
import {
  type AssetSummary,
  selectAssetsAfterEnd,
  selectAssetsOfEnded,
  selectUnscannedAssets,
} from "./asset-statements";
import type { AssetStatus } from "./asset-status";
import { toLinkReference } from "./link-reference";

const ASSETS_PER_PAGE = 50;
/** More assets are neither searched nor sorted by name. */
export const MAX_SORTED_ASSETS = 2_000;
/** More assets are found by their link or a search, but not listed. */
export const MAX_LISTED_ASSETS = 10_000;
export const SCANS_OF_DAYS = "30";
/** After so many days without a scan a live asset counts as unscanned. */
export const UNSCANNED_DAYS = 14;

export type AssetCounts = Readonly<Partial<Record<AssetStatus, number>>>;

/** By name, or by place and then name, those without a place last. They are read the newest, or last scanned, first. */
function sorted(summaries: readonly AssetSummary[], sort: ListAssets["sort"]): AssetSummary[] {
  if (sort === "newest") return [...summaries];
  const named = sortNaturally(summaries);
  if (sort !== "place") return named;
  const placed = named.flatMap((asset) => (asset.place === null ? [] : [{ name: fold(asset.place), asset }]));
  return [...sortNaturally(placed).map(({ asset }) => asset), ...named.filter(({ place }) => place === null)];
}

function isFound({ name, place }: AssetSummary, filter: Pick<ListAssets, "q" | "place">): boolean {
  if (filter.place !== undefined && fold(place ?? "") !== fold(filter.place)) return false;
  if (filter.q === undefined) return true;
  const text = unaccented(` ${name} ${place ?? ""}`);
  const words = toWords(filter.q).map(unaccented);
  // "Poster 3" is not "Poster 13".
  return text.includes(words.join(" ")) || words.every((word) => text.includes(` ${word}`));
}

function countByStatus(summaries: readonly AssetSummary[]): AssetCounts {
  const counts: Partial<Record<AssetStatus, number>> = {};
  for (const { status } of summaries) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function placesOf(summaries: readonly AssetSummary[]): string[] {
  const places = new Map(summaries.flatMap(({ place }) => (place === null ? [] : [[fold(place), place]])));
  return sortNaturally(Array.from(places.values(), (name) => ({ name }))).map(({ name }) => name);
}

const isNarrowed = ({ group, q, place, unscanned, ended, after_end: afterEnd, sort }: ListAssets): boolean =>
  [group, q, place, unscanned, ended, afterEnd, sort].some((value) => value !== undefined);

/** The first assets that a text finds: the one with this code, or its address, and those with all words in name and place. */
export async function findAssets(ctx: Context, text: string, limit: number) {
  const workspaceId = ctx.workspace.rowId;
  const key = selectNamedKey(ctx.config, workspaceId, toLinkReference(text, ctx.config));
  const [coded, read] = await ctx.db.read(
    selectAssetByCode(workspaceId, key),
    selectSummaries(workspaceId, MAX_SORTED_ASSETS),
  );
  const ofCode = coded.map((row) => ({ id: row.public_id, name: row.name, place: row.place }));
  const named = read.filter((one) => isFound(one, { q: text }) && one.id !== ofCode[0]?.id);
  return [...ofCode, ...sortNaturally(named)].slice(0, limit);
}

function selectFound(
  { workspace: { rowId: workspaceId }, config, now }: Context,
  { group, unscanned, ended, after_end: afterEnd }: ListAssets,
  link: string | undefined,
  most: number,
) {
  if (link !== undefined) {
    const key = selectNamedKey(config, workspaceId, link);
    return selectSummariesOfLink(workspaceId, storedId(link), key, most);
  }
  if (group !== undefined) return selectSummariesOfGroup(workspaceId, storedId(group), most);
  if (unscanned === "1") return selectUnscannedAssets(workspaceId, now() - UNSCANNED_DAYS * DAY_MS, most);
  if (ended === "1") return selectAssetsOfEnded(workspaceId, now(), most);
  if (afterEnd === "1") return selectAssetsAfterEnd(workspaceId, 0, { isUnchanged: false, limit: most });
  return selectSummaries(workspaceId, most);
}

/** The assets with these ids, in this order. One that is gone by now is left out. */
async function readListed(ctx: Context, ids: readonly string[]): Promise<Asset[]> {
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectAssetsByIds(ctx.workspace.rowId, ids),
  );
  const assetOf = new Map(rows.map((row) => [row.public_id, toAsset(row, ctx.config)]));
  return ids.flatMap((id) => assetOf.get(id) ?? []);
}

/**
 * A page of the assets of the workspace or of the link with an id or slug, by name in natural order. Of more than 2,000 assets the newest 2,000
 * are searched and sorted; without a search and an order the newest 10,000 are listed.
 */
export async function listAssetPage(ctx: WorkspaceContext, query: ListAssets, link?: string) {
  const isNarrow = link !== undefined || isNarrowed(query);
  const most = isNarrow ? MAX_SORTED_ASSETS : MAX_LISTED_ASSETS;
  const range = toRange({ last: SCANS_OF_DAYS }, ctx.workspace.zones, ctx.now(), 0);
  const [read] = await ctx.db.read(selectFound(ctx, query, link, most + 1));
  const summaryOf = new Map(read.map((one) => [one.id, one]));
  const isCut = read.length > MAX_SORTED_ASSETS;
  // The others are not searched, so their places would find nothing.
  const places = placesOf(read.slice(0, MAX_SORTED_ASSETS));
  const found = read.slice(0, most).filter((one) => isFound(one, query));
  const isNewest = query.after_end === "1" || (isCut && !isNarrow);
  const chosen = sorted(
    found.filter(({ status }) => query.status === undefined || status === query.status),
    query.sort ?? (isNewest ? "newest" : undefined),
  );
  const { items: shown, meta } = pageOf(chosen, query.page ?? 1, ASSETS_PER_PAGE);
  const ids = shown.map(({ id }) => id);
  const [items, scans] = await Promise.all([readListed(ctx, ids), sumVisits(ctx, "asset", ids, range)]);
  return {
    items,
    /** The scans of the last 30 days by asset id, for those that have any. */
    scans,
    summaryOf,
    meta,
    counts: countByStatus(found),
    places,
    isCut,
  };
}

export type AssetsPage = Awaited<ReturnType<typeof listAssetPage>>;

/**
 * The assets of a group's links, the most scanned in a range first, then in natural order of their names. More than 500 are
 * the newest first, and at most 2,000 of them. One call of D1.
 */
async function orderAssetsOfGroup(ctx: Context, group: string, range: Range) {
  const id = storedId(group);
  const [[read], counted] = await Promise.all([
    ctx.db.read(selectSummariesOfGroup(ctx.workspace.rowId, id, MAX_SORTED_ASSETS + 1)),
    sumScansOfGroup(ctx, id, range),
  ]);
  const all = read.slice(0, MAX_SORTED_ASSETS);
  const isRanked = all.length <= MAX_RANKED_ASSETS;
  const scansOf = (asset: { id: string }): number => counted.get(asset.id) ?? 0;
  const ordered = isRanked ? sortNaturally(all).toSorted((one, other) => scansOf(other) - scansOf(one)) : all;
  return { ordered, counted, isRanked, scansOf, isCut: read.length > MAX_SORTED_ASSETS };
}

/** The most scanned assets of a group's links in a range; null if they are too many to order. One call of D1. */
export async function listScannedAssetsOfGroup(ctx: Context, group: string, range: Range, most: number) {
  const { ordered, isRanked, scansOf } = await orderAssetsOfGroup(ctx, group, range);
  if (!isRanked) return null;
  return ordered
    .slice(0, most)
    .map(({ id, name, place }) => ({ id, name, place, scans: scansOf({ id }) }))
    .filter(({ scans }) => scans > 0);
}

/** A page of the assets of a group's links, in that order. Two calls of D1, one after the other. */
export async function listAssetsOfGroup(ctx: Context, group: string, range: Range, page: number) {
  const { ordered, counted, isRanked, scansOf, isCut } = await orderAssetsOfGroup(ctx, group, range);
  const { items: shown, meta } = pageOf(ordered, page, ASSETS_PER_PAGE);
  const ids = shown.map((asset) => asset.id);
  const [items, scans] = await Promise.all([
    readListed(ctx, ids),
    isRanked ? counted : sumVisits(ctx, "asset", ids, range),
  ]);
  return {
    items,
    /** In the range, by asset id, of those that have any. */
    scans,
    meta,
    /** Of all of them; null if they are not ordered by their scans. */
    allScans: isRanked ? ordered.reduce((sum, asset) => sum + scansOf(asset), 0) : null,
    isCut,
  };
}
