import type { Context } from "../context";
import { ServiceError } from "../errors";
import type { QrOptions } from "../qr/render";
import { drawQr, type QrFile } from "../qr/service";
import { getAsset } from "./service";

const noCode = (why: string) =>
  new ServiceError(404, { message: `This Offline Engagement asset has no QR code: ${why}.` });

/** The QR file of an asset's code. Throws 404 without a code or an active link, or 422 if the modules would be too small. */
export async function getAssetQr(ctx: Context, id: string, options: QrOptions): Promise<QrFile> {
  const { code, code_url: url, link } = await getAsset(ctx, id);
  if (link.status !== "active") throw noCode(`its link is ${link.status}`);
  if (code === null || url === null) throw noCode("it gets one within a day");
  return drawQr(url, code, options);
}
