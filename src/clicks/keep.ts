import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { foldedBefore } from "../lib/folded-months";
import { DAY_MS } from "../lib/time";
import { foldClicks } from "./fold";
import {
  clearLinkVisits,
  countDaysSince,
  deleteLinkDays,
  insertWorkspaceDays,
  insertWorkspaceHours,
  raiseWorkspaceHours,
  replaceWorkspaceDays,
  selectKeepPosition,
  selectNextLinks,
  selectNextTime,
  selectWrongVisits,
  setLinkDays,
  updateLinkVisits,
  upsertKeepPosition,
} from "./keep-repository";

// An older release counts the hours of links only. Workspaces and links lack its visits, from before the upgrade and while
// the new release rolls out.

type Keeper = Pick<ServiceContext, "db" | "now">;

/** More if they are of one hour or one day, which are counted together. */
const MAX_ROWS_PER_FILL = 20_000;
/** A link has at most some 10,300 hours, which are read together. */
const MAX_HOURS_PER_RUN = 2_000;
/** An installation with more leaves the difference to the doctor. */
const MAX_LATEST_ROWS = 500_000;
/** The second one counts what an older release counted during the first. */
const PASSES = 2;

interface Position {
  /** From where the hours of workspaces are filled in; null at the end. */
  hours_from: number | null;
  /** From where the days of workspaces are filled in; null at the end. */
  days_from: number | null;
  pass: number;
  /** The row id of the last link of this pass. */
  after: number;
  /** The pass does not go on before this time. */
  resumes_at: number;
  /** The UTC day on which workspaces were last counted again. */
  counted_on: number;
}

const START: Position = { hours_from: 0, days_from: 0, pass: 1, after: 0, resumes_at: 0, counted_on: 0 };

async function readPosition(ctx: Keeper): Promise<Position> {
  const [[stored]] = await ctx.db.read(selectKeepPosition());
  return { ...START, ...(stored && JSON.parse(stored.position)) };
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

/** Raises what workspaces have of yesterday and today to what their links have. Takes five queries. */
async function countLatest(ctx: Keeper, position: Position, today: number): Promise<void> {
  const from = (today - 1) * DAY_MS;
  const [[latest]] = await ctx.db.read(countDaysSince(from, MAX_LATEST_ROWS));
  const canCount = (latest?.rows ?? 0) < MAX_LATEST_ROWS;
  await ctx.db.writeUnaudited(
    ...(canCount ? [raiseWorkspaceHours({ from }), ...replaceWorkspaceDays({ from })] : []),
    upsertKeepPosition(JSON.stringify({ ...position, counted_on: today })),
  );
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

/** Sets the visits of the next links. Takes four queries. */
async function fillLinks(ctx: Keeper, position: Position): Promise<void> {
  const { pass, after } = position;
  const { to, isEnd } = await findNextLinks(ctx, after);
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

/** Counts once a day what older releases left out of workspaces, and fills in the links. Takes at most five queries. */
async function keepUp(ctx: Keeper, position: Position): Promise<void> {
  const today = Math.floor(ctx.now() / DAY_MS);
  if (position.counted_on < today) await countLatest(ctx, position, today);
  else if (position.pass <= PASSES && position.resumes_at <= ctx.now()) await fillLinks(ctx, position);
}

/** Fills in what workspaces and then links keep of their visits, a portion a run. At most seven queries. */
export async function keepVisits(ctx: Keeper): Promise<void> {
  const position = await readPosition(ctx);
  await (isFilling(position) ? fillWorkspaces : keepUp)(ctx, position);
}

/**
 * Folds a portion of old visits, or else keeps the figures of links and workspaces complete. Workspaces are filled in
 * before anything is folded, because they are filled in by the hour. At most eight queries.
 */
export async function keepClicks(ctx: Keeper): Promise<void> {
  const position = await readPosition(ctx);
  if (isFilling(position)) await fillWorkspaces(ctx, position);
  else if (!(await foldClicks(ctx))) await keepUp(ctx, position);
}

/** What is wrong in the kept visits of a workspace, as a number of rows each. */
export const selectVisitFindings = (slug: string, workspaceId: number, now: number) =>
  selectWrongVisits(slug, workspaceId, foldedBefore(now));

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
