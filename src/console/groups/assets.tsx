import { assetColumns, scansColumn } from "../clicks/asset-columns";
import { nameOf } from "../links/link-text";
import { ButtonLink } from "../shell/button";
import { here } from "../shell/href";
import { Table } from "../shell/table";
import { count, Empty, NameLink, number } from "../shell/text";
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
        {canCreate && <ButtonLink to={here.newAssets({ group })} label="Create assets" />}
        {assets.length > 0 && (
          <ButtonLink to={here.printAssets({ group })} label="Print the assets' QR codes" />
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
            cell: (asset) => <NameLink to={here.link(asset.link)} name={nameOf(asset)} />,
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
