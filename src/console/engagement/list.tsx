import type { Hono } from "hono";
import { listAssetsQuery } from "../../engagement/schema";
import { type Asset, type AssetCounts, listAssetPage } from "../../engagement/service";
import { ASSET_STATUSES } from "../../lib/asset-status";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { Pager } from "../shell/pager";
import { type ConsoleEnv, readQuery } from "../shell/request";
import { Badge, Empty, number, Time, words } from "../shell/text";

const AssetRow = ({ asset, workspace }: { asset: Asset; workspace: string }) => (
  <tr>
    <th scope="row">
      <a href={href.asset(workspace, asset.id)}>{asset.name}</a>
    </th>
    <td data-label="Kind">{words(asset.kind)}</td>
    <td data-label="Status">
      <Badge of={asset.status} />
    </td>
    <td data-label={asset.place === null ? undefined : "Place"}>{asset.place}</td>
    <td data-label={asset.quantity === null ? undefined : "Quantity"} class="number">
      {asset.quantity === null ? "" : number(asset.quantity)}
    </td>
    <td data-label="Link">
      {asset.link.status === "deleted" ? (
        <span class="soft">/{asset.link.slug} (deleted)</span>
      ) : (
        <a href={href.link(workspace, asset.link.id)}>/{asset.link.slug}</a>
      )}
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

/** A link for each status, with the number of assets. */
const StatusFilter = ({
  workspace,
  chosen,
  counts,
}: {
  workspace: string;
  chosen: string | undefined;
  counts: AssetCounts;
}) => {
  const all = ASSET_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const choices = [
    [undefined, "All", all] as const,
    ...ASSET_STATUSES.map((status) => [status, words(status), counts[status] ?? 0] as const),
  ];
  return (
    <nav aria-label="By status">
      <ul class="choices">
        {choices.map(([status, label, assets]) => (
          <li>
            <a
              class="choice"
              href={href.assets(workspace, { status })}
              aria-current={status === chosen ? "true" : undefined}
            >
              {label} ({number(assets)})
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

export function registerAssetList(app: Hono<ConsoleEnv>): void {
  app.get(paths.assets, async (c) => {
    const { workspace, role } = c.var.membership;
    const query = readQuery(listAssetsQuery, c);
    const { items, meta, counts } = await listAssetPage(c.var.ctx, query);
    const { current_page: page } = meta;
    const turn = (to: number) => href.assets(workspace.slug, { status: query.status, page: to });
    const create = (
      <a class="button primary" href={href.newAsset(workspace.slug)}>
        Create an asset
      </a>
    );
    const isEmpty = Object.keys(counts).length === 0;
    return showPage(
      c,
      {
        title: "Offline Engagement assets",
        section: "assets",
        ...(role !== "viewer" && !isEmpty && { actions: create }),
      },
      isEmpty ? (
        <Empty>
          <p>
            An asset is a thing in the world that carries a link as a QR code: a poster, a flyer, a package, a
            sign.
          </p>
          <p>While one is live, its link cannot be deleted, so no printed code leads nowhere.</p>
          {role !== "viewer" && create}
        </Empty>
      ) : (
        <div class="stack">
          <StatusFilter workspace={workspace.slug} chosen={query.status} counts={counts} />
          {items.length === 0 ? (
            <Empty>
              <p>No asset is {query.status === undefined ? "on this page" : query.status} here.</p>
              <a href={href.assets(workspace.slug)}>Show all of them</a>
            </Empty>
          ) : (
            <table class="list">
              <caption class="unseen">Offline Engagement assets, the newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Kind</th>
                  <th scope="col">Status</th>
                  <th scope="col">Place</th>
                  <th scope="col" class="number">
                    Quantity
                  </th>
                  <th scope="col">Link</th>
                  <th scope="col">First live</th>
                </tr>
              </thead>
              <tbody>
                {items.map((asset) => (
                  <AssetRow asset={asset} workspace={workspace.slug} />
                ))}
              </tbody>
            </table>
          )}
          <Pager
            meta={meta}
            of="assets"
            previous={page > 1 ? turn(page - 1) : undefined}
            next={page < meta.last_page ? turn(page + 1) : undefined}
          />
        </div>
      ),
    );
  });
}
