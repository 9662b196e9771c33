import { z } from "@hono/zod-openapi";
import { entityTagsMatch, etagOfFile, parseEntityTags } from "../../lib/etag";
import { qrHeaders, qrQuery } from "../../resources/qr/schema";
import type { QrFile } from "../../resources/qr/service";
import { type PageContext, readQuery } from "../shell/request";
import { PIXELS_PER_METRE, PRINT_SIZES_MM, toPixels } from "./settings";

/** The query of the public interface, and `print`: the width of a printed PNG in millimetres. */
const query = qrQuery.extend({ print: z.coerce.number().pipe(z.literal(PRINT_SIZES_MM)).optional() });

type QrFileQuery = z.output<typeof query>;

/** How a printed PNG is drawn. */
export const printedPng = (millimetres: number) => ({
  format: "png" as const,
  size: toPixels(millimetres),
  pixelsPerMetre: PIXELS_PER_METRE,
});

/** Sends a QR file as the query wants it, or 304. */
export async function sendQr(
  c: PageContext,
  draw: (options: Omit<QrFileQuery, "print" | "download"> & { pixelsPerMetre?: number }) => Promise<QrFile>,
): Promise<Response> {
  const { print, download, ...given } = readQuery(query, c);
  const file = await draw(print === undefined ? given : { ...given, ...printedPng(print) });
  const name = print === undefined ? file.slug : `${file.slug}-${print}mm`;
  const headers = { ...qrHeaders({ ...file, slug: name }, download), ETag: await etagOfFile(file.bytes) };
  const known = c.req.header("if-none-match");
  return known !== undefined && entityTagsMatch(parseEntityTags(known), headers.ETag)
    ? c.body(null, 304, headers)
    : c.body(file.bytes, 200, headers);
}
