import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { isFoldedAlready } from "../db/failure";
import { foldedBefore, monthOf } from "../lib/folded-months";
import { newId } from "../lib/ids";
import {
  CLICK_DAYS,
  CLICK_HOURS,
  type Portion,
  replaceDays,
  replaceHours,
  SCAN_HOURS,
  selectDays,
  selectHours,
  selectUnfolded,
  type UnfoldedRow,
  WORKSPACE_DAYS,
  WORKSPACE_HOURS,
} from "./fold-statements";
import { foldDays, foldHours, type HourRow } from "./months";

type Folder = Pick<ServiceContext, "db" | "now">;

const MAX_OLDEST_ROWS = 100;
const MAX_OWNERS_PER_PORTION = 25;
/** One with more rows in a month takes several portions. */
const MAX_ROWS_PER_PORTION = 5_000;

/** The links, assets or workspaces with unfolded rows in the month of the oldest row. */
function portionOf([oldest, ...rows]: readonly UnfoldedRow[]): Portion | undefined {
  if (oldest === undefined) return undefined;
  const month = monthOf(oldest.at);
  const inMonth = [oldest, ...rows].filter(({ at }) => at < month.to);
  return {
    ...month,
    owners: [...new Set(inMonth.map(({ owner }) => owner))].slice(0, MAX_OWNERS_PER_PORTION),
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

async function foldHoursOf<Count extends string>(
  ctx: Folder,
  table: Parameters<typeof selectHours<Count>>[0],
  portion: Portion,
): Promise<void> {
  const [found] = await ctx.db.read(selectHours(table, portion, MAX_ROWS_PER_PORTION));
  const rows = found.map(
    ({ workspace_id, owner, hour, ...counts }): HourRow<Count> => ({
      workspace_id,
      owner,
      hour,
      counts: counts as unknown as Record<Count, number>,
    }),
  );
  const last = rows.at(-1);
  if (last === undefined) return;
  const folded = foldHours(rows, portion.from, table.counts);
  const at = ctx.now();
  await replace(ctx, replaceHours(table, newId(at), at, portion, rows, last, folded));
}

async function foldDaysOf(
  ctx: Folder,
  table: Parameters<typeof selectDays>[0],
  portion: Portion,
): Promise<void> {
  const [rows] = await ctx.db.read(selectDays(table, portion, MAX_ROWS_PER_PORTION));
  const last = rows.at(-1);
  if (last === undefined) return;
  const at = ctx.now();
  await replace(ctx, replaceDays(table, newId(at), at, portion, rows, last, foldDays(rows, portion.from)));
}

/**
 * Folds one portion of visits older than 13 months into one row per month: hours of links, then of assets, then their
 * origins, then hours and origins of workspaces. Returns false if there was none. Takes at most seven queries, or one if
 * there was none.
 */
export async function foldClicks(ctx: Folder): Promise<boolean> {
  const [unfolded] = await ctx.db.read(selectUnfolded(foldedBefore(ctx.now()), MAX_OLDEST_ROWS));
  const of = (kind: UnfoldedRow["kind"]) => portionOf(unfolded.filter((row) => row.kind === kind));
  const [clicks, scans, days] = [of("clicks"), of("scans"), of("days")];
  const [hoursOfWorkspaces, daysOfWorkspaces] = [of("workspace hours"), of("workspace days")];
  if (clicks !== undefined) await foldHoursOf(ctx, CLICK_HOURS, clicks);
  else if (scans !== undefined) await foldHoursOf(ctx, SCAN_HOURS, scans);
  else if (days !== undefined) await foldDaysOf(ctx, CLICK_DAYS, days);
  else if (hoursOfWorkspaces !== undefined) await foldHoursOf(ctx, WORKSPACE_HOURS, hoursOfWorkspaces);
  else if (daysOfWorkspaces !== undefined) await foldDaysOf(ctx, WORKSPACE_DAYS, daysOfWorkspaces);
  return unfolded.length > 0;
}
