import { nameGroupLinks, reportGroupLinks } from "../../analytics/group-report";
import { reportVisits } from "../../analytics/report";
import type { Context } from "../../context";
import { pageOf } from "../../lib/paging";
import type { Range } from "../../lib/range";
import { listAssetsOfGroup } from "../../resources/engagement/list";
import type { ShownRange } from "../clicks/range";

const LINKS_PER_PAGE = 25;

/**
 * The present links of a group in a range, the most visited first; null if too many of them were visited. A page after the
 * last one is the last one.
 */
export async function readGroupLinks(ctx: Context, id: string, range: Range, page: number) {
  const found = await reportGroupLinks(ctx, id, range);
  if (found === null) return null;
  const { items, meta } = pageOf(found.links, page, LINKS_PER_PAGE);
  const links = await nameGroupLinks(ctx, items, range);
  // The clicks and scans of all of them.
  const whole = found.links.reduce((sum, { clicks, scans }) => sum + clicks + scans, 0);
  const { channels, brought, hasQuiet } = found;
  return { channels, brought, list: { links, whole, meta, hasQuiet } };
}

/** A page of the assets of a group. `previousScans` are those of other assets, if all of its own are counted. */
export async function readGroupAssets(ctx: Context, id: string, range: Range, page: number) {
  const [list, { totals }] = await Promise.all([
    listAssetsOfGroup(ctx, id, range, page),
    reportVisits(ctx, { group: id }, range, { compare: false }),
  ]);
  return { ...list, previousScans: list.allScans === null ? 0 : Math.max(0, totals.scans - list.allScans) };
}

/** The figures of a group and of its present links, in two calls of D1, one after the other. */
export async function readGroupFigures(ctx: Context, id: string, { range, compare }: ShownRange) {
  const [visits, present] = await Promise.all([
    reportVisits(ctx, { group: id }, range, { compare }),
    readGroupLinks(ctx, id, range, 1),
  ]);
  return { visits, present };
}

export type GroupAssetList = Awaited<ReturnType<typeof readGroupAssets>>;
export type GroupLinkList = NonNullable<Awaited<ReturnType<typeof readGroupLinks>>>["list"];
