import type { AssetScans } from "../../analytics/asset-report";
import { AssetCells, AssetHeadings } from "../clicks/asset-cells";
import { href } from "../href";
import { number } from "../shell/text";

const MAX_SHOWN = 10;

const Row = ({
  workspace,
  asset,
  hasAfterEnd,
}: {
  workspace: string;
  asset: AssetScans;
  hasAfterEnd: boolean;
}) => (
  <tr>
    <AssetCells workspace={workspace} asset={asset} />
    <td data-label="Scans" class="number">
      {number(asset.scans)}
    </td>
    {hasAfterEnd && (
      <td data-label="After the end" class="number">
        {number(asset.after_end)}
      </td>
    )}
  </tr>
);

/** The assets that a link is on, with their scans in the range; nothing for a link without assets. */
export const LinkAssets = ({
  workspace,
  link,
  assets,
  isMore,
}: {
  workspace: string;
  link: string;
  assets: readonly AssetScans[];
  isMore: boolean;
}) => {
  if (assets.length === 0) return null;
  const hasAfterEnd = assets.some(({ after_end }) => after_end > 0);
  return (
    <section class="card" aria-labelledby="assets">
      <h2 id="assets">Offline Engagement</h2>
      <table class="list">
        <caption class="unseen">Assets with their scans in this time</caption>
        <thead>
          <tr>
            <AssetHeadings />
            <th scope="col" class="number">
              Scans
            </th>
            {hasAfterEnd && (
              <th scope="col" class="number">
                After the end
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {assets.slice(0, MAX_SHOWN).map((asset) => (
            <Row workspace={workspace} asset={asset} hasAfterEnd={hasAfterEnd} />
          ))}
        </tbody>
      </table>
      {assets.length > MAX_SHOWN && (
        <p class="soft">
          The {MAX_SHOWN} most scanned ones of {isMore && "more than "}
          {number(assets.length)}.
        </p>
      )}
      <p>
        <a href={href.assets(workspace, { link })}>All assets of this link</a>
      </p>
    </section>
  );
};
