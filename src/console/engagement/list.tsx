import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import type { Child } from "hono/jsx";
import { findByName } from "../../engagement/choose";
import { toLinkReference } from "../../engagement/link-reference";
import { hasQr } from "../../engagement/qr";
import { listAssetsQuery, MAX_ASSETS_OF_LINK } from "../../engagement/schema";
import { type AssetCounts, listAssetPage } from "../../engagement/service";
import { ASSET_STATUSES } from "../../lib/asset-status";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { Pager } from "../shell/pager";
import { type ConsoleEnv, type PageContext, readQuery } from "../shell/request";
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
      Each has a code of its own, so it can be moved to another link without printing it again. While one is
      live, its link cannot be deleted, so no printed code leads nowhere.
    </p>
  </>
);

function noneText({ status, q }: Filter, slug: string | undefined): string {
  if (q !== undefined) return "No asset of this link has this name or place.";
  if (status !== undefined) return `No asset is ${status} here.`;
  return slug === undefined ? "No asset is on this page here." : "This link has no assets yet.";
}

/** The assets of the link that the filter names, or a page of all; undefined for an unknown link. */
async function readShown(
  c: PageContext,
  filter: Filter,
  page: number,
  link: { public_id: string; slug: string } | undefined,
) {
  if (link !== undefined) return listOfLink(c, filter, { id: link.public_id, slug: link.slug });
  if (filter.link !== undefined) return undefined;
  const listed = await listAssetPage(c.var.ctx, { status: filter.status, page });
  return { ...listed, slug: undefined, linkId: undefined, isCut: false };
}

const NoAssets = ({ workspace, children }: { workspace: string; children?: Child }) => (
  <Empty>
    <p>{children}</p>
    <a href={href.assets(workspace)}>Show all of them</a>
  </Empty>
);

const Listed = ({
  workspace,
  filter,
  page,
  shown: { items, meta, counts, slug, linkId, isCut },
}: {
  workspace: string;
  filter: Filter;
  page: number;
  shown: Shown;
}) => {
  const turn = (to: number) => href.assets(workspace, { status: filter.status, page: to });
  return (
    <>
      <StatusFilter workspace={workspace} filter={filter} counts={counts} />
      {isCut && (
        <p class="warning">
          The link has more assets. Only the first {MAX_ASSETS_OF_LINK} are listed and searched here.
        </p>
      )}
      {items.length === 0 ? (
        <NoAssets workspace={workspace}>{noneText(filter, slug)}</NoAssets>
      ) : (
        <AssetTable items={items} workspace={workspace} />
      )}
      <Pager
        meta={meta}
        of="assets"
        previous={page > 1 ? turn(page - 1) : undefined}
        next={page < meta.last_page ? turn(page + 1) : undefined}
      />
      {linkId !== undefined && items.some(hasQr) && (
        <p>
          <a href={href.printAssets(workspace, { link: linkId })}>
            Print the QR codes of all assets of this link
          </a>
        </p>
      )}
    </>
  );
};

export function registerAssetList(app: Hono<ConsoleEnv>): void {
  app.get(paths.assets, async (c) => {
    const { ctx, membership } = c.var;
    const { workspace, role } = membership;
    const { page = 1, status, link, q } = readQuery(query, c);
    const filter: Filter = { status, link, q };
    const named =
      link === undefined ? undefined : await findByName(ctx, toLinkReference(link, ctx.config.shortBaseUrl));
    if (named?.asset !== undefined) return c.redirect(href.asset(workspace.slug, named.asset.id), 303);
    const shown = await readShown(c, filter, page, named?.link);
    const create = <CreateButtons workspace={workspace.slug} linkId={shown?.linkId} />;
    const isEmpty = link === undefined && Object.keys(shown?.counts ?? {}).length === 0;
    const options = {
      title: shown?.slug === undefined ? "Offline Engagement assets" : `Assets of /${shown.slug}`,
      section: "assets" as const,
      ...(role !== "viewer" && !isEmpty && { actions: create }),
    };
    if (isEmpty) {
      return showPage(
        c,
        options,
        <Empty>
          <Explanation />
          {role !== "viewer" && <p class="row">{create}</p>}
        </Empty>,
      );
    }
    return showPage(
      c,
      options,
      <div class="stack">
        <FindForm workspace={workspace.slug} filter={filter} shownLink={shown?.slug} />
        {shown === undefined ? (
          <NoAssets workspace={workspace.slug}>
            No link or asset of this workspace has this slug, code or ID.
          </NoAssets>
        ) : (
          <Listed workspace={workspace.slug} filter={filter} page={page} shown={shown} />
        )}
      </div>,
    );
  });
}
