import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { isFoldedAlready } from "../db/failure";
import { newId } from "../lib/ids";
import { append } from "../lib/multimap";
import { HOUR_MS } from "../lib/time";
import {
  daysOf,
  hoursOf,
  liveTimesOf,
  type Portion,
  replaceDays,
  replaceHours,
  type UnfoldedRow,
  unfoldedDays,
  unfoldedHours,
} from "./folding";
import { foldDays, foldedBefore, foldHours, monthOf } from "./months";

type Folder = Pick<ServiceContext, "db" | "now">;

const OLDEST_ROWS = 100;
const LINKS_A_PORTION = 25;
/** Rows of a portion: a link with more in a month takes several. */
const ROWS_A_PORTION = 5_000;

/** Some links that have unfolded rows in the month of the oldest one. */
function portionOf([oldest, ...rows]: readonly UnfoldedRow[]): Portion | undefined {
  if (oldest === undefined) return undefined;
  const month = monthOf(oldest.at);
  const inMonth = [oldest, ...rows].filter(({ at }) => at < month.to);
  return {
    ...month,
    links: [...new Set(inMonth.map(({ link_id: link }) => link))].slice(0, LINKS_A_PORTION),
  };
}

/** Sends a batch that replaces rows; where they have changed since they were read it does nothing. */
async function replace(ctx: Folder, statements: readonly Statement[]): Promise<void> {
  try {
    await ctx.db.writeUnaudited(...statements);
  } catch (error) {
    if (!isFoldedAlready(error)) throw error;
  }
}

async function foldHoursOf(ctx: Folder, portion: Portion): Promise<void> {
  const [rows, live] = await ctx.db.read(hoursOf(portion, ROWS_A_PORTION), liveTimesOf(portion));
  const last = rows.at(-1);
  if (last === undefined) return;
  const liveHours = new Map<number, number[]>();
  for (const { link_id: link, live_at: at } of live) {
    const hour = at - (at % HOUR_MS);
    // A month has few hours, however many assets went live in it.
    if (liveHours.get(link)?.includes(hour) !== true) append(liveHours, link, hour);
  }
  const folded = foldHours(rows, portion.from, liveHours);
  const at = ctx.now();
  await replace(ctx, replaceHours(newId(at), at, portion, rows, last, folded));
}

async function foldDaysOf(ctx: Folder, portion: Portion): Promise<void> {
  const [rows] = await ctx.db.read(daysOf(portion, ROWS_A_PORTION));
  const last = rows.at(-1);
  if (last === undefined) return;
  const at = ctx.now();
  await replace(ctx, replaceDays(newId(at), at, portion, rows, last, foldDays(rows, portion.from)));
}

/**
 * Puts clicks of months that have been over for 13 months into one row a month: one portion, of hours first. Says whether
 * there was something to do. At most seven queries; two where nothing is to be done.
 */
export async function foldClicks(ctx: Folder): Promise<boolean> {
  const before = foldedBefore(ctx.now());
  const [hours, days] = await ctx.db.read(
    unfoldedHours(before, OLDEST_ROWS),
    unfoldedDays(before, OLDEST_ROWS),
  );
  const [ofHours, ofDays] = [portionOf(hours), portionOf(days)];
  if (ofHours !== undefined) await foldHoursOf(ctx, ofHours);
  else if (ofDays !== undefined) await foldDaysOf(ctx, ofDays);
  return ofHours !== undefined || ofDays !== undefined;
}
