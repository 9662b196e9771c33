import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { isFoldedAlready } from "../db/failure";
import { newId } from "../lib/ids";
import { append } from "../lib/multimap";
import { HOUR_MS } from "../lib/time";
import {
  type Portion,
  replaceDays,
  replaceHours,
  selectDays,
  selectHours,
  selectLiveTimes,
  selectUnfoldedDays,
  selectUnfoldedHours,
  type UnfoldedRow,
} from "./fold-statements";
import { foldDays, foldedBefore, foldHours, monthOf } from "./months";

type Folder = Pick<ServiceContext, "db" | "now">;

const MAX_OLDEST_ROWS = 100;
const MAX_LINKS_PER_PORTION = 25;
/** A link with more rows in a month takes several portions. */
const MAX_ROWS_PER_PORTION = 5_000;

/** Links with unfolded rows in the month of the oldest row. */
function portionOf([oldest, ...rows]: readonly UnfoldedRow[]): Portion | undefined {
  if (oldest === undefined) return undefined;
  const month = monthOf(oldest.at);
  const inMonth = [oldest, ...rows].filter(({ at }) => at < month.to);
  return {
    ...month,
    links: [...new Set(inMonth.map(({ link_id: link }) => link))].slice(0, MAX_LINKS_PER_PORTION),
  };
}

/** Replaces rows. If they have changed since they were read, nothing is written. */
async function replace(ctx: Folder, statements: readonly Statement[]): Promise<void> {
  try {
    await ctx.db.writeUnaudited(...statements);
  } catch (error) {
    if (!isFoldedAlready(error)) throw error;
  }
}

async function foldHoursOf(ctx: Folder, portion: Portion): Promise<void> {
  const [rows, live] = await ctx.db.read(
    selectHours(portion, MAX_ROWS_PER_PORTION),
    selectLiveTimes(portion),
  );
  const last = rows.at(-1);
  if (last === undefined) return;
  const liveHours = new Map<number, number[]>();
  for (const { link_id: link, live_at: at } of live) {
    const hour = at - (at % HOUR_MS);
    // One entry per hour, even if many assets went live in it.
    if (liveHours.get(link)?.includes(hour) !== true) append(liveHours, link, hour);
  }
  const folded = foldHours(rows, portion.from, liveHours);
  const at = ctx.now();
  await replace(ctx, replaceHours(newId(at), at, portion, rows, last, folded));
}

async function foldDaysOf(ctx: Folder, portion: Portion): Promise<void> {
  const [rows] = await ctx.db.read(selectDays(portion, MAX_ROWS_PER_PORTION));
  const last = rows.at(-1);
  if (last === undefined) return;
  const at = ctx.now();
  await replace(ctx, replaceDays(newId(at), at, portion, rows, last, foldDays(rows, portion.from)));
}

/**
 * Folds one portion of clicks older than 13 months into one row per month, hours first. Returns false if there was none.
 * Takes at most seven queries, or two if there was none.
 */
export async function foldClicks(ctx: Folder): Promise<boolean> {
  const before = foldedBefore(ctx.now());
  const [hours, days] = await ctx.db.read(
    selectUnfoldedHours(before, MAX_OLDEST_ROWS),
    selectUnfoldedDays(before, MAX_OLDEST_ROWS),
  );
  const [ofHours, ofDays] = [portionOf(hours), portionOf(days)];
  if (ofHours !== undefined) await foldHoursOf(ctx, ofHours);
  else if (ofDays !== undefined) await foldDaysOf(ctx, ofDays);
  return ofHours !== undefined || ofDays !== undefined;
}
