import type { Context } from "../context";
import { bucketCount, bucketOfDay, comparedRange, type Range } from "../lib/range";
import { localDayAt, localDayIn, startOfLocalDay } from "../lib/time-zone";
import {
  type StoredOrigin,
  selectDaysFrom,
  selectMostVisitedFrom,
  selectRankedFrom,
} from "./origin-repository";
import { type OwnerKind, type Owners, ownerOf, type ReportSubject } from "./owners";
import { OTHER_REFERRERS } from "./referrer";
import { subjectNotFound, toOrigins } from "./report";
import {
  linksOfGroup,
  linksOfTag,
  type OriginRow,
  selectIsTooMany,
  selectOrigins,
  selectTotals,
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

/** What stands in the row of the breakdown that was chosen: the domains of a source, else the value itself. */
const toStored = (rows: readonly OriginRow[], { origin, value }: ChosenOrigin): StoredOrigin => ({
  origin,
  values: rows
    .filter((row) => row.dimension === origin)
    .map((row) => row.value)
    .filter((stored) => (origin === "referrer" ? sourceOf(stored) : stored) === value),
});

/** Days are not divided, so a range that goes on is compared without today: its days that are over, with as many before. */
function toComparedDays(range: Range, now: number) {
  const before = comparedRange(range);
  const over = now < range.from || now >= range.to ? Infinity : localDayAt(range.zones, now) - range.firstDay;
  const end = Math.min(before.firstDay + over, before.lastDay + 1);
  return { before: { ...before, to: startOfLocalDay(range.zones, end) }, over, end };
}

const ownersOf = (workspaceId: number, subject: Subject): [kind: OwnerKind, (from: number) => Owners] => {
  if ("tag" in subject) return ["link", (from) => linksOfTag(workspaceId, subject.tag, from)];
  const [kind, owner] = ownerOf(workspaceId, subject);
  return [kind, () => owner];
};

type Visits = readonly { day: number; visits: number }[];

/** The visits of each local day, whose number takes the place of its start. */
const byLocalDay = ({ offsets }: Range, rows: Visits): Visits =>
  rows.map(({ day, visits }) => ({ day: localDayIn(offsets, day), visits }));

const sumOf = (rows: Visits): number => rows.reduce((sum, { visits }) => sum + visits, 0);

function toPoints(range: Range, rows: Visits, count: number): readonly number[] {
  const points = new Map<number, number>();
  for (const { day, visits } of rows) {
    const bucket = bucketOfDay(range, day);
    points.set(bucket, (points.get(bucket) ?? 0) + visits);
  }
  return Array.from({ length: count }, (_, bucket) => points.get(bucket) ?? 0);
}

/**
 * The clicks and scans of a range that have an origin: as many as its row of the breakdown says. Null for a tag of which too
 * many links were visited. Two calls of D1, one after the other. Throws 404.
 */
export async function reportOrigin(
  ctx: Context,
  subject: Subject,
  shown: Range,
  chosen: ChosenOrigin,
  { compare }: { compare: boolean },
) {
  const workspaceId = ctx.workspace.rowId;
  const range: Range = shown.unit === "hour" ? { ...shown, unit: "day" } : shown;
  const { before, over, end } = toComparedDays(range, ctx.now());
  const [kind, ownersSince] = ownersOf(workspaceId, subject);
  const group = "group" in subject ? subject.group : undefined;
  const hasCut = group !== undefined || "tag" in subject;
  const [all, [cut], [cutBefore], rows, rowsBefore] = await ctx.db.read(
    "tag" in subject ? undefined : selectTotals(workspaceId, subject),
    hasCut ? selectIsTooMany(workspaceId, group, range.from) : undefined,
    compare && "tag" in subject ? selectIsTooMany(workspaceId, undefined, before.from) : undefined,
    selectOrigins(kind, ownersSince(range.from), range),
    compare && over > 0 ? selectOrigins(kind, ownersSince(before.from), before) : undefined,
  );
  if (!("tag" in subject) && all.length === 0) throw subjectNotFound(subject);
  const isCut = cut?.is_too_many === 1;
  if ("tag" in subject && isCut) return null;
  const [from, fromBefore] = [toStored(rows, chosen), toStored(rowsBefore, chosen)];
  const hasAny = from.values.length > 0;
  const isOverview = "workspace" in subject;
  const ranked =
    group === undefined ? ownersSince(range.from) : linksOfGroup(workspaceId, group, range.from, "public_id");
  const [found, foundBefore, links, groups] = await ctx.db.read(
    hasAny ? selectDaysFrom(kind, ownersSince(range.from), range, from) : undefined,
    fromBefore.values.length === 0
      ? undefined
      : selectDaysFrom(kind, ownersSince(before.from), before, fromBefore),
    !hasAny || "link" in subject
      ? undefined
      : isOverview
        ? selectMostVisitedFrom(workspaceId, "link", range, from)
        : selectRankedFrom("link", ranked, range, from),
    hasAny && isOverview ? selectMostVisitedFrom(workspaceId, "group", range, from) : undefined,
  );
  const days = byLocalDay(range, found);
  const daysBefore = byLocalDay(before, foundBefore);
  const isCompared = compare && over > 0 && cutBefore?.is_too_many !== 1;
  return {
    chosen,
    /** By day or week. */
    range,
    visits: sumOf(days),
    /** The visits of the days that are compared, and those before; null if none are. */
    compared: isCompared
      ? {
          now: sumOf(days.filter(({ day }) => day < range.firstDay + over)),
          before: sumOf(daysBefore),
        }
      : null,
    points: toPoints(range, days, bucketCount(range)),
    pointsBefore: isCompared ? toPoints(before, daysBefore, bucketOfDay(before, end - 1) + 1) : null,
    /** All visits by origin. */
    origins: toOrigins(rows),
    /** The visits of sources that have no name of their own, since a day has room for so many names. */
    unnamed: rows.find((row) => row.dimension === "referrer" && row.value === OTHER_REFERRERS)?.visits ?? 0,
    /** The most visited ones; null if too many of a group were visited. */
    links: isCut ? null : links,
    /** Null if the subject is not the workspace. */
    groups: isOverview ? groups : null,
  };
}

export type OriginReport = NonNullable<Awaited<ReturnType<typeof reportOrigin>>>;
