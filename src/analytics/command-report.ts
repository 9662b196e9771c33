import type { Context } from "../context";
import { type Range, toDate } from "../lib/range";
import { isoTime } from "../lib/time";
import { ownerById, ownerOf } from "./owners";
import { OTHER_REFERRERS } from "./referrer";
import { listAssetScans, reportScanTimes, subjectNotFound } from "./report";
import {
  linksByKey,
  linksOfGroup,
  type OriginRow,
  selectCountsByKey,
  selectIsTooMany,
  selectOrigins,
  selectTimeSeries,
  selectTotals,
} from "./report-repository";
import { sumCounts, visitsOf } from "./time-series";
import { type Origin, UNKNOWN_LABELS, type VisitCounts } from "./visit-buffer";

// The operator's `clicks report`. Its fields have the names that scripts know: `late` for visits after the end, and `people` for
// clicks.

const MAX_VALUES = 25;

const named = ({ clicks, scans, after_end, bots }: VisitCounts) => ({ clicks, scans, late: after_end, bots });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const placesOf = (assets: readonly { place: string | null; scans: number; late: number }[]) =>
  Array.from(
    Map.groupBy(assets, ({ place }) => place),
    ([place, own]) => ({
      place,
      scans: sum(own.map(({ scans }) => scans)),
      late: sum(own.map(({ late }) => late)),
    }),
  ).sort((one, other) => other.scans - one.scans || other.late - one.late);

/** They count clicks and scans together, before the link's end. The last row has what those before it do not. */
function originsIn<Name extends Origin>(rows: readonly OriginRow[], name: Name) {
  const own = rows.filter(({ dimension }) => dimension === name);
  const others = sum(own.splice(MAX_VALUES).map(({ visits }) => visits));
  return [...own, ...(others === 0 ? [] : [{ value: OTHER_REFERRERS, visits: others }])].map(
    ({ value, visits }) => ({ [name]: value || UNKNOWN_LABELS[name], people: visits }),
  );
}

/** The visits of a link or a group in a range, by its days. Throws 404. */
export async function reportClicks(
  ctx: Context,
  subject: { link: string } | { group: string },
  range: Range,
) {
  const workspaceId = ctx.workspace.rowId;
  const [kind, owner] = ownerOf(workspaceId, subject);
  const group = "group" in subject ? subject.group : undefined;
  const links =
    group === undefined
      ? linksByKey(owner, "channel")
      : linksOfGroup(workspaceId, group, range.from, "channel");
  const [[found], days, origins, [cut], byChannel] = await ctx.db.read(
    selectTotals(workspaceId, subject),
    selectTimeSeries(kind, owner, range, "day"),
    selectOrigins(kind, owner, range),
    group === undefined ? undefined : selectIsTooMany(workspaceId, group, range.from),
    selectCountsByKey<string | null>("link", links, range, "range"),
  );
  if (found === undefined) throw subjectNotFound(subject);
  const totals = sumCounts(days);
  const channels = byChannel
    .filter((row) => visitsOf(row) > 0)
    .toSorted((one, other) => visitsOf(other) - visitsOf(one))
    .slice(0, MAX_VALUES)
    .map(({ key, clicks, scans }) => ({ channel: key, people: clicks, clicks, scans }));
  const scanned = "link" in subject ? await listAssetScans(ctx, subject.link, range) : [];
  const assets = scanned.map(({ after_end: late, ...asset }) => ({ ...asset, late }));
  return {
    from: isoTime(range.from),
    to: isoTime(range.to),
    totals: named(totals),
    people: totals.clicks,
    bots: totals.bots,
    days: days.map(({ at, ...counts }) => ({
      day: toDate(at ?? 0),
      people: counts.clicks,
      ...named(counts),
    })),
    /** Null for a group of which too many links were visited. */
    channels: cut?.is_too_many === 1 ? null : channels,
    /** Those that the link has now, with all their scans, also those on a previous link. Empty for a group. */
    assets,
    /** A link has at most 200 assets, and all are listed. */
    has_more_assets: false,
    places: placesOf(assets),
    countries: originsIn(origins, "country"),
    referrers: originsIn(origins, "referrer"),
    devices: originsIn(origins, "device"),
  };
}

const scansOf = ({ scans, after_end, bots }: VisitCounts) => ({ scans, late: after_end, bots });

/** The scans of an asset in a range, whichever link it had. Throws 404. */
export async function reportScans(ctx: Context, asset: string, range: Range) {
  const owner = ownerById("asset", ctx.workspace.rowId, asset);
  const [times, [days]] = await Promise.all([
    reportScanTimes(ctx, asset, range),
    ctx.db.read(selectTimeSeries("asset", owner, range, "day")),
  ]);
  return {
    from: isoTime(range.from),
    to: isoTime(range.to),
    totals: scansOf(sumCounts(days)),
    days: days.map(({ at, ...counts }) => ({ day: toDate(at ?? 0), ...scansOf(counts) })),
    hours: times.hours.map((scans, hour) => ({ hour, scans })),
    code_at: times.code_at,
  };
}
