import { z } from "zod";
import { takeShare } from "../../http/fair-shares";
import { entityTagsMatch, etagOfFile, parseEntityTags } from "../../lib/etag";
import { brandedSvg } from "../../resources/code-brandings/branded-code";
import { assertReadBack, getCodeBranding } from "../../resources/code-brandings/code-branding-service";
import { getAssetWithQr } from "../../resources/engagement/asset-qr";
import { assertQrPath } from "../../resources/qr/link-qr";
import { qrHeaders, qrQuery } from "../../resources/qr/qr-schema";
import { type PageContext, readQuery } from "../shell/page-request";

const query = qrQuery.pick({ size: true, download: true }).extend({
  // The server has no fonts and cannot draw a logo. The pages let the browser do it.
  format: z.literal("svg").optional(),
});

/** Sends a code with a branding as SVG, read back once more, or 304. */
async function send(c: PageContext, find: () => Promise<{ url: string; slug: string }>): Promise<Response> {
  const [{ url, slug }, look] = await Promise.all([
    find(),
    getCodeBranding(c.var.ctx, c.req.param("branding")),
  ]);
  const { size, download } = readQuery(query, c);
  const svg = brandedSvg(url, look, size);
  const headers = {
    ...qrHeaders({ slug, format: "svg" }, download),
    // Of the logo.
    "Content-Security-Policy": "default-src 'none'; img-src data:; sandbox",
    ETag: await etagOfFile(svg),
  };
  const known = c.req.header("if-none-match");
  if (known !== undefined && entityTagsMatch(parseEntityTags(known), headers.ETag))
    return c.body(null, 304, headers);
  await takeShare(c, "file", c.var.payer);
  await assertReadBack([url], look);
  return c.body(svg, 200, headers);
}

export const sendBrandedLink = (c: PageContext): Promise<Response> =>
  send(c, async () => {
    const { short_url: url, slug } = await assertQrPath(c.var.ctx, c.req.param("id"));
    return { url, slug };
  });

export const sendBrandedAsset = (c: PageContext): Promise<Response> =>
  send(c, async () => {
    const { code_url: url, code: slug } = await getAssetWithQr(c.var.ctx, c.req.param("id"));
    return { url, slug };
  });
