import type { Context } from "../context";
import { assetNotFound, groupNotFound, linkNotFound, tagNotFound } from "../errors";
import { bucketsOf, comparedUntil, type Range, rangeBefore } from "../lib/range";
import { mergeSources } from "../lib/sources";
import { DAY_MS } from "../lib/time";
import { offsetsIn } from "../lib/time-zone";
import { storedId } from "../lib/ulid-text";
import { DIMENSIONS, type Dimension } from "./gathering";
import { type Point, toPoints } from "./points";
import { sumOf, type Visits } from "./report";
import type { Days } from "./scope-statements";
import {
  selectIsCut,
  selectVisited,
  selectVisitOrigins,
  selectVisitsByTime,
  selectVisitsOfLinks,
  type VisitScope,
  type VisitsRow,
} from "./visit-repository";

export type { Point } from "./points";
export type { VisitScope } from "./visit-repository";

/** People by a value of a dimension: a country code, a device, or a source's name or domain. `""` is unknown. */
interface Origin {
  value: string;
  people: number;
}

export interface VisitReport {
  totals: Visits;
  /** Of the range before, as far as it is compared; null if it is not. */
  before: Visits | null;
  /** One for each of `bucketsOf(range)`. */
  points: readonly Point[];
  /** One for each bucket of the range before: all its hours, or its days and weeks as far as it is compared. */
  pointsBefore: Point[] | null;
  /** Highest first, by the UTC days that the range touches. Empty for an asset. */
  origins: Record<Dimension, Origin[]>;
  /** Whether the group or tag has more visited links than the 500 that are counted. */
  isCut: boolean;
}

const toTotals = (rows: readonly VisitsRow[]): Visits => ({
  clicks: sumOf(rows, "clicks"),
  scans: sumOf(rows, "scans"),
  late: sumOf(rows, "late"),
  bots: sumOf(rows, "bots"),
});

const withStoredId = (scope: VisitScope): VisitScope => {
  if ("link" in scope) return { link: storedId(scope.link) };
  if ("group" in scope) return { group: storedId(scope.group) };
  if ("tag" in scope) return { tag: storedId(scope.tag) };
  return "asset" in scope ? { asset: storedId(scope.asset) } : scope;
};

const notFound = (scope: VisitScope) =>
  "link" in scope
    ? linkNotFound()
    : "group" in scope
      ? groupNotFound()
      : "tag" in scope
        ? tagNotFound()
        : assetNotFound();

/** Two ranges that follow each other as one. */
const joined = (before: Range, { zone, lastDay, to }: Range): Days => ({
  firstDay: before.firstDay,
  lastDay,
  from: before.from,
  to,
  offsets: offsetsIn(zone, before.from, to),
});

/** The points of a range before a time. */
const pointsUntil = (range: Range, rows: readonly VisitsRow[], until: number): Point[] =>
  toPoints(range, rows).slice(0, bucketsOf(range).findLastIndex(({ at }) => at < until) + 1);

/** The visits of a scope in a range, by the hours, days or weeks of the range. One call of D1. Throws 404. */
export async function reportVisits(
  ctx: Context,
  of: VisitScope,
  range: Range,
  { compare }: { compare: boolean },
): Promise<VisitReport> {
  const workspaceId = ctx.workspace.rowId;
  const scope = withStoredId(of);
  const before = compare ? rangeBefore(range) : undefined;
  const days = before === undefined ? range : joined(before, range);
  const isByHour = range.unit === "hour";
  const until = comparedUntil(range, ctx.now());
  const [named, visits, origins, [cut]] = await ctx.db.read(
    "workspace" in scope ? undefined : selectVisited(workspaceId, scope),
    selectVisitsByTime(
      workspaceId,
      scope,
      days,
      isByHour,
      isByHour ? undefined : { from: until, to: range.from },
    ),
    "asset" in scope
      ? undefined
      : selectVisitOrigins(workspaceId, scope, range.from - (range.from % DAY_MS), range.to),
    "group" in scope || "tag" in scope ? selectIsCut(workspaceId, scope) : undefined,
  );
  if (!("workspace" in scope) && named.length === 0) throw notFound(scope);
  const now = visits.filter(({ day }) => day >= range.firstDay);
  const earlier = visits.filter(({ day }) => day < range.firstDay);
  const by = (dimension: Dimension): Origin[] =>
    origins
      .filter((origin) => origin.dimension === dimension)
      .map(({ value, people }) => ({ value, people }));
  return {
    totals: toTotals(now),
    before:
      before === undefined ? null : toTotals(earlier.filter(({ hour }) => hour === null || hour < until)),
    points: toPoints(range, now),
    pointsBefore: before === undefined ? null : pointsUntil(before, earlier, isByHour ? range.from : until),
    origins: {
      ...(Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, by(dimension)])) as Record<
        Dimension,
        Origin[]
      >),
      referrer: mergeSources(by("referrer")),
    },
    isCut: cut?.is_cut === 1,
  };
}

/** The clicks and scans of links by the hours, days or weeks of a range. One call of D1. */
export async function listVisitsOfLinks(
  ctx: Context,
  ids: readonly string[],
  range: Range,
): Promise<ReadonlyMap<string, readonly Point[]>> {
  const [rows] = await ctx.db.read(
    ids.length === 0
      ? undefined
      : selectVisitsOfLinks(ctx.workspace.rowId, ids, range, range.unit === "hour"),
  );
  const byLink = Map.groupBy(rows, ({ link }) => link);
  return new Map(ids.map((id) => [id, toPoints(range, byLink.get(id) ?? [])] as const));
}
