import type { Hono } from "hono";
import { type GroupLink, nameGroupLinks, reportGroupLinks } from "../../analytics/group-report";
import { applyBeforeReport } from "../../analytics/queue";
import { reportVisits, type VisitReport } from "../../analytics/report";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { keptFrom, toDate } from "../../lib/range";
import { getGroupOverview } from "../../resources/activity-groups/overview";
import { monthName } from "../clicks/dates";
import { readRange } from "../clicks/range";
import { TOO_MANY_FOR_GROUP } from "../clicks/too-many";
import { paths } from "../href";
import { sendCsv } from "../shell/file-response";
import type { ConsoleEnv } from "../shell/request";

const HEADING = [
  "From",
  "To",
  "Time zone",
  "Title",
  "Slug",
  "Short link",
  "Channel",
  "Clicks",
  "Scans",
  "Share",
];

/** The links, and what came before the visits that are kept. */
async function* toLines(
  links: readonly GroupLink[] | null,
  { clicks, scans }: VisitReport["earlier"],
  range: readonly string[],
  now: number,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([HEADING]);
  if (links === null) yield csvLines([[...range, TOO_MANY_FOR_GROUP, "", "", "", "–", "–", "–"]]);
  const whole = (links ?? []).reduce((sum, link) => sum + link.clicks + link.scans, 0);
  const share = (link: GroupLink) =>
    whole === 0 ? "0%" : `${(((link.clicks + link.scans) / whole) * 100).toFixed(1)}%`;
  yield csvLines(
    (links ?? []).map((link) => [
      ...range,
      ...[link.title, link.slug, link.short_url, link.channel],
      ...[String(link.clicks), String(link.scans), share(link)],
    ]),
  );
  if (clicks + scans === 0) return;
  const before = `Before ${monthName(keptFrom(now))}`;
  yield csvLines([["", "", "", before, "", "", "", String(clicks), String(scans), ""]]);
}

/** The links of a group with their visits in the range of its page, in the same order, of all pages. */
export function registerGroupLinksFile(app: Hono<ConsoleEnv>): void {
  app.get(paths.groupLinksFile, async (c) => {
    const { ctx } = c.var;
    const id = c.req.param("id");
    const { range, now } = readRange(c, ctx.workspace.createdAt);
    await applyBeforeReport(ctx);
    const [group, { earlier }, found] = await Promise.all([
      getGroupOverview(ctx, id),
      reportVisits(ctx, { group: id }, range, { compare: false }),
      reportGroupLinks(ctx, id, range),
    ]);
    const links = found === null ? null : await nameGroupLinks(ctx, found.links);
    const [from, to] = [toDate(range.firstDay), toDate(range.lastDay)];
    const lines = toLines(links, earlier, [from, to, range.zone], now);
    return sendCsv(c, `links-${group.slug}-${from}-${to}.csv`, lines);
  });
}
