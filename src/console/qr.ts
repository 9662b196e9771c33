import type { Hono } from "hono";
import { etagOfFile, ifNoneMatchHolds } from "../lib/etag";
import { qrHeaders, qrQuery } from "../qr/schema";
import { getLinkQr } from "../qr/service";
import { type ConsoleEnv, readQuery } from "./request";

/** A link's QR file, as the public interface gives it. */
export function registerQr(app: Hono<ConsoleEnv>): void {
  app.get("/app/:workspace/links/:id/qr", async (c) => {
    const options = readQuery(qrQuery, c);
    const file = await getLinkQr(c.var.ctx, c.req.param("id"), options);
    const headers = { ...qrHeaders(file, options.download), ETag: await etagOfFile(file.bytes) };
    const known = c.req.header("if-none-match");
    return known !== undefined && ifNoneMatchHolds(known, headers.ETag)
      ? c.body(null, 304, headers)
      : c.body(file.bytes, 200, headers);
  });
}
