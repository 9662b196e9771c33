import type { Hono } from "hono";
import { exportList } from "../../links/export-list";
import { paths } from "../href";
import { sendCsv } from "../shell/file-response";
import { type ConsoleEnv, type PageContext, readQuery } from "../shell/request";
import { linksQuery, toListQuery } from "./query";

export const fileName = ({ var: { ctx, membership } }: PageContext): string =>
  `${membership.workspace.slug}-list-${new Date(ctx.now()).toISOString().slice(0, 10)}.csv`;

/** The links of a list as CSV, with its filters and in its order. */
export function registerLinksFile(app: Hono<ConsoleEnv>): void {
  app.get(paths.linksFile, (c) => {
    const { ctx } = c.var;
    return sendCsv(c, fileName(c), exportList(ctx, toListQuery(ctx, readQuery(linksQuery, c))));
  });
}
