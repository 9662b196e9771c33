import type { Context } from "../../context";
import { ServiceError } from "../../errors";
import type { QrOptions } from "../qr/render";
import { drawQr, type QrFile } from "../qr/service";
import type { Asset } from "./asset";
import { getAsset } from "./service";

/** False for an asset whose link is archived or deleted: nothing new is printed with it. */
export const hasQr = ({ link }: Pick<Asset, "link">): boolean => link.status === "active";

/** The QR file of an asset. Throws 404 without an active link, or 422 if the modules would be too small. */
export async function getAssetQr(ctx: Context, id: string, options: QrOptions): Promise<QrFile> {
  const asset = await getAsset(ctx, id);
  if (!hasQr(asset)) {
    const message = `This Offline Engagement asset has no QR code: its link is ${asset.link.status}.`;
    throw new ServiceError(404, { message });
  }
  return drawQr(asset.code_url, asset.code, options);
}
