import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { findByName } from "../../engagement/choose";
import { toLinkReference } from "../../engagement/link-reference";
import { hasQr } from "../../engagement/qr";
import { listAssetsQuery } from "../../engagement/schema";
import { type AssetCounts, listAssetPage } from "../../engagement/service";
import { ASSET_STATUSES } from "../../lib/asset-status";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { Pager } from "../shell/pager";
import { type ConsoleEnv, readQuery } from "../shell/request";
import { Empty, number, words } from "../shell/text";
import { type Filter, FindForm, listOfLink, type Shown } from "./find";
import { AssetTable } from "./table";

const query = listAssetsQuery.extend({
  link: z.string().max(300).optional(),
  q: z.string().max(200).optional(),
});

/** A link for each status, with the number of assets. */
const StatusFilter = ({
  workspace,
  filter: { status: chosen, ...others },
  counts,
}: {
  workspace: string;
  filter: Filter;
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
              href={href.assets(workspace, { ...others, status })}
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

const CreateButtons = ({ workspace, linkId }: { workspace: string; linkId: string | undefined }) => {
  const query = linkId === undefined ? {} : { link: linkId };
  return (
    <>
      <a class="button primary" href={href.newAsset(workspace, query)}>
        Create an asset
      </a>
      <a class="button" href={href.newAssets(workspace, query)}>
        Add several
      </a>
    </>
  );
};

const Explanation = () => (
  <>
    <p>
      An asset is a thing in the world that carries a link as a QR code: a poster, a flyer, a package, a sign.
    </p>
    <p>
      Each has a code of its own, so it can be led to another link without printing it again. While one is
      live, its link cannot be deleted, so no printed code leads nowhere.
    </p>
  </>
);

function noneText({ status, q }: Filter, slug: string | undefined): string {
  if (q !== undefined) return "No asset of this link has this name or place.";
  if (status !== undefined) return `No asset is ${status} here.`;
  return slug === undefined ? "No asset is on this page here." : "This link has no assets yet.";
}

export function registerAssetList(app: Hono<ConsoleEnv>): void {
  app.get(paths.assets, async (c) => {
    const { ctx, membership } = c.var;
    const { workspace, role } = membership;
    const { page = 1, status, link, q } = readQuery(query, c);
    const filter: Filter = { status, link, q };
    const named =
      link === undefined ? undefined : await findByName(ctx, toLinkReference(link, ctx.config.shortBaseUrl));
    if (named?.asset !== undefined) return c.redirect(href.asset(workspace.slug, named.asset.id), 303);
    const isUnknown = link !== undefined && named?.link === undefined;
    const { items, meta, counts, slug, linkId }: Shown =
      named?.link !== undefined
        ? await listOfLink(c, filter, { id: named.link.public_id, slug: named.link.slug })
        : { ...(await listAssetPage(ctx, { status, page })), slug: undefined, linkId: undefined };
    const turn = (to: number) => href.assets(workspace.slug, { status, page: to });
    const create = <CreateButtons workspace={workspace.slug} linkId={linkId} />;
    const isEmpty = link === undefined && Object.keys(counts).length === 0;
    return showPage(
      c,
      {
        title: slug === undefined ? "Offline Engagement assets" : `Assets of /${slug}`,
        section: "assets",
        ...(role !== "viewer" && !isEmpty && { actions: create }),
      },
      isEmpty ? (
        <Empty>
          <Explanation />
          {role !== "viewer" && <p class="row">{create}</p>}
        </Empty>
      ) : (
        <div class="stack">
          <FindForm workspace={workspace.slug} filter={filter} shownLink={slug} />
          {!isUnknown && <StatusFilter workspace={workspace.slug} filter={filter} counts={counts} />}
          {isUnknown || items.length === 0 ? (
            <Empty>
              <p>
                {isUnknown
                  ? "No link or asset of this workspace has this slug, code or ID."
                  : noneText(filter, slug)}
              </p>
              <a href={href.assets(workspace.slug)}>Show all of them</a>
            </Empty>
          ) : (
            <AssetTable items={items} workspace={workspace.slug} />
          )}
          {!isUnknown && (
            <Pager
              meta={meta}
              of="assets"
              previous={page > 1 ? turn(page - 1) : undefined}
              next={page < meta.last_page ? turn(page + 1) : undefined}
            />
          )}
          {linkId !== undefined && items.some(hasQr) && (
            <p>
              <a href={href.printAssets(workspace.slug, { link: linkId })}>
                Print the QR codes of all assets of this link
              </a>
            </p>
          )}
        </div>
      ),
    );
  });
}
