import type { Context } from "../context";
import { groupNotFound, linkNotFound } from "../errors";
import { DAY_MS, isoTime } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import type { Dimension } from "./gathering";
import {
  type LinkDayRow,
  type ReportScope,
  selectClicksByChannel,
  selectClicksByDay,
  selectClicksByOrigin,
  selectDaysOfLinks,
  selectOriginsByDay,
  selectScope,
} from "./report-repository";
import { type AssetScansRow, selectScansOfLink } from "./scan-repository";

const MAX_VALUES = 25;
const MAX_ASSETS = 200;
const ORIGINS_PORTION_MS = 31 * DAY_MS;
const MAX_ORIGINS_PER_PORTION = 50_000;

const UNKNOWN_LABELS: Readonly<Record<Dimension, string>> = {
  country: "unknown",
  referrer: "none",
  device: "unknown",
};

/** Clicks are people by a slug, scans people by the code of an asset, late people by either after the link's end. */
export interface Visits {
  clicks: number;
  scans: number;
  late: number;
  bots: number;
}

interface ClickReport {
  from: string;
  to: string;
  totals: Visits;
  /** The same as the clicks, also below. */
  people: number;
  bots: number;
  days: ({ day: string; people: number } & Visits)[];
  channels: ({ channel: string | null; people: number } & Pick<Visits, "clicks" | "scans">)[];
  /** The assets that the link has now, with all their scans, also those on a former link. Empty for a group. */
  assets: AssetScansRow[];
  /** True if the link has more than 200 assets, of which the most scanned are listed. */
  has_more_assets: boolean;
  /** The places of these assets, the most scanned first. */
  places: ({ place: string | null } & Pick<Visits, "scans" | "late">)[];
  /** Origins count clicks and scans together, before the link's end. */
  countries: { country: string; people: number }[];
  referrers: { referrer: string; people: number }[];
  devices: { device: string; people: number }[];
}

export const dayOf = (at: number): string => isoTime(at).slice(0, 10);

export const sumOf = <Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number => rows.reduce((sum, row) => sum + row[name], 0);

/** The scans of assets by place. */
function placesOf(assets: readonly AssetScansRow[]): ClickReport["places"] {
  const places = new Map<string | null, { scans: number; late: number }>();
  for (const { place, scans, late } of assets) {
    const sum = places.get(place);
    places.set(place, { scans: scans + (sum?.scans ?? 0), late: late + (sum?.late ?? 0) });
  }
  return [...places]
    .map(([place, sum]) => ({ place, ...sum }))
    .toSorted((one, other) => other.scans - one.scans || other.late - one.late);
}

/** The visits of a link, or of a group's current links, from `from` to before `to`, by UTC day. Throws 404. */
export async function reportClicks(
  ctx: Context,
  of: ReportScope,
  from: number,
  to: number,
): Promise<ClickReport> {
  const workspaceId = ctx.workspace.rowId;
  const scope: ReportScope = "link" in of ? { link: storedId(of.link) } : { group: storedId(of.group) };
  const [named, days, channels, origins, scanned] = await ctx.db.read(
    selectScope(workspaceId, scope),
    selectClicksByDay(workspaceId, scope, from, to),
    selectClicksByChannel(workspaceId, scope, from, to, MAX_VALUES),
    selectClicksByOrigin(workspaceId, scope, from, to, MAX_VALUES),
    "link" in scope ? selectScansOfLink(workspaceId, scope.link, from, to, MAX_ASSETS + 1) : undefined,
  );
  if (named.length === 0) throw "link" in of ? linkNotFound() : groupNotFound();
  const assets = scanned.slice(0, MAX_ASSETS);
  const by = (dimension: Dimension) => origins.filter((origin) => origin.dimension === dimension);
  const totals = {
    clicks: sumOf(days, "clicks"),
    scans: sumOf(days, "scans"),
    late: sumOf(days, "late"),
    bots: sumOf(days, "bots"),
  };
  return {
    from: isoTime(from),
    to: isoTime(to),
    totals,
    people: totals.clicks,
    bots: totals.bots,
    days: days.map(({ day, ...visits }) => ({ day: dayOf(day), people: visits.clicks, ...visits })),
    channels: channels.map(({ channel, ...visits }) => ({ channel, people: visits.clicks, ...visits })),
    assets,
    has_more_assets: scanned.length > MAX_ASSETS,
    places: placesOf(assets),
    countries: by("country").map(({ value, people }) => ({
      country: value || UNKNOWN_LABELS.country,
      people,
    })),
    referrers: by("referrer").map(({ value, people }) => ({
      referrer: value || UNKNOWN_LABELS.referrer,
      people,
    })),
    devices: by("device").map(({ value, people }) => ({ device: value, people })),
  };
}

