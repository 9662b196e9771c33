import { z } from "@hono/zod-openapi";
import { sortNaturally } from "../../lib/natural-order";
import { getGroupOverview } from "../../resources/activity-groups/service";
import { type Asset, getAssets, listAssetsOfLinks } from "../../resources/engagement/service";
import { getLink } from "../../resources/links/link";
import { listSomeLinks } from "../../resources/links/list";
import { listLinksQuery } from "../../resources/links/schema";
import { type PageContext, readQuery } from "../shell/request";

/** Links of a group whose assets are offered. */
const MAX_LINKS = 100;

const query = z.object({ link: z.string().optional(), group: z.string().optional() });

/** Assets that a page offers, and those that are chosen, in the order of their names. */
export interface Choice {
  offered: readonly Asset[];
  chosen: readonly Asset[];
  /** Where they come from: "the link /summer". */
  of: string | undefined;
  /** True if there may be more than are offered. */
  isCut: boolean;
  link: string | undefined;
  group: string | undefined;
}

const NONE: Pick<Choice, "offered" | "of" | "isCut"> = { offered: [], of: undefined, isCut: false };

async function ofLink(c: PageContext, id: string): Promise<typeof NONE> {
  const [link, { items }] = await Promise.all([getLink(c.var.ctx, id), listAssetsOfLinks(c.var.ctx, [id])]);
  return { ...NONE, offered: items, of: `the link /${link.slug}` };
}

async function ofGroup(c: PageContext, id: string): Promise<typeof NONE> {
  const { ctx } = c.var;
  const filter = listLinksQuery.parse({ activity_group_id: id, status: "active", sort: "created_at" });
  const [group, { items: links, meta }] = await Promise.all([
    getGroupOverview(ctx, id),
    listSomeLinks(ctx, { ...filter, per_page: MAX_LINKS }),
  ]);
  const of = `the Activity Group ${group.name}`;
  if (links.length === 0) return { ...NONE, of };
  const { items, isCut } = await listAssetsOfLinks(
    ctx,
    links.map((link) => link.id),
  );
  return { offered: items, of, isCut: isCut || meta.total > links.length };
}

/** By name in natural order; those with one name by their place. */
const sortAssets = (assets: readonly Asset[]): Asset[] => {
  const byPlace = sortNaturally(assets.map((asset) => ({ name: asset.place ?? "", asset })));
  return sortNaturally(byPlace.map(({ asset }) => asset));
};

/**
 * Reads the assets that the query chooses by `id`, or all of a link or a group that are not retired. 404 if one is not the
 * workspace's, 422 for more than 200.
 */
export async function readChoice(c: PageContext): Promise<Choice> {
  const { link, group } = readQuery(query, c);
  const ids = (c.req.queries("id") ?? []).filter((id) => id.trim() !== "");
  const source = link !== undefined ? ofLink(c, link) : group !== undefined ? ofGroup(c, group) : NONE;
  const [all, named] = await Promise.all([source, ids.length === 0 ? [] : getAssets(c.var.ctx, ids)]);
  const known = new Set(all.offered.map(({ id }) => id));
  const offered = sortAssets([...all.offered, ...named.filter(({ id }) => !known.has(id))]);
  const wanted = new Set(named.map(({ id }) => id));
  return {
    ...all,
    link,
    group,
    offered,
    chosen: offered.filter(({ id, status }) => (ids.length === 0 ? status !== "retired" : wanted.has(id))),
  };
}
