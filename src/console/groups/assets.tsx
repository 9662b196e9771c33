import { assetColumns, scansColumn } from "../clicks/asset-columns";
import { href } from "../href";
import { nameOf, UserText } from "../links/link-text";
import { Table } from "../shell/table";
import { count, Empty, number } from "../shell/text";
import type { GroupAssetList } from "./report";

/** The assets of a group's links, the most scanned first. */
export const GroupAssets = ({
  workspace,
  group,
  list: { assets, isMore, previousScans },
  canCreate,
}: {
  workspace: string;
  group: string;
  list: GroupAssetList;
  canCreate: boolean;
}) => (
  <section class="stack" aria-labelledby="assets">
    <div class="heading">
      <h2 id="assets">Offline Engagement</h2>
      <div class="actions">
        {canCreate && (
          <a class="button" href={href.newAssets(workspace, { group })}>
            Create assets
          </a>
        )}
        {assets.length > 0 && (
          <a class="button" href={href.printAssets(workspace, { group })}>
            Print the assets' QR codes
          </a>
        )}
      </div>
    </div>
    {assets.length === 0 ? (
      <Empty>
        <p>
          No asset carries a link of this group. Posters, flyers and signs have codes of their own, so the
          scans of each are counted apart.
        </p>
      </Empty>
    ) : (
      <Table
        caption="Assets of this Activity Group by scans"
        rows={assets}
        columns={[
          ...assetColumns(workspace),
          {
            heading: "Link",
            cell: (asset) => (
              <a href={href.link(workspace, asset.link)}>
                <UserText text={nameOf(asset)} />
              </a>
            ),
          },
          scansColumn,
        ]}
      />
    )}
    {isMore && (
      <p class="soft">
        These are the {number(assets.length)} most scanned ones.{" "}
        <a href={href.assets(workspace)}>All assets of the workspace</a>
      </p>
    )}
    {previousScans > 0 && (
      <p class="soft">
        {count(previousScans, "scan")}{" "}
        {previousScans === 1
          ? "is of an asset that was moved or removed since."
          : "are of assets that were moved or removed since."}
      </p>
    )}
  </section>
);
