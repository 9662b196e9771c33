import { z } from "@hono/zod-openapi";
import { applyBeforeReport } from "../../analytics/queue";
import { writtenAddress } from "../../lib/short-url";
import { SHORT_HOST } from "../../lib/slug-text";
import { getGroupOverview } from "../../resources/activity-groups/group-service";
import { hasQr } from "../../resources/engagement/asset-qr";
import { changedAssets, listAssetsQuery } from "../../resources/engagement/asset-schema";
import { findByName } from "../../resources/engagement/asset-service";
import { toLinkReference } from "../../resources/engagement/link-reference";
import {
  listAssetPage,
  MAX_LISTED_ASSETS,
  MAX_SORTED_ASSETS,
  SCANS_OF_DAYS,
  UNSCANNED_DAYS,
} from "../../resources/engagement/list-assets";
import { changeAssets as changeMany } from "../../resources/engagement/update-asset";
import { ButtonLink } from "../shell/button";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice, toReturnPath } from "../shell/layout";
import { Pager } from "../shell/list-controls";
import { checked, type Form, type PageContext, readQuery } from "../shell/page-request";
import { count, Empty, number } from "../shell/text";
import { type Filter, FindForm, StatusFilter } from "./asset-filters";
import { AssetTable } from "./asset-table";

const assetsQuery = listAssetsQuery.extend({ link: z.string().max(300).optional() });

function noneText(
  { status, q, place, unscanned, ended, after_end }: Filter,
  slug: string | undefined,
): string {
  if (after_end !== undefined)
    return "No poster has been scanned after the end of its link, or after it was retired.";
  if (ended !== undefined) return "No live poster leads to a link or campaign that has ended.";
  if (unscanned !== undefined)
    return `Every poster that has been live for ${UNSCANNED_DAYS} days has been scanned since.`;
  if (q !== undefined || place !== undefined) return "No poster here has this name or place.";
  if (status !== undefined) return `No poster is ${status} here.`;
  return slug === undefined ? "This page has no posters." : "This link has no posters yet.";
}

const NoAssets = ({ text }: { text: string }) => (
  <Empty text={text}>
    <a href={here.assets()}>Show all</a>
  </Empty>
);

export async function showAssets(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor } = c.var;
  const { link, ...wanted } = readQuery(assetsQuery, c);
  const { page: _, ...narrowed } = wanted;
  const filter: Filter = { ...narrowed, link };
  await applyBeforeReport(ctx);
  const reference = link === undefined ? undefined : toLinkReference(link, ctx.config);
  const [named, group, page] = await Promise.all([
    reference === undefined ? undefined : findByName(ctx, reference),
    wanted.group === undefined ? undefined : getGroupOverview(ctx, wanted.group),
    listAssetPage(ctx, wanted, reference),
  ]);
  if (named?.asset !== undefined) return c.redirect(href.asset(workspace, named.asset.id), 303);
  const shown = named !== undefined && named.link === undefined ? undefined : page;
  const of = named?.link === undefined ? group?.name : `/${named.link.slug}`;
  const linkQuery = { link: named?.link?.public_id };
  const ofQuery = { ...linkQuery, group: wanted.group };
  const create = (
    <>
      <ButtonLink to={href.newAssets(workspace, ofQuery)} label="Create several" />
      <ButtonLink to={href.newAsset(workspace, linkQuery)} label="Create a poster" icon="plus" isPrimary />
    </>
  );
  const isEmpty =
    shown !== undefined &&
    shown.meta.total === 0 &&
    Object.values(filter).every((value) => value === undefined);
  return c.render(
    <Page
      title={of === undefined ? "Posters" : `Posters of ${of}`}
      section="assets"
      crumbs={
        group !== undefined
          ? ["groups", { label: group.name, href: href.group(workspace, group.id, { tab: "posters" }) }]
          : of === undefined
            ? []
            : ["assets"]
      }
      actions={
        <>
          {of !== undefined && shown?.items.some(hasQr) === true && (
            <ButtonLink to={href.printAssets(workspace, ofQuery)} label="Print QR codes" icon="print" />
          )}
          {isEditor && !isEmpty && create}
        </>
      }
    >
      {isEmpty ? (
        <Empty>
          <p>
            A poster is anything that shows a link as a QR code. Flyers, packages and signs are posters here
            too.
          </p>
          <p>
            Each has a code of its own, so it can be moved to another link without printing it again. While
            one is live, its link cannot be deleted, so no printed code leads nowhere.
          </p>
          {isEditor && <p class="row">{create}</p>}
        </Empty>
      ) : (
        <div class="stack">
          <FindForm
            filter={filter}
            shownLink={named?.link && writtenAddress(ctx.config, named.link.slug_key, SHORT_HOST)}
            places={shown?.places ?? []}
          />
          {shown === undefined ? (
            <NoAssets text="No link or poster of this workspace has this slug, code or ID." />
          ) : (
            <>
              <StatusFilter filter={filter} counts={shown.counts} />
              {shown.isCut && (
                <p class="warning">
                  There are more than {number(MAX_SORTED_ASSETS)} posters. Only the newest{" "}
                  {number(MAX_SORTED_ASSETS)} are searched and ordered, and the newest{" "}
                  {number(MAX_LISTED_ASSETS)} listed; choose a link to find all of its posters.
                </p>
              )}
              {shown.items.length === 0 ? (
                <NoAssets text={noneText(filter, named?.link?.slug)} />
              ) : (
                <AssetTable
                  caption="Posters"
                  items={shown.items}
                  scans={shown.scans}
                  scansHeading={`Scans, ${SCANS_OF_DAYS} days`}
                  afterEnd={filter.after_end === undefined ? undefined : shown.summaryOf}
                  change={href.changeAssets(workspace, { ...filter })}
                />
              )}
              <Pager meta={shown.meta} of="poster" />
            </>
          )}
        </div>
      )}
    </Page>,
  );
}

export async function changeAssets(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { status, to_link: named = "" } = form.fields;
  const ids = form.all("id");
  const input =
    status === "move"
      ? checked(changedAssets.required({ link: true }), { ids, link: toLinkReference(named, ctx.config) })
      : checked(changedAssets.required({ status: true }), { ids, status });
  const { changed, left, link, batch } = await changeMany(ctx, input);
  const verb = changed === 1 ? "is" : "are";
  const state = link === undefined ? `${status} now.` : `on /${link.slug} now. What is printed stays valid.`;
  const done = changed === 0 ? "No poster was changed." : `${count(changed, "poster")} ${verb} ${state}`;
  const others = left === 0 ? "" : ` ${count(left, "poster stays", "posters stay")} as before.`;
  const to = toReturnPath(c, c.req.query("back")) ?? href.assets(workspace, { ...readQuery(assetsQuery, c) });
  return redirectWithNotice(c, to, done + others, changed === 0 ? undefined : batch);
}
