import { hasQr } from "../../engagement/qr";
import type { Asset } from "../../engagement/service";
import { href } from "../href";
import { Badge, number, Time, words } from "../shell/text";

const AssetRow = ({ asset, workspace }: { asset: Asset; workspace: string }) => (
  <tr>
    <td class="pick">
      {hasQr(asset) && (
        <input type="checkbox" name="id" value={asset.id} aria-label={`Choose ${asset.name}`} />
      )}
    </td>
    <th scope="row">
      <a href={href.asset(workspace, asset.id)}>
        <bdi>{asset.name}</bdi>
      </a>
    </th>
    <td data-label={asset.place === null ? undefined : "Place"}>{asset.place && <bdi>{asset.place}</bdi>}</td>
    <td data-label={asset.code === null ? undefined : "Code"}>{asset.code}</td>
    <td data-label="Link">
      {asset.link.status === "deleted" ? (
        <span class="soft">/{asset.link.slug} (deleted)</span>
      ) : (
        <a href={href.link(workspace, asset.link.id)}>/{asset.link.slug}</a>
      )}
    </td>
    <td data-label="Kind">{words(asset.kind)}</td>
    <td data-label={asset.quantity === null ? undefined : "Quantity"} class="number">
      {asset.quantity === null ? "" : number(asset.quantity)}
    </td>
    <td data-label="Status">
      <Badge of={asset.status} />
    </td>
    <td data-label="First live">
      {asset.live_at === null ? (
        <span class="soft">{asset.status === "draft" ? "Not yet" : "Never"}</span>
      ) : (
        <Time at={asset.live_at} />
      )}
    </td>
  </tr>
);

/** The table, and what can be done with the chosen assets. */
export const AssetTable = ({ items, workspace }: { items: readonly Asset[]; workspace: string }) => (
  <form method="get" action={href.printAssets(workspace)} class="stack">
    <label class="tick" hidden>
      <input type="checkbox" data-ticks="id" />
      Choose all assets of this page
    </label>
    <table class="list">
      <caption class="unseen">Offline Engagement assets, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">Choose</span>
          </th>
          <th scope="col">Name</th>
          <th scope="col">Place</th>
          <th scope="col">Code</th>
          <th scope="col">Link</th>
          <th scope="col">Kind</th>
          <th scope="col" class="number">
            Quantity
          </th>
          <th scope="col">Status</th>
          <th scope="col">First live</th>
        </tr>
      </thead>
      <tbody>
        {items.map((asset) => (
          <AssetRow asset={asset} workspace={workspace} />
        ))}
      </tbody>
    </table>
    {items.some(hasQr) && (
      <fieldset class="change">
        <legend>With the chosen assets</legend>
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
