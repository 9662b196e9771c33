import type { Hono } from "hono";
import { BYTE_ORDER_MARK, csvLines } from "../lib/csv";
import { exportLinks } from "../links/export";
import { sendCsv } from "./csv";
import type { ConsoleEnv } from "./request";

const EXAMPLE = [
  ["destination_url", "slug", "title", "channel", "utm_source", "utm_medium", "tags", "status"],
  [
    ...["https://www.example.com/summer?colour=blue", "summer-poster", "Summer sale", "print"],
    ...["poster", "print", "Summer, Print", "active"],
  ],
  [
    ...["https://www.example.com/newsletter", "", "A slug is made for this one", "newsletter"],
    ...["newsletter", "email", "", "active"],
  ],
];

/** Links as CSV: all of the workspace, and an example of what an import takes. */
export function registerExport(app: Hono<ConsoleEnv>): void {
  app.get("/app/:workspace/import/example.csv", (c) =>
    c.body(BYTE_ORDER_MARK + csvLines(EXAMPLE), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="example.csv"',
    }),
  );

  app.get("/app/:workspace/export.csv", (c) => {
    const { ctx, membership } = c.var;
    const day = new Date(ctx.now()).toISOString().slice(0, 10);
    return sendCsv(c, `${membership.workspace.slug}-links-${day}.csv`, exportLinks(ctx));
  });
}