export interface LinkDay {
  day: string;
  slug: string;
  short_url: string;
  channel: string | null;
  /** Clicks by people. */
  people: number;
  bots: number;
  scans: number;
  late: number;
}

/** How much an export of clicks reads. Each portion is one D1 query. */
interface ExportLimits {
  daysPerPortion: number;
  portions: number;
}

const EXPORT_LIMITS: ExportLimits = { daysPerPortion: 20_000, portions: 25 };
/** The days of links that an export has at most. */
export const MAX_EXPORTED_DAYS = EXPORT_LIMITS.daysPerPortion * EXPORT_LIMITS.portions;

/** A part of an export. `isCut` if it is the last part, but not the last row. */
export interface Portion<Row> {
  rows: Row[];
  isCut: boolean;
}

/** Every day of a group's current links, link by link, in portions. Throws 404 before the first portion. */
export async function exportClicks(
  ctx: Context,
  group: string,
  from: number,
  to: number,
  { daysPerPortion, portions }: ExportLimits = EXPORT_LIMITS,
): Promise<AsyncGenerator<Portion<LinkDay>>> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(group);
  const select = (after: LinkDayRow | undefined) =>
    selectDaysOfLinks(workspaceId, id, from, to, after, daysPerPortion + 1);
  const [named, first] = await ctx.db.read(selectScope(workspaceId, { group: id }), select(undefined));
  if (named.length === 0) throw groupNotFound();
  const toDay = ({ slug, channel, counts }: LinkDayRow): LinkDay => {
    const [day, people, bots, scans, late]: [number, number, number, number, number] = JSON.parse(counts);
    const short_url = `${ctx.config.shortBaseUrl}/${slug}`;
    return { day: dayOf(day), slug, short_url, channel, people, bots, scans, late };
  };
  return (async function* read() {
    let read = first;
    for (let left = portions - 1; ; left--) {
      const rows = read.slice(0, daysPerPortion);
      const hasMore = read.length > rows.length;
      yield { rows: rows.map(toDay), isCut: hasMore && left === 0 };
      if (!hasMore || left === 0) return;
      [read] = await ctx.db.read(select(rows.at(-1)));
    }
  })();
}

export interface OriginDay {
  day: string;
  dimension: Dimension;
  value: string;
  people: number;
}

/** Origins of the people who followed a group's links, the 500 most visited ones, day by day, in portions. Throws 404 before the first portion. */
export async function exportOrigins(
  ctx: Context,
  group: string,
  from: number,
  to: number,
  limit = MAX_ORIGINS_PER_PORTION,
): Promise<AsyncGenerator<Portion<OriginDay>>> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(group);
  const select = (begin: number) =>
    selectOriginsByDay(workspaceId, id, begin, Math.min(begin + ORIGINS_PORTION_MS, to), limit + 1);
  const [named, first] = await ctx.db.read(selectScope(workspaceId, { group: id }), select(from));
  if (named.length === 0) throw groupNotFound();
  const toOrigin = ({ day, dimension, value, people }: (typeof first)[number]): OriginDay => ({
    day: dayOf(day),
    dimension,
    value: value || UNKNOWN_LABELS[dimension],
    people,
  });
  return (async function* read() {
    let read = first;
    for (let begin = from; begin < to; ) {
      const isCut = read.length > limit;
      yield { rows: read.slice(0, limit).map(toOrigin), isCut };
      if (isCut) return;
      begin += ORIGINS_PORTION_MS;
      if (begin < to) [read] = await ctx.db.read(select(begin));
    }
  })();
}
