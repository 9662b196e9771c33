import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { isFoldedAlready } from "../db/failure";
import { MAX_REMOVED_ROWS } from "../db/portion";
import { foldedBefore } from "../lib/folded-months";
import { DAY_MS } from "../lib/time";
import { foldClicks } from "./fold";
import { findFoldedMonths } from "./folded";
import {
  clearLinkVisits,
  deleteDaysOfGoneLinks,
  deleteLinkDays,
  insertKeepPosition,
  insertWorkspaceDays,
  insertWorkspaceHours,
  raiseWorkspaceHours,
  replaceWorkspaceDays,
  selectHoursBehind,
  selectKeepPosition,
  selectNextLinks,
  selectNextTime,
  selectWrongVisits,
  setLinkDays,
  updateLinkVisits,
  upsertKeepPosition,
} from "./keep-repository";

// An older release counts the hours of links only. Workspaces and links lack its visits, from before the upgrade, while the
// new release rolls out, and after a rollback.

type Keeper = Pick<ServiceContext, "db" | "now">;

/** More if they are of one hour or one day, which are counted together. */
const MAX_ROWS_PER_FILL = 20_000;
/** A link has at most some 10,300 hours, which are read together. */
const MAX_HOURS_PER_RUN = 2_000;
/** With more hours in two days, what an older release counted within a day is left to the doctor. */
const MAX_LATEST_ROWS = 500_000;
/** The second one counts what an older release counted during the first. */
const PASSES = 2;

interface Position {
  /** From where the hours of workspaces are filled in; null at the end. */
  hours_from: number | null;
  /** From where the days of workspaces are filled in; null at the end. */
  days_from: number | null;
  /** The row id of the last link whose folded months are in its workspace; null if all are. */
  folded_after: number | null;
  pass: number;
  /** The row id of the last link of this pass. */
  after: number;
  /** The pass does not go on before this time. */
  resumes_at: number;
  /** The last UTC day on which the hours of workspaces were compared with those of their links; 0 before the first. */
  counted_on: number;
}

const START: Position = {
  hours_from: 0,
  days_from: 0,
  folded_after: 0,
  pass: 1,
  after: 0,
  resumes_at: 0,
  counted_on: 0,
};

async function readPosition(ctx: Keeper): Promise<Position> {
  const [[stored]] = await ctx.db.read(selectKeepPosition());
  return stored === undefined ? START : JSON.parse(stored.position);
}

/** The next hours or days, and from where the ones after them begin; null at the end. */
function portionFrom(
  from: number,
  { last, rows }: { last: number | null; rows: number } = { last: null, rows: 0 },
): { from: number; to: number; next: number | null } {
  if (last === null) return { from, to: from, next: null };
  if (rows < MAX_ROWS_PER_FILL) return { from, to: last + 1, next: null };
  // The last hour or day may have more rows than were looked at.
  const to = last > from ? last : last + 1;
  return { from, to, next: to };
}

const isFilling = ({ hours_from, days_from }: Position): boolean => hours_from !== null || days_from !== null;

/** Fills in the next hours and days of workspaces. Takes six queries. */
async function fillWorkspaces(ctx: Keeper, position: Position): Promise<void> {
  const { hours_from: hoursFrom, days_from: daysFrom } = position;
  const [[nextHours], [nextDays]] = await ctx.db.read(
    hoursFrom === null ? undefined : selectNextTime("hour", hoursFrom, MAX_ROWS_PER_FILL),
    daysFrom === null ? undefined : selectNextTime("day", daysFrom, MAX_ROWS_PER_FILL),
  );
  const hours = hoursFrom === null ? null : portionFrom(hoursFrom, nextHours);
  const days = daysFrom === null ? null : portionFrom(daysFrom, nextDays);
  const next: Position = { ...position, hours_from: hours?.next ?? null, days_from: days?.next ?? null };
  await ctx.db.writeUnaudited(
    ...(hours === null ? [] : [raiseWorkspaceHours(hours)]),
    ...(days === null ? [] : replaceWorkspaceDays(days)),
    upsertKeepPosition(JSON.stringify(next)),
  );
}

/** Adds to workspaces what an older release has folded, which the hours no longer show. Takes five queries. */
async function fillFolded(ctx: Keeper, position: Position, after: number): Promise<void> {
  const { next, statements } = await findFoldedMonths(ctx, after);
  const stored = upsertKeepPosition(JSON.stringify({ ...position, folded_after: next }));
  try {
    await ctx.db.writeUnaudited(...statements, stored);
  } catch (error) {
    if (!isFoldedAlready(error)) throw error;
  }
}

/** Whether an older release has counted visits of yesterday or today. */
async function isBehind(ctx: Keeper, today: number): Promise<boolean> {
  const from = (today - 1) * DAY_MS;
  const [[latest]] = await ctx.db.read(selectNextTime("hour", from, MAX_LATEST_ROWS));
  if (latest === undefined || latest.rows === MAX_LATEST_ROWS) return false;
  const [behind] = await ctx.db.read(selectHoursBehind(from));
  return behind.length > 0;
}

/**
 * Starts to fill in again if an older release has counted visits since the last comparison: it may have for a day
 * without one, else the hours of workspaces show it. Takes four queries.
 */
