import type { ServiceContext } from "../context";
import { createSearchTable, dropSearchTable, indexLinkRange, selectLastLinkId } from "./search-table";

/** Drops the search index, because D1 cannot export a database that has one. Searches still work, but slower. */
export async function dropSearchIndex(ctx: ServiceContext): Promise<{ built: false }> {
  await ctx.db.writeUnaudited(...dropSearchTable());
  return { built: false };
}

/** Rebuilds the search index in pieces. Links can change meanwhile. */
export async function buildSearchIndex(ctx: ServiceContext): Promise<{ built: true; pieces: number }> {
  await ctx.db.writeUnaudited(...createSearchTable());
  const [rows] = await ctx.db.read(selectLastLinkId);
  const last = rows[0]?.last ?? 0;
  let pieces = 0;
  for (let from = 1; from <= last; pieces++) {
    const { statement, next } = indexLinkRange(from);
    await ctx.db.writeUnaudited(statement);
    from = next;
  }
  return { built: true, pieces };
}
