import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { entityTagsMatch, etagOfFile, parseEntityTags } from "../../lib/etag";
import { qrHeaders, qrQuery } from "../../qr/schema";
import { getLinkQr } from "../../qr/service";
import { paths } from "../href";
import { type ConsoleEnv, readQuery } from "../shell/request";
import { PIXELS_PER_METRE, PRINT_SIZES_MM, toPixels } from "./print-size";

/** The query of the public interface, and `print`: the width of a printed PNG in millimetres. */
const query = qrQuery.extend({ print: z.coerce.number().pipe(z.literal(PRINT_SIZES_MM)).optional() });

export function registerQrFile(app: Hono<ConsoleEnv>): void {
  app.get(paths.qr, async (c) => {
    const { print, ...given } = readQuery(query, c);
    const options =
      print === undefined
        ? given
        : { ...given, format: "png" as const, size: toPixels(print), pixelsPerMetre: PIXELS_PER_METRE };
    const file = await getLinkQr(c.var.ctx, c.req.param("id"), options);
    const name = print === undefined ? file.slug : `${file.slug}-${print}mm`;
    const headers = {
      ...qrHeaders({ ...file, slug: name }, options.download),
      ETag: await etagOfFile(file.bytes),
    };
    const known = c.req.header("if-none-match");
    return known !== undefined && entityTagsMatch(parseEntityTags(known), headers.ETag)
      ? c.body(null, 304, headers)
      : c.body(file.bytes, 200, headers);
  });
}
