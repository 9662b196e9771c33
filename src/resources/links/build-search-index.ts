import type { ServiceContext } from "../../context";
import { selectLastLinkId } from "./link-statements";
import { indexLinkRange, replaceSearchTable } from "./search-table";

/** Drops the search index, because D1 cannot export a database that has one. Searches still work, but slower. */
export async function dropSearchIndex(ctx: ServiceContext): Promise<{ built: false }> {
  await ctx.db.writeGuarded(replaceSearchTable(false));
  return { built: false };
}

/** Indexes all links from a row id on, in chunks. Links can change meanwhile. Returns the number of chunks. */
export async function indexLinks(ctx: ServiceContext, first: number, last: number): Promise<number> {
  let chunksOf = 0;
  for (let from = first; from <= last; chunksOf++) {
    const { statement, next } = indexLinkRange(from);
    await ctx.db.writeGuarded([statement]);
    from = next;
  }
  return chunksOf;
}

/** Rebuilds the search index in chunks. Links can change meanwhile. */
export async function buildSearchIndex(ctx: ServiceContext): Promise<{ built: true; chunksOf: number }> {
  await ctx.db.writeGuarded(replaceSearchTable(true));
  const [rows] = await ctx.db.read(selectLastLinkId());
  return { built: true, chunksOf: await indexLinks(ctx, 1, rows[0]?.last ?? 0) };
}
