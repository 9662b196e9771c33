import { z } from "@hono/zod-openapi";
import { writtenAddress } from "../../lib/short-url";
import { SHORT_HOST } from "../../lib/slug-text";
import { isoTime } from "../../lib/time";
import { toLinkReference } from "../../resources/engagement/link-reference";
import {
  type AssetsPage,
  listAssetPage,
  MAX_LISTED_ASSETS,
  MAX_SORTED_ASSETS,
  SCANS_OF_DAYS,
  UNSCANNED_DAYS,
} from "../../resources/engagement/list";
import { hasQr } from "../../resources/engagement/qr";
import { listAssetsQuery } from "../../resources/engagement/schema";
import { findByName } from "../../resources/engagement/service";
import type { AssetSummary } from "../../resources/engagement/statements";
import { ButtonLink } from "../shell/button";
import { Fields } from "../shell/form";
import { here, href } from "../shell/href";
import { Page, Refusal } from "../shell/layout";
import { Pager, TickAll, WithChosen } from "../shell/list";
import { FindField } from "../shell/picker";
import { currentPage, type PageContext, readQuery } from "../shell/request";
import { Table } from "../shell/table";
import { Badge, Empty, NameLink, number, Time, words } from "../shell/text";
import { type Filter, FindForm, StatusFilter } from "./find";

const MOVES = [
  ["retired", "Retire"],
  ["live", "Set live"],
] as const;

const ChangeButton = ({ status, label, filter }: { status: string; label: string; filter: Filter }) => (
  <button
    type="submit"
    name="status"
    value={status}
    formmethod="post"
    formaction={here.changeAssets({ ...filter })}
  >
    {label}
  </button>
);

/** How often an asset was scanned after its end, and when last. */
const AfterEnd = ({ summary }: { summary: AssetSummary | undefined }) => (
  <>
    {number(summary?.after_end ?? 0)}
    {summary?.last_after_end != null && (
      <span class="small soft block">
        Last <Time at={isoTime(summary.last_after_end)} exact />
      </span>
    )}
  </>
);

/** The table, and what can be done with the chosen assets. */
const AssetTable = ({
  items,
  scans,
  summaryOf,
  filter,
}: Pick<AssetsPage, "items" | "scans" | "summaryOf"> & {
  filter: Filter;
}) => (
  <form class="bulk" method="get" action={here.printAssets()}>
    <TickAll name="id" />
    <Table
      caption="Assets"
      rows={items}
      columns={[
        {
          heading: <span class="unseen">Select</span>,
          kind: "pick",
          cell: (asset) =>
            hasQr(asset) && (
              <input
                type="checkbox"
                name="id"
                value={asset.id}
                checked={currentPage().var.form?.all("id").includes(asset.id) === true}
                aria-label={`Select ${asset.name}`}
              />
            ),
        },
        {
          heading: "Name",
          isName: true,
          cell: ({ id, name, kind, quantity }) => (
            <>
              <NameLink to={here.asset(id)} name={name} />
              <span class="small soft block">
                {words(kind)}
                {quantity !== null && `, ${number(quantity)} of them`}
              </span>
            </>
          ),
        },
        { heading: "Place", cell: ({ place }) => place !== null && <bdi>{place}</bdi> },
        {
          heading: "Link",
          cell: ({ link, code }) => (
            <>
              {link.status === "deleted" ? (
                <span class="soft">/{link.slug} (deleted)</span>
              ) : (
                <a href={here.link(link.id)}>/{link.slug}</a>
              )}
              <span class="small soft block">Code {code}</span>
            </>
          ),
        },
        {
          heading: `Scans, ${SCANS_OF_DAYS} days`,
          kind: "number",
          cell: ({ id }) => number(scans.get(id) ?? 0),
        },
        filter.after_end !== undefined && {
          heading: "After the end",
          kind: "number",
          cell: ({ id }) => <AfterEnd summary={summaryOf.get(id)} />,
        },
        {
          heading: "Status",
          cell: ({ status, live_at: liveAt }) => (
            <>
              <Badge of={status} />
              {liveAt !== null && (
                <span class="small soft block spare">
                  First live <Time at={liveAt} />
                </span>
              )}
            </>
          ),
        },
      ]}
    />
    {items.some(hasQr) && (
      <WithChosen name="id" of="asset">
        <div class="row">
          <button type="submit">Print their QR codes</button>
          <button type="submit" formaction={here.assetFiles()}>
            Download SVG files as ZIP
          </button>
          {currentPage().var.isEditor &&
            MOVES.map(([status, label]) => <ChangeButton status={status} label={label} filter={filter} />)}
        </div>
        {currentPage().var.isEditor && (
          <Fields action={here.changeAssets()}>
            <div class="search">
              <FindField
                name="to"
                error="link"
                label="Move them to the link"
                hint="Its slug, short link or ID. What is printed stays valid."
                from={here.suggestLinks()}
              />
              <ChangeButton status="move" label="Move" filter={filter} />
            </div>
          </Fields>
        )}
      </WithChosen>
    )}
  </form>
);

