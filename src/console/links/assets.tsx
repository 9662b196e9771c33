import type { AssetScans } from "../../analytics/asset-report";
import { assetColumns, scansColumn } from "../engagement/columns";
import { href } from "../href";
import { Table } from "../shell/table";
import { Card, number } from "../shell/text";

const MAX_SHOWN = 10;

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
    <Card id="assets" title="Offline Engagement">
      <Table
        caption="Assets with their scans in this time"
        rows={assets.slice(0, MAX_SHOWN)}
        columns={[
          ...assetColumns(workspace),
          scansColumn,
          hasAfterEnd && {
            heading: "After the end",
            kind: "number",
            cell: ({ after_end }: AssetScans) => number(after_end),
          },
        ]}
      />
      {assets.length > MAX_SHOWN && (
        <p class="soft">
          The {MAX_SHOWN} most scanned ones of {isMore && "more than "}
          {number(assets.length)}.
        </p>
      )}
      <p>
        <a href={href.assets(workspace, { link })}>All assets of this link</a>
      </p>
    </Card>
  );
};
