import { type AssetsPage, SCANS_OF_DAYS } from "../../resources/engagement/list";
import { hasQr } from "../../resources/engagement/qr";
import type { Asset } from "../../resources/engagement/service";
import { href } from "../href";
import { Badge, number, Time, words } from "../shell/text";

const AssetRow = ({ asset, scans, workspace }: { asset: Asset; scans: number; workspace: string }) => (
  <tr>
    <td class="pick">
      {hasQr(asset) && (
        <input type="checkbox" name="id" value={asset.id} aria-label={`Select ${asset.name}`} />
      )}
    </td>
    <th scope="row">
      <a href={href.asset(workspace, asset.id)}>
        <bdi>{asset.name}</bdi>
      </a>
      <span class="small soft block">
        {words(asset.kind)}
        {asset.quantity !== null && `, ${number(asset.quantity)} of them`}
      </span>
    </th>
    <td data-label={asset.place === null ? undefined : "Place"}>{asset.place && <bdi>{asset.place}</bdi>}</td>
    <td data-label="Link">
      {asset.link.status === "deleted" ? (
        <span class="soft">/{asset.link.slug} (deleted)</span>
      ) : (
        <a href={href.link(workspace, asset.link.id)}>/{asset.link.slug}</a>
      )}
      <span class="small soft block">Code {asset.code}</span>
    </td>
    <td class="number" data-label={`Scans, ${SCANS_OF_DAYS} days`}>
      {number(scans)}
    </td>
    <td data-label="Status">
      <Badge of={asset.status} />
      {asset.live_at !== null && (
        <span class="small soft block">
          First live <Time at={asset.live_at} />
        </span>
      )}
    </td>
  </tr>
);

/** The table, and what can be done with the chosen assets. */
export const AssetTable = ({
  items,
  scans,
  workspace,
}: {
  items: readonly Asset[];
  scans: AssetsPage["scans"];
  workspace: string;
}) => (
  <form class="bulk" method="get" action={href.printAssets(workspace)}>
    <label class="tick" hidden>
      <input type="checkbox" data-ticks="id" />
      Select all on this page
    </label>
    <table class="list">
      <caption class="unseen">Assets</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">Select</span>
          </th>
          <th scope="col">Name</th>
          <th scope="col">Place</th>
          <th scope="col">Link</th>
          <th scope="col" class="number">
            Scans, {SCANS_OF_DAYS} days
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {items.map((asset) => (
          <AssetRow asset={asset} scans={scans.get(asset.id) ?? 0} workspace={workspace} />
        ))}
      </tbody>
    </table>
    {items.some(hasQr) && (
      <fieldset class="change" data-counts="id">
        <legend>
          <span class="spare">With the </span>
          <span data-count="asset">selected assets</span>
        </legend>
        <div class="row">
          <button type="submit">Print their QR codes</button>
          <button type="submit" formaction={href.assetFiles(workspace)}>
            Download SVG files as ZIP
          </button>
        </div>
      </fieldset>
    )}
  </form>
);
