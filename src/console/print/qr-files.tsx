import { z } from "@hono/zod-openapi";
import { entityTagsMatch, etagOfFile, parseEntityTags } from "../../lib/etag";
import { DOTS_PER_INCH, toPixels } from "../../lib/print-size";
import type { QrFile } from "../../resources/qr/link-qr";
import { qrHeaders, qrQuery } from "../../resources/qr/qr-schema";
import type { QrOptions } from "../../resources/qr/render";
import { ButtonLink } from "../shell/button";
import { type PageContext, readQuery } from "../shell/page-request";
import { PRINT_SIZES_MM, widthWithoutBorder } from "./print-settings";

/** The query of the public interface, and `print`: the width of a printed PNG in millimetres. */
const query = qrQuery.extend({ print: z.coerce.number().pipe(z.literal(PRINT_SIZES_MM)).optional() });

export const PRINT_PIXELS_PER_METRE = toPixels(1_000);

export const printedPng = (millimetres: number) => ({
  format: "png" as const,
  size: toPixels(millimetres),
  pixelsPerMetre: PRINT_PIXELS_PER_METRE,
});

/** Sends a QR file as the query wants it, or 304. */
export async function sendQr(
  c: PageContext,
  draw: (options: QrOptions) => Promise<QrFile>,
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

interface QrProperties {
  url: string;
  hrefOf: (query: { print?: number; download?: "1" }) => string;
  printHref?: string;
  brandedHref: string;
}

export const QrFiles = ({ url, hrefOf, printHref, brandedHref }: QrProperties) => (
  <>
    <img class="qr" src={hrefOf({})} alt={`QR code of ${url}`} width="512" height="512" />
    <p class="row">
      <ButtonLink to={hrefOf({ download: "1" })} label="Download SVG" icon="download" />
      {printHref !== undefined && <ButtonLink to={printHref} label="Print it" icon="print" />}
      <ButtonLink to={brandedHref} label="In your colours" />
    </p>
    <h3>PNG for print</h3>
    <p class="hint">At {DOTS_PER_INCH} dpi. The width includes the white border that phones need.</p>
    <ul class="downloads">
      {PRINT_SIZES_MM.map((millimetres) => (
        <li>
          <a href={hrefOf({ print: millimetres, download: "1" })}>{millimetres} mm</a>{" "}
          <span class="small soft block">
            code {widthWithoutBorder(url, millimetres)} mm, {toPixels(millimetres)} px
          </span>
        </li>
      ))}
    </ul>
  </>
);