async function compareLatest(ctx: Keeper, position: Position, today: number): Promise<void> {
  const last = position.counted_on === 0 ? today : position.counted_on;
  const from = (last - 1) * DAY_MS;
  const mustFill = today - last > 1 || (await isBehind(ctx, today));
  const filling = { hours_from: from, days_from: from, pass: 1, after: 0, resumes_at: 0 };
  const next: Position = { ...position, ...(mustFill ? filling : {}), counted_on: today };
  await ctx.db.writeUnaudited(upsertKeepPosition(JSON.stringify(next)));
}

/** The links after a row id with some 2,000 hours together, and whether they are the last ones. */
async function findNextLinks(ctx: Keeper, after: number): Promise<{ to: number; isEnd: boolean }> {
  const [[found]] = await ctx.db.read(selectNextLinks(after, MAX_HOURS_PER_RUN));
  const { first, last, hours } = found ?? { first: null, last: null, hours: 0 };
  const isEnd = hours < MAX_HOURS_PER_RUN;
  if (last === null) return { to: after, isEnd };
  // The last link may have more hours than were looked at.
  return { to: isEnd || first === last ? last : last - 1, isEnd };
}

const setVisits = (after: number, to: number): Statement[] =>
  to === after ? [] : [updateLinkVisits({ after, to }), setLinkDays({ after, to })];

/** Sets the visits of the next links, and deletes the days of links that are gone. Takes five queries. */
async function fillLinks(ctx: Keeper, position: Position): Promise<void> {
  const { pass, after } = position;
  const { to, isEnd } = await findNextLinks(ctx, after);
  const gone = { after, to: isEnd ? Number.MAX_SAFE_INTEGER : to };
  const [deleted] = await ctx.db.writeCounted(deleteDaysOfGoneLinks(gone));
  // There may be more, so the next run begins at the same link.
  if (deleted === MAX_REMOVED_ROWS) return;
  const next: Position = isEnd
    ? { ...position, pass: pass + 1, after: 0, resumes_at: ctx.now() + DAY_MS }
    : { ...position, after: to };
  await ctx.db.writeUnaudited(...setVisits(after, to), upsertKeepPosition(JSON.stringify(next)));
}

/** Sets the visits of all links from a row id on, as after a restore. */
export async function fillLinksFrom(ctx: Keeper, first: number): Promise<void> {
  for (let after = first - 1; ; ) {
    const { to, isEnd } = await findNextLinks(ctx, after);
    await ctx.db.writeUnaudited(...setVisits(after, to));
    if (isEnd) return;
    after = to;
  }
}

/** Fills in workspaces, or compares them once a day. Returns false if neither is due. Takes at most seven queries. */
async function keepWorkspaces(ctx: Keeper, position: Position): Promise<boolean> {
  const today = Math.floor(ctx.now() / DAY_MS);
  if (isFilling(position)) await fillWorkspaces(ctx, position);
  else if (position.folded_after !== null) await fillFolded(ctx, position, position.folded_after);
  else if (position.counted_on < today) await compareLatest(ctx, position, today);
  else return false;
  return true;
}

/** Fills in the next links, if a pass is due. Takes at most five queries. */
async function keepLinks(ctx: Keeper, position: Position): Promise<void> {
  if (position.pass <= PASSES && position.resumes_at <= ctx.now()) await fillLinks(ctx, position);
}

/** Fills in what workspaces and then links keep of their visits, a portion a run. At most seven queries. */
export async function keepVisits(ctx: Keeper): Promise<void> {
  const position = await readPosition(ctx);
  if (!(await keepWorkspaces(ctx, position))) await keepLinks(ctx, position);
}

/**
 * Keeps the figures of workspaces complete, or else folds a portion of old visits, or else keeps those of links.
 * Workspaces come before the folding, because they are filled in by the hour. At most eight queries.
 */
export async function keepClicks(ctx: Keeper): Promise<void> {
  const position = await readPosition(ctx);
  if (await keepWorkspaces(ctx, position)) return;
  if (!(await foldClicks(ctx))) await keepLinks(ctx, position);
}

/** What is wrong in the kept visits of a workspace, as a number of rows each. */
export const selectVisitFindings = (slug: string, workspaceId: number, now: number) =>
  selectWrongVisits(slug, workspaceId, foldedBefore(now));

/** For a restore, which completes the workspaces itself: the job must not add their folded months once more. */
export const skipFoldedMonths = (): Statement =>
  insertKeepPosition(JSON.stringify({ ...START, folded_after: null }));

/** Adds the hours and days of a workspace if it has none, as after a restore of an older backup. */
export const insertWorkspaceVisits = (workspace: number): Statement[] => [
  insertWorkspaceHours(workspace),
  insertWorkspaceDays(workspace),
];

/** Computes all kept visits of a workspace again, for one batch. What deleted links left in it stays. */
export const recountVisits = (workspace: number, now: number): Statement[] => [
  clearLinkVisits(workspace),
  updateLinkVisits({ workspace }),
  deleteLinkDays(workspace),
  setLinkDays({ workspace }),
  raiseWorkspaceHours({ workspace, from: foldedBefore(now) }),
  ...replaceWorkspaceDays({ workspace, from: foldedBefore(now) }),
];
