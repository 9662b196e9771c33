import {
  type ChannelVisits,
  type GroupAsset,
  type GroupLink,
  listGroupAssets,
  nameGroupLinks,
  reportGroupLinks,
} from "../../analytics/group-report";
import { reportVisits, type VisitReport } from "../../analytics/report";
import type { Context } from "../../context";
import { metaOf } from "../../lib/paging";
import { type GroupOverview, getGroupOverview } from "../../resources/activity-groups/overview";
import type { ShownRange } from "../clicks/range";

const LINKS_PER_PAGE = 25;
/** The most scanned ones. */
const MAX_ASSETS = 50;

export interface GroupLinkList {
  /** The visited ones first, the most visited first, then the others. */
  links: readonly GroupLink[];
  /** The clicks and scans of all of them. */
  whole: number;
  meta: ReturnType<typeof metaOf>;
  /** Whether links without visits are listed too. Else there are too many. */
  hasQuiet: boolean;
}

export interface GroupAssetList {
  /** The most scanned first. */
  assets: readonly GroupAsset[];
  /** Whether there are more. */
  isMore: boolean;
  /** Scans of the group that are not of these assets; 0 if there are more assets. */
  previousScans: number;
}

interface GroupReport {
  group: GroupOverview;
  visits: VisitReport;
  /** What is known of its present links; null if too many of them were visited. */
  present: { channels: readonly ChannelVisits[]; list: GroupLinkList; brought: number | null } | null;
  assets: GroupAssetList;
}

/**
 * All that the page of a group shows, in two calls of D1, one after the other. A page after the last one of its links is the
 * last one.
 */
export async function readGroupReport(
  ctx: Context,
  id: string,
  { range, compare }: ShownRange,
  page: number,
): Promise<GroupReport> {
  const readPresent = async (): Promise<GroupReport["present"]> => {
    const found = await reportGroupLinks(ctx, id, range);
    if (found === null) return null;
    const { last_page: last } = metaOf(1, LINKS_PER_PAGE, found.links.length);
    const meta = metaOf(Math.min(page, last), LINKS_PER_PAGE, found.links.length);
    const first = (meta.current_page - 1) * LINKS_PER_PAGE;
    const links = await nameGroupLinks(ctx, found.links.slice(first, first + LINKS_PER_PAGE), range);
    const whole = found.links.reduce((sum, { clicks, scans }) => sum + clicks + scans, 0);
    const { channels, brought, hasQuiet } = found;
    return { channels, brought, list: { links, whole, meta, hasQuiet } };
  };
  const [group, visits, present, { assets, isMore }] = await Promise.all([
    getGroupOverview(ctx, id),
    reportVisits(ctx, { group: id }, range, { compare }),
    readPresent(),
    listGroupAssets(ctx, id, range, MAX_ASSETS),
  ]);
  const scans = assets.reduce((sum, asset) => sum + asset.scans, 0);
  const previousScans = isMore ? 0 : Math.max(0, visits.totals.scans - scans);
  return { group, visits, present, assets: { assets, isMore, previousScans } };
}
