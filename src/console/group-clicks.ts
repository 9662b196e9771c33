import type { Hono } from "hono";
import { getGroupOverview } from "../activity-groups/overview";
import { exportClicks, type LinkDay } from "../clicks/report";
import { BYTE_ORDER_MARK, csvLines } from "../lib/csv";
import { sendCsv } from "./csv";
import { daysOf, rangeOf, rangeQuery } from "./range";
import { type ConsoleEnv, readQuery } from "./request";

const HEADING = ["Day", "Link", "Short URL", "Channel", "People", "Bots"];

const cellsOf = ({ day, slug, short_url, channel, people, bots }: LinkDay) => [
  ...[day, slug, short_url, channel],
  ...[String(people), String(bots)],
];

async function* fileOf(portions: AsyncGenerator<LinkDay[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([HEADING]);
  for await (const portion of portions) yield csvLines(portion.map(cellsOf));
}

/** A group's clicks as CSV, a line for each day of each link. */
export function registerGroupClicks(app: Hono<ConsoleEnv>): void {
  app.get("/app/:workspace/groups/:id/clicks.csv", async (c) => {
    const { ctx } = c.var;
    const id = c.req.param("id");
    const range = rangeOf(readQuery(rangeQuery, c), ctx.now());
    const [group, portions] = await Promise.all([
      getGroupOverview(ctx, id),
      exportClicks(ctx, id, range.begin, range.end),
    ]);
    const { from, to } = daysOf(range);
    return sendCsv(c, `clicks-${group.slug}-${from}-${to}.csv`, fileOf(portions));
  });
}
