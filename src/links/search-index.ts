import type { ServiceContext } from "../context";
import { createIndex, dropIndex, indexChunk, lastLinkId } from "./search";

/** Drops the search index, which D1's export refuses; search goes on without it, more slowly. */
export async function dropSearchIndex(ctx: ServiceContext): Promise<{ built: false }> {
  await ctx.db.writeUnaudited(...dropIndex());
  return { built: false };
}

/** Builds the search index anew, a piece at a time, while links go on changing. */
export async function buildSearchIndex(ctx: ServiceContext): Promise<{ built: true; pieces: number }> {
  await ctx.db.writeUnaudited(...createIndex());
  const [rows] = await ctx.db.read(lastLinkId);
  const last = rows[0]?.last ?? 0;
  let pieces = 0;
  for (let from = 1; from <= last; pieces++) {
    const { statement, next } = indexChunk(from);
    await ctx.db.writeUnaudited(statement);
    from = next;
  }
  return { built: true, pieces };
}
