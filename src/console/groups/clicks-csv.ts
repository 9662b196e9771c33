import type { Hono } from "hono";
import { getGroupOverview } from "../../activity-groups/overview";
import { exportClicks, exportOrigins, type LinkDay, type OriginDay } from "../../clicks/report";
import type { Context } from "../../context";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { daysOf, rangeOf, rangeQuery } from "../clicks/date-range";
import { ORIGINS } from "../clicks/report";
import { paths } from "../href";
import { sendCsv } from "../shell/csv-response";
import { type ConsoleEnv, type PageContext, readQuery } from "../shell/request";

interface File<Row> {
  name: string;
  heading: readonly string[];
  rowsOf: (ctx: Context, group: string, from: number, to: number) => Promise<AsyncGenerator<Row[]>>;
  cellsOf: (row: Row) => (string | null)[];
}

const BY_LINK: File<LinkDay> = {
  name: "clicks",
  heading: ["Day", "Link", "Short URL", "Channel", "People", "Bots"],
  rowsOf: exportClicks,
  cellsOf: ({ day, slug, short_url, channel, people, bots }) => [
    ...[day, slug, short_url, channel],
    ...[String(people), String(bots)],
  ],
};

const BY_ORIGIN: File<OriginDay> = {
  name: "origins",
  heading: ["Day", "Of what", "Origin", "People"],
  rowsOf: exportOrigins,
  cellsOf: ({ day, dimension, value, people }) => {
    const { title, nameOf } = ORIGINS[dimension];
    return [day, title, nameOf(value), String(people)];
  },
};

async function* linesOf<Row>(
  { heading, cellsOf }: File<Row>,
  portions: AsyncGenerator<Row[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([heading]);
  for await (const portion of portions) yield csvLines(portion.map(cellsOf));
}

async function send<Row>(c: PageContext, id: string, file: File<Row>): Promise<Response> {
  const { ctx } = c.var;
  const range = rangeOf(readQuery(rangeQuery, c), ctx.now());
  const [group, portions] = await Promise.all([
    getGroupOverview(ctx, id),
    file.rowsOf(ctx, id, range.begin, range.end),
  ]);
  const { from, to } = daysOf(range);
  return sendCsv(c, `${file.name}-${group.slug}-${from}-${to}.csv`, linesOf(file, portions));
}

/** A group's clicks as CSV: a line for each day of each link, or of each origin of the people. */
export function registerGroupClicks(app: Hono<ConsoleEnv>): void {
  app.get(paths.groupClicks, (c) => send(c, c.req.param("id"), BY_LINK));
  app.get(paths.groupOrigins, (c) => send(c, c.req.param("id"), BY_ORIGIN));
}
