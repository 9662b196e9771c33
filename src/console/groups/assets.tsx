import { assetColumns, scansColumn } from "../clicks/asset-columns";
import { nameOf, UserText } from "../links/link-text";
import { here } from "../shell/page";
import { Table } from "../shell/table";
import { count, Empty, number } from "../shell/text";
import type { GroupAssetList } from "./report";

/** The assets of a group's links, the most scanned first. */
export const GroupAssets = ({
  group,
  list: { assets, isMore, previousScans },
  canCreate,
}: {
  group: string;
  list: GroupAssetList;
  canCreate: boolean;
}) => (
  <section class="stack" aria-labelledby="assets">
    <div class="heading">
      <h2 id="assets">Offline Engagement</h2>
      <div class="actions">
        {canCreate && (
          <a class="button" href={here.newAssets({ group })}>
            Create assets
          </a>
        )}
        {assets.length > 0 && (
          <a class="button" href={here.printAssets({ group })}>
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
          ...assetColumns,
          {
            heading: "Link",
            cell: (asset) => (
              <a href={here.link(asset.link)}>
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
        <a href={here.assets()}>All assets of the workspace</a>
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
