import type { Context } from "../../context";
import { notFound } from "../../errors";
import { invalid } from "../../field-errors";
import { getLink } from "../links/link";
import { modulePixels, type QrOptions, qrMatrix, renderPng, renderSvg } from "./render";

/** Smaller modules do not scan reliably. */
const MIN_MODULE_PIXELS = 2;

export interface QrFile {
  slug: string;
  format: QrOptions["format"];
  bytes: Uint8Array<ArrayBuffer> | string;
}

/** The QR file of a short URL with this slug. Throws 422 if the modules would be too small. */
export async function drawQr(shortUrl: string, slug: string, options: QrOptions): Promise<QrFile> {
  const matrix = qrMatrix(shortUrl, options.ecc);
  const { format, size, margin, pixelsPerMetre } = options;
  if (modulePixels(matrix.length, margin, size) < MIN_MODULE_PIXELS) {
    const least = MIN_MODULE_PIXELS * (matrix.length + 2 * margin);
    const message = `At ${size} pixels a module would be smaller than 2 pixels and may not scan; the size must be at least ${least}.`;
    throw invalid([{ field: "qr", message, code: "range" }]);
  }
  const bytes =
    format === "svg"
      ? renderSvg(matrix, size, margin)
      : await renderPng(matrix, size, margin, pixelsPerMetre);
  return { slug, format, bytes };
}

/** The link of a path that has a QR file. Throws 404, before errors of the parameters. */
export async function assertQrPath(ctx: Context, id: string) {
  const link = await getLink(ctx, id);
  if (link.status === "archived") throw notFound("Link");
  return link;
}

/** The QR file of an active link's short URL. Throws 404, or 422 if the modules would be too small. */
export async function getLinkQr(ctx: Context, id: string, options: QrOptions): Promise<QrFile> {
  const link = await assertQrPath(ctx, id);
  return drawQr(link.short_url, link.slug, options);
}
