import type { GroupAsset } from "../../clicks/of-group";
import { AssetCells } from "../clicks/asset-cells";
import { href } from "../href";
import { nameOf, UserText } from "../links/link-text";
import { number } from "../shell/text";

/** The assets of a group's links, the most scanned first. */
export const GroupAssets = ({
  workspace,
  group,
  assets,
  most,
}: {
  workspace: string;
  group: string;
  assets: readonly GroupAsset[];
  /** The number of assets that are listed, if there are more. */
  most: number | undefined;
}) => (
  <section class="stack" aria-labelledby="assets">
    <div class="heading">
      <h2 id="assets">Offline Engagement</h2>
      <div class="actions">
        <a class="button" href={href.printAssets(workspace, { group })}>
          Print their QR codes
        </a>
      </div>
    </div>
    <table class="list">
      <caption class="unseen">Assets of this Activity Group by scans</caption>
      <thead>
        <tr>
          <th scope="col">Asset</th>
          <th scope="col">Place</th>
          <th scope="col">Status</th>
          <th scope="col">Link</th>
          <th scope="col" class="number">
            Scans
          </th>
        </tr>
      </thead>
      <tbody>
        {assets.map((asset) => (
          <tr>
            <AssetCells workspace={workspace} asset={asset} />
            <td data-label="Link">
              <a href={href.link(workspace, asset.link)}>
                <UserText text={nameOf(asset)} />
              </a>
            </td>
            <td data-label="Scans" class="number">
              {number(asset.scans)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {most !== undefined && <p class="hint">Only the {number(most)} most scanned assets are listed.</p>}
  </section>
);
