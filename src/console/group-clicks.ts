import type { Hono } from "hono";
import { getGroupOverview } from "../activity-groups/overview";
import { exportClicks, type LinkDay } from "../clicks/report";
import { csvLine } from "../lib/csv";
import { daysOf, rangeOf, rangeQuery } from "./range";
import { type ConsoleEnv, readQuery } from "./request";

const HEADING = csvLine(["Day", "Link", "Short URL", "Channel", "People", "Bots"]);

const lineOf = ({ day, slug, short_url, channel, people, bots }: LinkDay): string =>
  csvLine([day, slug, short_url, channel ?? "", String(people), String(bots)]);

/** The file, made while it is read: a portion of links after the other. */
function fileOf(portions: AsyncGenerator<LinkDay[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    // By the byte order mark a spreadsheet knows UTF-8.
    start: (file) => file.enqueue(encoder.encode(`\ufeff${HEADING}`)),
    async pull(file) {
      const { done, value } = await portions.next();
      if (done) file.close();
      else file.enqueue(encoder.encode(value.map(lineOf).join("")));
    },
  });
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
    return c.body(fileOf(portions), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="clicks-${group.slug}-${from}-${to}.csv"`,
    });
  });
}
