import { exportLinkDays, exportOriginDays } from "../../analytics/group-export";
import { type GroupLink, nameGroupLinks, reportGroupLinks } from "../../analytics/group-report";
import { applyBeforeReport } from "../../analytics/queue";
import { reportVisits } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import { keptFrom, type Range, rangeOfDays, toDate, toRange } from "../../lib/range";
import { getGroupOverview } from "../../resources/activity-groups/group-service";
import { monthName } from "../clicks/dates";
import { ORIGINS } from "../clicks/origins";
import { rangeQuery, readRange } from "../clicks/range";
import { sum } from "../clicks/series";
import { TOO_MANY_FOR_GROUP } from "../clicks/visit-figures";
import { rowsAsCsv, sendCsv } from "../shell/file-response";
import { type PageContext, readQuery } from "../shell/page-request";

/** The file of origins takes a D1 query for each month. */
const MAX_DAYS = 366;

/** Sends a file of a group's days. `readRows` is null if too many links were visited. */
async function sendDays<Row>(
  c: PageContext,
  file: string,
  heading: readonly string[],
  readRows: (ctx: Context, group: string, range: Range) => Promise<AsyncGenerator<Row[]> | null>,
  toCells: (row: Row) => (string | null)[],
): Promise<Response> {
  const { ctx } = c.var;
  const id = c.req.param("id");
  const asked = toRange(readQuery(rangeQuery, c), ctx.workspace.zones, ctx.now(), ctx.workspace.createdAt);
  const range = rangeOfDays(
    ctx.workspace.zones,
    Math.max(asked.firstDay, asked.lastDay - MAX_DAYS + 1),
    asked.lastDay,
  );
  await applyBeforeReport(ctx);
  const [group, chunks] = await Promise.all([getGroupOverview(ctx, id), readRows(ctx, id, range)]);
  const name = `${file}-${group.slug}-${toDate(range.firstDay)}-${toDate(range.lastDay)}.csv`;
  return sendCsv(c, name, rowsAsCsv(heading, chunks ?? TOO_MANY_FOR_GROUP, toCells));
}

const LINK_DAY_HEADING = [
  ...["Day", "Link", "Short link", "Channel"],
  ...["Clicks", "Bots", "Scans", "After the end"],
];

export const sendGroupClicks = (c: PageContext) =>
  sendDays(c, "clicks", LINK_DAY_HEADING, exportLinkDays, (row) => [
    ...[row.day, row.slug, row.short_url, row.channel],
    ...[row.clicks, row.bots, row.scans, row.after_end].map(String),
  ]);

export const sendGroupOrigins = (c: PageContext) =>
  sendDays(c, "origins", ["Day", "Of what", "Origin", "Visits"], exportOriginDays, (row) => {
    const { title, label } = ORIGINS[row.dimension];
    return [row.day, title, label(row.value), String(row.visits)];
  });

const LINK_HEADING = [
  ...["From", "To", "Time zone", "Title", "Slug", "Short link", "Channel"],
  ...["Clicks", "Scans", "Share"],
];

/** What a row has in place of the links that are not counted. */
const NOT_COUNTED = [TOO_MANY_FOR_GROUP, "", "", "", "–", "–", "–"];

/** The links of an Activity Group, and what came before the visits that are kept. */
export async function sendGroupLinks(c: PageContext): Promise<Response> {
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
  const rows = (links === null ? [NOT_COUNTED] : toLinkCells(links)).map((row) => [
    from,
    to,
    range.zone,
    ...row,
  ]);
  if (earlier.clicks + earlier.scans > 0) {
    const before = `Before ${monthName(keptFrom(now))}`;
    rows.push(["", "", "", before, "", "", "", String(earlier.clicks), String(earlier.scans), ""]);
  }
  return sendCsv(
    c,
    `links-${group.slug}-${from}-${to}.csv`,
    rowsAsCsv(LINK_HEADING, [rows], (row) => row),
  );
}

function toLinkCells(links: readonly GroupLink[]): (string | null)[][] {
  const whole = sum(links.map(visitsOf));
  return links.map(({ title, slug, short_url, channel, clicks, scans }) => {
    const share = whole === 0 ? "0%" : `${(((clicks + scans) / whole) * 100).toFixed(1)}%`;
    return [title, slug, short_url, channel, String(clicks), String(scans), share];
  });
}
