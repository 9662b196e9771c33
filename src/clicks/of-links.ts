import type { Context } from "../context";
import { DAY_MS } from "../lib/time";
import { clicksOfLinksByDay } from "./repository";

/** The days of UTC, `days` of them, that end with the one of `now`: from the begin of the first until the end of the last. */
export function lastDays(now: number, days: number): { from: number; to: number } {
  const to = now - (now % DAY_MS) + DAY_MS;
  return { from: to - days * DAY_MS, to };
}

/** The people who followed links of the workspace: for each of the ids a number a day, from `from` until before `to`. */
export async function clicksOfLinks(
  ctx: Context,
  ids: readonly string[],
  from: number,
  to: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : clicksOfLinksByDay(ctx.workspace.rowId, ids, from, to),
  );
  const days = Math.ceil((to - from) / DAY_MS);
  const clicks = new Map(ids.map((id) => [id, new Array<number>(days).fill(0)]));
  for (const { link, day, people } of rows) clicks.get(link)?.splice((day - from) / DAY_MS, 1, people);
  return clicks;
}
