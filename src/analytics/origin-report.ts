import type { Context } from "../context";
import { bucketCount, bucketOfDay, comparedRange, type Range } from "../lib/range";
import { localDayAt, localDayIn, startOfLocalDay } from "../lib/time-zone";
import {
  type StoredOrigin,
  selectDaysFrom,
  selectLinksFrom,
  selectMostVisitedFrom,
} from "./origin-repository";
import { type OwnerKind, type Owners, ownerOf, type ReportSubject } from "./owners";
import { OTHER_REFERRERS } from "./referrer";
import { toOrigins } from "./report";
import {
  linksOfGroup,
  linksOfTag,
  type OriginRow,
  selectIsTooMany,
  selectOrigins,
} from "./report-repository";
import { sourceOf } from "./sources";
import type { Origin } from "./visit-buffer";

// A report filtered by one source, country or device. These are counted by day, apart from each other.

/** A source has its name, as in the breakdown. `""` is unknown. */
export interface ChosenOrigin {
  origin: Origin;
  value: string;
}

type Subject = Exclude<ReportSubject, { asset: string }> | { tag: string };

function ownersOf(workspaceId: number, subject: Subject): [kind: OwnerKind, (from: number) => Owners] {
  if ("tag" in subject) return ["link", (from) => linksOfTag(workspaceId, subject.tag, from)];
  const [kind, owner] = ownerOf(workspaceId, subject);
  return [kind, () => owner];
}

/** What the row of the breakdown has: the domains of a source, else the value itself. */
const toStored = (rows: readonly OriginRow[], { origin, value }: ChosenOrigin): StoredOrigin => ({
  origin,
  values: rows
    .filter(
      (row) =>
        row.dimension === origin && (origin === "referrer" ? sourceOf(row.value) : row.value) === value,
    )
    .map((row) => row.value),
});

/** Days are not divided, so a range that goes on is compared without today: its days that are over, with as many before. */
function toComparedDays(range: Range, now: number) {
  const before = comparedRange(range);
  const over = now < range.from || now >= range.to ? Infinity : localDayAt(range.zones, now) - range.firstDay;
  const end = Math.min(before.firstDay + over, before.lastDay + 1);
  return { before: { ...before, to: startOfLocalDay(range.zones, end) }, over, end };
}

/** Visits by local day. */
type Visits = readonly { day: number; visits: number }[];

const byLocalDay = ({ offsets }: Range, rows: Visits): Visits =>
  rows.map(({ day, visits }) => ({ day: localDayIn(offsets, day), visits }));

/** Its breakdown always has the chosen one, with no visits if none are under its name. */
function withChosen(origins: ReturnType<typeof toOrigins>, { origin, value }: ChosenOrigin) {
  const values = origins[origin];
  return values.some((one) => one.value === value)
    ? origins
    : { ...origins, [origin]: [...values, { value, visits: 0 }] };
}

/** The visits of sources without a name of their own, since a day has room for so many names. */
const unnamedOf = (rows: readonly OriginRow[]): number =>
  rows.find((row) => row.dimension === "referrer" && row.value === OTHER_REFERRERS)?.visits ?? 0;

const sumOf = (rows: Visits): number => rows.reduce((sum, { visits }) => sum + visits, 0);

function toPoints(range: Range, rows: Visits, count: number): number[] {
  const byBucket = Map.groupBy(rows, ({ day }) => bucketOfDay(range, day));
  return Array.from({ length: count }, (_, bucket) => sumOf(byBucket.get(bucket) ?? []));
}

/**
 * The clicks and scans of a range that have an origin: as many as its row of the breakdown says, none of an unknown subject.
 * Null for a tag of which too many links were visited. Two calls of D1, one after the other.
 */
export async function reportOrigin(
  ctx: Context,
  subject: Subject,
  shown: Range,
  chosen: ChosenOrigin,
  { compare }: { compare: boolean },
) {
  const workspaceId = ctx.workspace.rowId;
  const range: Range = { ...shown, unit: shown.unit === "hour" ? "day" : shown.unit };
  const { before, over, end } = toComparedDays(range, ctx.now());
  const [kind, ownersSince] = ownersOf(workspaceId, subject);
  const [owners, ownersBefore] = [ownersSince(range.from), ownersSince(before.from)];
  const group = "group" in subject ? subject.group : undefined;
  const isTag = "tag" in subject;
  const [[cut], [cutBefore], rows, rowsBefore] = await ctx.db.read(
    isTag || group !== undefined ? selectIsTooMany(workspaceId, group, range.from) : undefined,
    isTag && compare ? selectIsTooMany(workspaceId, undefined, before.from) : undefined,
    selectOrigins(kind, owners, range),
    compare ? selectOrigins(kind, ownersBefore, before) : undefined,
  );
  const isCut = cut?.is_too_many === 1;
  if (isTag && isCut) return null;
  const [from, fromBefore] = [toStored(rows, chosen), toStored(rowsBefore, chosen)];
  const ofGroup = group === undefined ? owners : linksOfGroup(workspaceId, group, range.from, "public_id");
  const toLinks = () =>
    "workspace" in subject
      ? selectMostVisitedFrom(workspaceId, range, from)
      : selectLinksFrom(ofGroup, range, from);
  const [found, foundBefore, links] = await ctx.db.read(
    selectDaysFrom(kind, owners, range, from),
    compare ? selectDaysFrom(kind, ownersBefore, before, fromBefore) : undefined,
    "link" in subject ? undefined : toLinks(),
  );
  const days = byLocalDay(range, found);
  const unnamed = chosen.origin === "referrer" && chosen.value !== "" ? unnamedOf(rows) : 0;
  const origins = toOrigins(rows);
  const daysBefore = byLocalDay(before, foundBefore);
  return {
    chosen,
    /** By day or week. */
    range,
    visits: sumOf(days),
    points: toPoints(range, days, bucketCount(range)),
    /** The visits of the days that are compared, and those before; null if none are. */
    compared:
      compare && over > 0 && cutBefore?.is_too_many !== 1
        ? {
            now: sumOf(days.filter(({ day }) => day < range.firstDay + over)),
            before: sumOf(daysBefore),
            points: toPoints(before, daysBefore, bucketOfDay(before, end - 1) + 1),
          }
        : null,
    /** All visits by origin. */
    origins: unnamed > 0 ? origins : withChosen(origins, chosen),
    /** The visits of sources without a name of their own, some of which may be of the chosen one. */
    unnamed,
    /** The most visited ones, of which a link has none; null if too many of a group were visited. */
    links: isCut ? null : links,
    /** What their shares are of: a group has visits of its own, but its links are the present ones with all their visits. */
    whole: group === undefined ? sumOf(days) : (links[0]?.whole ?? 0),
  };
}

export type OriginReport = NonNullable<Awaited<ReturnType<typeof reportOrigin>>>;
