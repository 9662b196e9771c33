import { type GroupOverview, getGroupOverview } from "../../activity-groups/overview";
import { type GroupAsset, listGroupAssets, listQuietLinks, listsQuietLinks } from "../../clicks/of-group";
import {
  type ChannelVisits,
  type GroupLink,
  type GroupLinks,
  listGroupChannels,
  listGroupLinks,
} from "../../clicks/top";
import { reportVisits, type VisitReport } from "../../clicks/visits";
import type { Context } from "../../context";
import { metaOf } from "../../lib/paging";
import type { Range } from "../../lib/range";
import type { ShownRange } from "../clicks/range";

const LINKS_PER_PAGE = 25;
/** The most scanned ones. */
const MAX_ASSETS = 50;

export interface GroupLinkList {
  /** The visited ones first, the most visited first, then the others. */
  links: readonly GroupLink[];
  meta: ReturnType<typeof metaOf>;
  /** Whether only links with visits are listed, because there are too many. */
  isCut: boolean;
}

export interface GroupAssetList {
  /** The most scanned first. */
  assets: readonly GroupAsset[];
  /** Whether there are more. */
  isMore: boolean;
  /** Scans of the group that are not of these assets; 0 if there are more assets, or not all links are counted. */
  formerScans: number;
}

interface GroupReport {
  group: GroupOverview;
  visits: VisitReport;
  channels: readonly ChannelVisits[];
  list: GroupLinkList;
  assets: GroupAssetList;
}

type Numbers = Pick<GroupLinkList, "meta" | "isCut">;

function numbersOf({ links }: GroupOverview, visited: GroupLinks, page: number): Numbers {
  const total = links.active + links.archived;
  const isCut = visited.isCut || !listsQuietLinks(total);
  const listed = isCut ? visited.visited : Math.max(total, visited.visited);
  const { last_page: last } = metaOf(1, LINKS_PER_PAGE, listed);
  return { meta: metaOf(Math.min(page, last), LINKS_PER_PAGE, listed), isCut };
}

function assetsOf(
  { assets, isMore }: Omit<GroupAssetList, "formerScans">,
  visits: VisitReport,
): GroupAssetList {
  const scans = assets.reduce((sum, asset) => sum + asset.scans, 0);
  const isComplete = !isMore && !visits.isCut;
  return { assets, isMore, formerScans: isComplete ? Math.max(0, visits.totals.scans - scans) : 0 };
}

/** Reads the visited links of a page, and the others of it as far as there may be room for them. */
function readLinks(ctx: Context, id: string, range: Range, page: number, firstQuiet: number) {
  const limit = LINKS_PER_PAGE;
  return Promise.all([
    listGroupLinks(ctx, id, range, limit, (page - 1) * limit),
    listQuietLinks(ctx, id, range, { limit, offset: firstQuiet }),
  ]);
}

/**
 * All that the page of a group shows, in one call of D1, and one more for a later page of its links. A page after the last
 * one is the last one.
 */
export async function readGroupReport(
  ctx: Context,
  id: string,
  { range, compare }: ShownRange,
  page: number,
): Promise<GroupReport> {
  const [group, visits, channels, listed, first] = await Promise.all([
    getGroupOverview(ctx, id),
    reportVisits(ctx, { group: id }, range, { compare }),
    listGroupChannels(ctx, id, range),
    listGroupAssets(ctx, id, range, MAX_ASSETS),
    readLinks(ctx, id, range, 1, 0),
  ]);
  const { meta, isCut } = numbersOf(group, first[0], page);
  const offset = (meta.current_page - 1) * LINKS_PER_PAGE;
  const [{ links }, quiet] =
    offset === 0
      ? first
      : await readLinks(ctx, id, range, meta.current_page, Math.max(0, offset - first[0].visited));
  const others = isCut ? [] : quiet.slice(0, LINKS_PER_PAGE - links.length);
  return {
    group,
    visits,
    channels,
    assets: assetsOf(listed, visits),
    list: { links: [...links, ...others.map((link): GroupLink => ({ ...link, points: [] }))], meta, isCut },
  };
}
