import type { Context } from "../context";
import { DAY_MS } from "../lib/time";
import { selectClicksOfLinksByDay } from "./report-repository";

/** The number of clicks and scans per day. */
export interface DailyVisits {
  clicks: number[];
  scans: number[];
}

/** The clicks and scans per day for each link id, from `from` to before `to`. */
export async function clicksOfLinks(
  ctx: Context,
  ids: readonly string[],
  from: number,
  to: number,
): Promise<ReadonlyMap<string, Readonly<DailyVisits>>> {
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectClicksOfLinksByDay(ctx.workspace.rowId, ids, from, to),
  );
  const days = Math.ceil((to - from) / DAY_MS);
  const none = () => new Array<number>(days).fill(0);
  const visits = new Map(ids.map((id): [string, DailyVisits] => [id, { clicks: none(), scans: none() }]));
  for (const { link, day, clicks, scans } of rows) {
    const at = (day - from) / DAY_MS;
    visits.get(link)?.clicks.splice(at, 1, clicks);
    visits.get(link)?.scans.splice(at, 1, scans);
  }
  return visits;
}
