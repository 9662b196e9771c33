import { z } from "@hono/zod-openapi";
import { getAssetQr, hasQr, zipAssets } from "../../resources/engagement/qr";
import type { QrOptions } from "../../resources/qr/render";
import { qrQuery } from "../../resources/qr/schema";
import { printedPng, sendQr } from "../print/qr-files";
import { PRINT_SIZES_MM } from "../print/settings";
import { sendFile } from "../shell/file-response";
import { href } from "../shell/href";
import { type PageContext, readQuery } from "../shell/request";
import { readChoice } from "./choose";

export const DEFAULT_PRINT_MM = 50;

export const FILE_FORMATS = [
  ["svg", "SVG, for any size"],
  ["png", "PNG"],
  ["both", "SVG and PNG"],
] as const;

const query = z.object({
  format: z.enum(["svg", "png", "both"]).default("svg"),
  print: z.coerce.number().pipe(z.literal(PRINT_SIZES_MM)).default(DEFAULT_PRINT_MM),
});

const SVG: QrOptions = qrQuery.parse({ format: "svg" });

/** How each asset is drawn. */
function formatsOf({ format, print }: z.output<typeof query>): QrOptions[] {
  const png = { ...SVG, ...printedPng(print) };
  return { svg: [SVG], png: [png], both: [SVG, png] }[format];
}

export const sendAssetQr = (c: PageContext): Promise<Response> =>
  sendQr(c, (options) => getAssetQr(c.var.ctx, c.req.param("id"), options));

export async function sendAssetFiles(c: PageContext): Promise<Response> {
  const { chosen } = await readChoice(c);
  if (!chosen.some(hasQr)) {
    const { search } = new URL(c.req.url);
    return c.redirect(href.printAssets(c.var.workspace) + search, 303);
  }
  const parts = zipAssets(chosen, formatsOf(readQuery(query, c)));
  return sendFile(c, { name: "qr-codes.zip", type: "application/zip" }, parts);
}
