import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportTagVisits, reportVisits, type VisitReport } from "../../analytics/report";
import type { Context } from "../../context";
import { listScannedAssetsOfGroup } from "../../resources/engagement/list-assets";
import { MAX_REPORTED, type Report } from "../../resources/reports/report-links";
import type { ShownRange } from "../clicks/range";
import { type GroupReport, readGroupFigures } from "../groups/group-figures";
import { topLinks } from "../links/visited";
import { readTagLinks } from "../tags/tag-page";

// What a report says of the overview, a group or a tag, for its page and for programs.

type ReportedLink = Awaited<ReturnType<typeof listTopLinks>>[number];

export interface ReportFigures {
  /** Null if too many links were visited. */
  visits: VisitReport | null;
  /** The most visited ones; null if they are not counted. */
  links: readonly ReportedLink[] | null;
  /** The most scanned assets of a group; null if they are not counted, and of what is no group. */
  posters: Awaited<ReturnType<typeof listScannedAssetsOfGroup>>;
  groups?: readonly { name: string; visits: number }[];
  group?: GroupReport;
}

/** An instance remembers them, so of a link only what is said of it. */
const toLinks = (links: readonly ReportedLink[]): ReportedLink[] =>
  topLinks(links).map(({ id, slug, title, short_url, clicks, scans }) => ({
    ...{ id, slug, title, short_url, clicks, scans },
  }));

async function readOverview(ctx: Context, shown: ShownRange): Promise<ReportFigures> {
  const [visits, links, groups] = await Promise.all([
    reportVisits(ctx, { workspace: true }, shown.range, shown),
    listTopLinks(ctx, shown.range, MAX_REPORTED),
    listTopGroups(ctx, shown.range, MAX_REPORTED),
  ]);
  return { visits, links: toLinks(links), posters: null, groups };
}

async function readGroup(ctx: Context, id: string, shown: ShownRange): Promise<ReportFigures> {
  const [group, posters] = await Promise.all([
    readGroupFigures(ctx, id, shown),
    listScannedAssetsOfGroup(ctx, id, shown.range, MAX_REPORTED),
  ]);
  const { visits, present, channels } = group;
  return {
    visits,
    links: present && toLinks(present.list.links),
    posters,
    group: {
      visits,
      channels,
      present: present && { ...present, list: { ...present.list, links: [] } },
    },
  };
}

async function readTag(ctx: Context, id: string, shown: ShownRange): Promise<ReportFigures> {
  const [visits, links] = await Promise.all([
    reportTagVisits(ctx, id, shown.range, shown),
    readTagLinks(ctx, id, shown.range),
  ]);
  return { visits, links: visits && toLinks(links), posters: null };
}

export function readFigures(
  ctx: Context,
  { kind, subject }: Report,
  shown: ShownRange,
): Promise<ReportFigures> {
  if (kind === "overview") return readOverview(ctx, shown);
  return kind === "group" ? readGroup(ctx, subject, shown) : readTag(ctx, subject, shown);
}
