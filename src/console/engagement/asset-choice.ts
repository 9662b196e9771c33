import { z } from "@hono/zod-openapi";
import type { Context } from "../../context";
import { sortNaturally } from "../../lib/natural-order";
import { getGroupOverview } from "../../resources/activity-groups/group-service";
import { type Asset, getAssets, listAssetsOfLinks } from "../../resources/engagement/asset-service";
import { getLink } from "../../resources/links/link";
import { listLinksQuery } from "../../resources/links/link-schema";
import { listSomeLinks } from "../../resources/links/list-links";
import { type PageContext, readQuery } from "../shell/page-request";

const MAX_LINKS = 100;

const query = z.object({ link: z.string().optional(), group: z.string().optional() });

export const listOfferedLinks = (ctx: Context, group: string) =>
  listSomeLinks(ctx, {
    ...listLinksQuery.parse({ activity_group_id: group, sort: "created_at" }),
    per_page: MAX_LINKS,
  });

/** The assets of a link or a group, with its name in a sentence. With `isCut`, there may be more. */
async function readSource(ctx: Context, { link, group }: z.output<typeof query>) {
  if (link !== undefined) {
    const [{ slug }, found] = await Promise.all([getLink(ctx, link), listAssetsOfLinks(ctx, [link])]);
    return { of: `the link /${slug}`, ...found };
  }
  if (group === undefined) return { of: undefined, items: [], isCut: false };
  const [{ name }, { items: links, meta }] = await Promise.all([
    getGroupOverview(ctx, group),
    listOfferedLinks(ctx, group),
  ]);
  const ids = links.map(({ id }) => id);
  const { items, isCut } = await listAssetsOfLinks(ctx, ids);
  return { of: `the group ${name}`, groupName: name, items, isCut: isCut || meta.total > ids.length };
}

/** By name in natural order; those with one name by their place. */
const sortAssets = (assets: readonly Asset[]): Asset[] => {
  const byPlace = sortNaturally(assets.map((asset) => ({ name: asset.place ?? "", asset })));
  return sortNaturally(byPlace.map(({ asset }) => asset));
};

/**
 * Reads the assets that a page offers, in the order of their names. Those are chosen that the query names by `id`, or all of a
 * link or a group that are not retired. 404 if one is not the workspace's, 422 for more than 200.
 */
export async function readChoice(c: PageContext) {
  const { ctx } = c.var;
  const { link, group } = readQuery(query, c);
  const ids = (c.req.queries("id") ?? []).filter((id) => id.trim() !== "");
  const [{ items, ...source }, named] = await Promise.all([
    readSource(ctx, { link, group }),
    ids.length === 0 ? [] : getAssets(ctx, ids),
  ]);
  const known = new Set(items.map(({ id }) => id));
  const offered = sortAssets([...items, ...named.filter(({ id }) => !known.has(id))]);
  const wanted = new Set(named.map(({ id }) => id));
  const chosen = offered.filter(({ id, status }) =>
    ids.length === 0 ? status !== "retired" : wanted.has(id),
  );
  return { ...source, link, group, offered, chosen };
}
