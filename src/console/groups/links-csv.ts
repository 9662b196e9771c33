import type { Hono } from "hono";
import { getGroupOverview } from "../../activity-groups/overview";
import { exportGroupLinks, type ListedLink, listsQuietLinks } from "../../clicks/of-group";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { toDate } from "../../lib/range";
import { readRange } from "../clicks/range";
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

async function* toLines(links: readonly ListedLink[], range: readonly string[]): AsyncGenerator<string> {
  const whole = links.reduce((sum, { clicks, scans }) => sum + clicks + scans, 0);
  const share = ({ clicks, scans }: ListedLink) =>
    whole === 0 ? "0%" : `${(((clicks + scans) / whole) * 100).toFixed(1)}%`;
  yield BYTE_ORDER_MARK + csvLines([HEADING]);
  yield csvLines(
    links.map((link) => [
      ...range,
      ...[link.title, link.slug, link.short_url, link.channel],
      ...[String(link.clicks), String(link.scans), share(link)],
    ]),
  );
}

/** The links of a group with their visits in the range of its page, in the same order, of all pages. */
export function registerGroupLinksFile(app: Hono<ConsoleEnv>): void {
  app.get(paths.groupLinksFile, async (c) => {
    const { ctx } = c.var;
    const id = c.req.param("id");
    const { range } = readRange(c, ctx.workspace.createdAt);
    const [group, links] = await Promise.all([getGroupOverview(ctx, id), exportGroupLinks(ctx, id, range)]);
    const listed = listsQuietLinks(group.links.active + group.links.archived)
      ? links
      : links.filter(({ clicks, scans }) => clicks + scans > 0);
    const [from, to] = [toDate(range.firstDay), toDate(range.lastDay)];
    return sendCsv(c, `links-${group.slug}-${from}-${to}.csv`, toLines(listed, [from, to, range.zone]));
  });
}
