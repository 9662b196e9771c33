import { z } from "@hono/zod-openapi";
import type { Context } from "../../context";
import { sortNaturally } from "../../lib/natural-order";
import { getGroupOverview } from "../../resources/activity-groups/group-service";
import { getAssetQr, hasQr, zipAssets } from "../../resources/engagement/asset-qr";
import { type Asset, getAssets, listAssetsOfLinks } from "../../resources/engagement/asset-service";
import { getLink } from "../../resources/links/link";
import { listLinksQuery } from "../../resources/links/link-schema";
import { listSomeLinks } from "../../resources/links/list-links";
import { qrQuery } from "../../resources/qr/qr-schema";
import type { QrOptions } from "../../resources/qr/render";
import { PRINT_SIZES_MM } from "../print/print-settings";
import { printedPng, sendQr } from "../print/qr-files";
import { sendFile } from "../shell/file-response";
import { href } from "../shell/href";
import { type PageContext, readQuery } from "../shell/page-request";

/** Links of a group that are offered, or whose assets are. */
const MAX_LINKS = 100;

const query = z.object({ link: z.string().optional(), group: z.string().optional() });

/** Assets with where they come from, such as "the link /summer". With `isCut`, there may be more. */
interface Source {
  offered: readonly Asset[];
  of: string | undefined;
  isCut: boolean;
}

const NONE: Source = { offered: [], of: undefined, isCut: false };

async function ofLink(ctx: Context, id: string): Promise<Source> {
  const [link, { items }] = await Promise.all([getLink(ctx, id), listAssetsOfLinks(ctx, [id])]);
  return { ...NONE, offered: items, of: `the link /${link.slug}` };
}

/** The active links of a group, the oldest first, as many as are offered. */
export const listOfferedLinks = (ctx: Context, group: string) =>
  listSomeLinks(ctx, {
    ...listLinksQuery.parse({ activity_group_id: group, sort: "created_at" }),
    per_page: MAX_LINKS,
  });

async function ofGroup(ctx: Context, id: string): Promise<Source> {
  const [group, { items: links, meta }] = await Promise.all([
    getGroupOverview(ctx, id),
    listOfferedLinks(ctx, id),
  ]);
  const of = `the Activity Group ${group.name}`;
  if (links.length === 0) return { ...NONE, of };
  const ids = links.map((link) => link.id);
  const { items, isCut } = await listAssetsOfLinks(ctx, ids);
  return { offered: items, of, isCut: isCut || meta.total > links.length };
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
  const source = link !== undefined ? ofLink(ctx, link) : group !== undefined ? ofGroup(ctx, group) : NONE;
  const [all, named] = await Promise.all([source, ids.length === 0 ? [] : getAssets(ctx, ids)]);
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

export type Choice = Awaited<ReturnType<typeof readChoice>>;

export const DEFAULT_PRINT_MM = 50;

export const FILE_FORMATS = [
  ["svg", "SVG, for any size"],
  ["png", "PNG"],
  ["both", "SVG and PNG"],
] as const;

const filesQuery = z.object({
  format: z.enum(["svg", "png", "both"]).default("svg"),
  print: z.coerce.number().pipe(z.literal(PRINT_SIZES_MM)).default(DEFAULT_PRINT_MM),
});

const SVG: QrOptions = qrQuery.parse({ format: "svg" });

/** How each asset is drawn. */
function formatsOf({ format, print }: z.output<typeof filesQuery>): QrOptions[] {
  const png = { ...SVG, ...printedPng(print) };
  return { svg: [SVG], png: [png], both: [SVG, png] }[format];
}

export const sendAssetQr = (c: PageContext): Promise<Response> =>
  sendQr(c, (options) => getAssetQr(c.var.ctx, c.req.param("id"), options));

export async function sendAssetFiles(c: PageContext): Promise<Response> {
  const { chosen } = await readChoice(c);
  if (!chosen.some(hasQr)) {
    const { search } = new URL(c.req.url);
    return c.redirect(href.printAssets(c.var.workspace) + search, 303);
  }
  const parts = zipAssets(chosen, formatsOf(readQuery(filesQuery, c)));
  return sendFile(c, { name: "qr-codes.zip", type: "application/zip" }, parts);
}
