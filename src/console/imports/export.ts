import { z } from "zod";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { countExportFiles, exportLinks } from "../../resources/links/export";
import { sendCsv } from "../shell/file-response";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { type PageContext, readQuery } from "../shell/request";

const exportQuery = z.object({ part: z.coerce.number().int().min(1).max(10_000).optional() });

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

/** An example of a file that can be imported. */
export const sendExample = (c: PageContext): Response =>
  c.body(BYTE_ORDER_MARK + csvLines(EXAMPLE), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": 'attachment; filename="example.csv"',
  });

/** All links as CSV, in one file or, of many links, in parts. */
export async function sendExport(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { part } = readQuery(exportQuery, c);
  if (part === undefined && (await countExportFiles(ctx)) > 1) {
    const notice = "There are more links than a file holds. Export them in parts.";
    return redirectWithNotice(c, href.imports(workspace), notice);
  }
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  const name = `${workspace}-links-${day}${part === undefined ? "" : `-part-${part}`}`;
  return sendCsv(c, `${name}.csv`, exportLinks(ctx, part));
}
