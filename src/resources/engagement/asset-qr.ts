import type { Context } from "../../context";
import { ServiceError } from "../../errors";
import { brandedSvg, type Look } from "../code-brandings/branded-code";
import { drawQr, type QrFile } from "../qr/link-qr";
import type { QrOptions } from "../qr/render";
import type { Asset } from "./asset";
import { getAsset } from "./asset-service";
import { type ZipFile, zip } from "./codes-zip";
import { assetFileName } from "./file-name";

/** False for an asset whose link is archived or deleted: nothing new is printed with it. */
export const hasQr = ({ link }: Pick<Asset, "link">): boolean => link.status === "active";

/**
 * The QR files of assets as a ZIP archive, one for each asset and format. Each is drawn when the one before it has been
 * sent, so the archive is never in memory. With a look, SVGs have it. Assets whose links are archived or deleted are left out.
 */
export const zipAssets = (
  assets: readonly Asset[],
  formats: readonly QrOptions[],
  look?: Look,
): AsyncGenerator<Uint8Array> => zip(draw(assets.filter(hasQr), formats, look));

async function* draw(
  assets: readonly Asset[],
  formats: readonly QrOptions[],
  look: Look | undefined,
): AsyncGenerator<ZipFile> {
  for (const [index, asset] of assets.entries()) {
    const name = assetFileName(index, assets.length, asset);
    for (const options of formats) {
      const bytes =
        look !== undefined && options.format === "svg"
          ? brandedSvg(asset.code_url, look, options.size)
          : (await drawQr(asset.code_url, asset.code, options)).bytes;
      yield {
        name: `${name}.${options.format}`,
        bytes: typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
      };
    }
  }
}

/** An asset that has a code. Throws 404 without an active link. */
export async function getAssetWithQr(ctx: Context, id: string): Promise<Asset> {
  const asset = await getAsset(ctx, id);
  if (!hasQr(asset)) {
    const message = `This poster has no QR code: its link is ${asset.link.status}.`;
    throw new ServiceError(404, { message });
  }
  return asset;
}

/** The QR file of an asset. Throws 404 without an active link, or 422 if the modules would be too small. */
export async function getAssetQr(ctx: Context, id: string, options: QrOptions): Promise<QrFile> {
  const asset = await getAssetWithQr(ctx, id);
  return drawQr(asset.code_url, asset.code, options);
}
