import type { Context } from "../context";
import type { Range } from "../lib/range";
import { selectHasFullDay, selectVisitsOfGroups, selectVisitsOfTags } from "./sum-repository";

/** Clicks and scans by id. An id that is missing has none. */
export interface Sums {
  visits: ReadonlyMap<string, number>;
  /** Whether only the most visited links of each day are counted, because there are too many. */
  isCut: boolean;
}

async function sumVisits(
  ctx: Context,
  range: Range,
  select: typeof selectVisitsOfTags | typeof selectVisitsOfGroups,
): Promise<Sums> {
  const now = ctx.now();
  const [rows, [cut]] = await ctx.db.read(
    select(ctx.workspace.rowId, range, now),
    selectHasFullDay(ctx.workspace.rowId, range, now),
  );
  return { visits: new Map(rows.map(({ id, visits }) => [id, visits])), isCut: cut?.is_cut === 1 };
}

/** The clicks and scans of all tags in a range. One call of D1. */
export const sumVisitsOfTags = (ctx: Context, range: Range): Promise<Sums> =>
  sumVisits(ctx, range, selectVisitsOfTags);

/** The clicks and scans of all Activity Groups in a range. One call of D1. */
export const sumVisitsOfGroups = (ctx: Context, range: Range): Promise<Sums> =>
  sumVisits(ctx, range, selectVisitsOfGroups);