export const assetsQuery = listAssetsQuery.extend({ link: z.string().max(300).optional() });

const CreateButtons = ({ linkId }: { linkId: string | undefined }) => {
  const query = linkId === undefined ? {} : { link: linkId };
  return (
    <>
      <ButtonLink to={here.newAsset(query)} label="Create an asset" isPrimary />
      <ButtonLink to={here.newAssets(query)} label="Create several" />
    </>
  );
};

function noneText(
  { status, q, place, unscanned, ended, after_end }: Filter,
  slug: string | undefined,
): string {
  if (after_end !== undefined)
    return "No asset has been scanned after the end of its link, or after it was retired.";
  if (ended !== undefined) return "No live asset leads to a link or campaign that has ended.";
  if (unscanned !== undefined)
    return `Every asset that has been live for ${UNSCANNED_DAYS} days has been scanned since.`;
  if (q !== undefined || place !== undefined) return "No asset here has this name or place.";
  if (status !== undefined) return `No asset is ${status} here.`;
  return slug === undefined ? "This page has no assets." : "This link has no assets yet.";
}

const NoAssets = ({ text }: { text: string }) => (
  <Empty text={text}>
    <a href={here.assets()}>Show all</a>
  </Empty>
);

const Listed = ({
  filter,
  link,
  shown: { items, scans, summaryOf, meta, counts, isCut },
}: {
  filter: Filter;
  link: { public_id: string; slug: string } | undefined;
  shown: AssetsPage;
}) => (
  <>
    <StatusFilter filter={filter} counts={counts} />
    {isCut && (
      <p class="warning">
        There are more than {number(MAX_SORTED_ASSETS)} assets. Only the newest {number(MAX_SORTED_ASSETS)}{" "}
        are searched and ordered, and the newest {number(MAX_LISTED_ASSETS)} listed; choose a link to find all
        of its assets.
      </p>
    )}
    {items.length === 0 ? (
      <NoAssets text={noneText(filter, link?.slug)} />
    ) : (
      <AssetTable items={items} scans={scans} summaryOf={summaryOf} filter={filter} />
    )}
    <Pager
      meta={meta}
      of={["asset", "assets"]}
      hrefOf={(to) => here.assets({ ...filter, page: to === 1 ? undefined : to })}
    />
    {link !== undefined && items.some(hasQr) && (
      <p>
        <a href={here.printAssets({ link: link.public_id })}>Print the QR codes of all assets of this link</a>
      </p>
    )}
  </>
);

export async function showAssets(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor } = c.var;
  const { link, ...wanted } = readQuery(assetsQuery, c);
  const { page: _, ...narrowed } = wanted;
  const filter: Filter = { ...narrowed, link };
  const reference = link === undefined ? undefined : toLinkReference(link, ctx.config);
  const [named, page] = await Promise.all([
    reference === undefined ? undefined : findByName(ctx, reference),
    listAssetPage(ctx, wanted, reference),
  ]);
  if (named?.asset !== undefined) return c.redirect(href.asset(workspace, named.asset.id), 303);
  const shown = named !== undefined && named.link === undefined ? undefined : page;
  const create = <CreateButtons linkId={named?.link?.public_id} />;
  const isEmpty =
    shown !== undefined &&
    shown.meta.total === 0 &&
    Object.values(filter).every((value) => value === undefined);
  return c.render(
    <Page
      title={named?.link === undefined ? "Offline Engagement" : `Assets of /${named.link.slug}`}
      section="assets"
      crumbs={named?.link === undefined ? [] : ["assets"]}
      actions={isEditor && !isEmpty && create}
    >
      {isEmpty ? (
        <Empty>
          <p>
            An asset is a thing in the world that carries a link as a QR code: a poster, a flyer, a package, a
            sign.
          </p>
          <p>
            Each has a code of its own, so it can be moved to another link without printing it again. While
            one is live, its link cannot be deleted, so no printed code leads nowhere.
          </p>
          {isEditor && <p class="row">{create}</p>}
        </Empty>
      ) : (
        <div class="stack">
          <Refusal />
          <FindForm
            filter={filter}
            shownLink={named?.link && writtenAddress(ctx.config, named.link.slug_key, SHORT_HOST)}
            places={shown?.places ?? []}
          />
          {shown === undefined ? (
            <NoAssets text="No link or asset of this workspace has this slug, code or ID." />
          ) : (
            <Listed filter={filter} link={named?.link} shown={shown} />
          )}
        </div>
      )}
    </Page>,
  );
}
