import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { etagOfFile, ifNoneMatchHolds } from "../../lib/etag";
import { qrHeaders, qrQuery } from "../../qr/schema";
import { getLinkQr } from "../../qr/service";
import { paths } from "../href";
import { type ConsoleEnv, readQuery } from "../shell/request";
import { PIXELS_A_METRE, PRINT_SIZES_MM, pixelsFor } from "./print-size";

/** Beside what the public interface takes, the millimetres that a PNG is wide in print. */
const query = qrQuery.extend({ print: z.coerce.number().pipe(z.literal(PRINT_SIZES_MM)).optional() });

/** A link's QR file, as the public interface gives it, or for print. */
export function registerQr(app: Hono<ConsoleEnv>): void {
  app.get(paths.qr, async (c) => {
    const { print, ...given } = readQuery(query, c);
    const options =
      print === undefined
        ? given
        : { ...given, format: "png" as const, size: pixelsFor(print), pixelsPerMetre: PIXELS_A_METRE };
    const file = await getLinkQr(c.var.ctx, c.req.param("id"), options);
    const name = print === undefined ? file.slug : `${file.slug}-${print}mm`;
    const headers = {
      ...qrHeaders({ ...file, slug: name }, options.download),
      ETag: await etagOfFile(file.bytes),
    };
    const known = c.req.header("if-none-match");
    return known !== undefined && ifNoneMatchHolds(known, headers.ETag)
      ? c.body(null, 304, headers)
      : c.body(file.bytes, 200, headers);
  });
}
