import type { Context } from "../context";
import { DAY_MS } from "../lib/time";
import { selectClicksOfLinksByDay } from "./repository";

/** The number of people per day for each link id, from `from` to before `to`. */
export async function clicksOfLinks(
  ctx: Context,
  ids: readonly string[],
  from: number,
  to: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectClicksOfLinksByDay(ctx.workspace.rowId, ids, from, to),
  );
  const days = Math.ceil((to - from) / DAY_MS);
  const clicks = new Map(ids.map((id) => [id, new Array<number>(days).fill(0)]));
  for (const { link, day, people } of rows) clicks.get(link)?.splice((day - from) / DAY_MS, 1, people);
  return clicks;
}
