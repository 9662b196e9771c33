import type { Context } from "../../context";
import { notFound } from "../../errors";
import { storedId } from "../../lib/ulid-text";
import { selectPreviewedByIds } from "./link-outlines-repository";
import type { ListQuery } from "./list/list-filter";
import { listSomePreviewed } from "./list-links";

/** The links with these ids, or those that a list finds. */
export type PreviewedLinks = { ids: readonly string[] } | ListQuery;

export type PreviewedLink = Awaited<ReturnType<typeof readChosen>>["links"][number];

/** The most that is read for a preview. */
const MAX_PREVIEWED_LINKS = 1_000;

/** The links of which a change is shown before it is made: of a list, the newest 1,000. 404 if there are none. */
export async function readPreviewed(ctx: Context, of: PreviewedLinks) {
  const found = "ids" in of ? await readChosen(ctx, of.ids) : await readNewest(ctx, of);
  if (found.links.length === 0) throw notFound("Link");
  return found;
}

async function readChosen(ctx: Context, ids: readonly string[]) {
  const [links] = await ctx.db.read(selectPreviewedByIds(ctx.workspace.rowId, ids.map(storedId)));
  return { links, total: links.length };
}

async function readNewest(ctx: Context, query: ListQuery) {
  const page = { sort: "-created_at", page: 1, per_page: MAX_PREVIEWED_LINKS, readsAllPages: true } as const;
  const { rows, meta } = await listSomePreviewed(ctx, { ...query, ...page });
  return { links: rows, total: meta.total };
}
