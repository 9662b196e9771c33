import type { QrOptions } from "../qr/render";
import { drawQr } from "../qr/service";
import type { Asset } from "./asset";
import { assetFileName } from "./file-name";
import { hasQr } from "./qr";
import { type ZipFile, zip } from "./zip";

/**
 * The QR files of assets as a ZIP archive, one for each asset and format. Each is drawn when the one before it has been
 * sent, so the archive is never in memory. Assets whose links are archived or deleted are left out.
 */
export const zipAssets = (
  assets: readonly Asset[],
  formats: readonly QrOptions[],
): AsyncGenerator<Uint8Array> => zip(draw(assets.filter(hasQr), formats));

async function* draw(assets: readonly Asset[], formats: readonly QrOptions[]): AsyncGenerator<ZipFile> {
  for (const [index, asset] of assets.entries()) {
    const name = assetFileName(index, assets.length, asset);
    for (const options of formats) {
      const { bytes } = await drawQr(asset.code_url, asset.code, options);
      yield {
        name: `${name}.${options.format}`,
        bytes: typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
      };
    }
  }
}
