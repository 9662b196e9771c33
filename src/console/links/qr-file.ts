import type { Hono } from "hono";
import { getLinkQr } from "../../resources/qr/service";
import { paths } from "../href";
import { sendQr } from "../print/qr-response";
import type { ConsoleEnv } from "../shell/request";

export function registerQrFile(app: Hono<ConsoleEnv>): void {
  app.get(paths.qr, (c) => sendQr(c, (options) => getLinkQr(c.var.ctx, c.req.param("id"), options)));
}
