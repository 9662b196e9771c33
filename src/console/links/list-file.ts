import type { Hono } from "hono";
import { exportList, MAX_EXPORTED_LINKS } from "../../resources/links/export-list";
import { paths } from "../href";
import { sendCsv } from "../shell/file-response";
import { type ConsoleEnv, type PageContext, readQuery } from "../shell/request";
import { linksQuery, toListQuery } from "./query";

export const fileName = ({ var: { ctx, membership } }: PageContext, part = ""): string =>
  `${membership.workspace.slug}-list-${part}${new Date(ctx.now()).toISOString().slice(0, 10)}.csv`;

/** The links of a list as CSV, with its filters and in its order. */
export function registerLinksFile(app: Hono<ConsoleEnv>): void {
  app.get(paths.linksFile, async (c) => {
    const { ctx } = c.var;
    const { isCut, parts } = await exportList(ctx, toListQuery(ctx, readQuery(linksQuery, c)));
    return sendCsv(c, fileName(c, isCut ? `first-${MAX_EXPORTED_LINKS}-` : ""), parts);
  });
}
