import type { Context } from "../context";
import { groupNotFound, linkNotFound } from "../errors";
import { DAY_MS, isoTime } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import type { Dimension } from "./gathering";
import {
  type LinkDaysRow,
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
const LINKS_PER_PORTION = 100;
const ORIGINS_PORTION_MS = 31 * DAY_MS;

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

interface LinkDayCounts {
  /** Clicks by people. */
  people: number;
  bots: number;
  scans: number;
  late: number;
}

export interface LinkDay extends LinkDayCounts {
  day: string;
  slug: string;
  short_url: string;
  channel: string | null;
}

/** Every day of a group's current links, link by link, in portions. Throws 404 before the first portion. */
export async function exportClicks(
  ctx: Context,
  group: string,
  from: number,
  to: number,
): Promise<AsyncGenerator<LinkDay[]>> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(group);
  const portion = (after: LinkDaysRow | undefined) =>
    selectDaysOfLinks(workspaceId, id, from, to, after, LINKS_PER_PORTION);
  const [named, first] = await ctx.db.read(selectScope(workspaceId, { group: id }), portion(undefined));
  if (named.length === 0) throw groupNotFound();
  const toDays = (row: LinkDaysRow): LinkDay[] =>
    (JSON.parse(row.days) as (LinkDayCounts & { day: number })[]).map((counts) => ({
      ...counts,
      day: dayOf(counts.day),
      slug: row.slug,
      short_url: `${ctx.config.shortBaseUrl}/${row.slug}`,
      channel: row.channel,
    }));
  return (async function* portions() {
    for (let rows = first; ; ) {
      yield rows.flatMap(toDays);
      const last = rows.at(-1);
      if (last === undefined || rows.length < LINKS_PER_PORTION) return;
      [rows] = await ctx.db.read(portion(last));
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
): Promise<AsyncGenerator<OriginDay[]>> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(group);
  const portion = (begin: number) =>
    selectOriginsByDay(workspaceId, id, begin, Math.min(begin + ORIGINS_PORTION_MS, to));
  const [named, first] = await ctx.db.read(selectScope(workspaceId, { group: id }), portion(from));
  if (named.length === 0) throw groupNotFound();
  return (async function* portions() {
    let rows = first;
    for (let begin = from; begin < to; ) {
      yield rows.map(({ day, dimension, value, people }) => ({
        day: dayOf(day),
        dimension,
        value: value || UNKNOWN_LABELS[dimension],
        people,
      }));
      begin += ORIGINS_PORTION_MS;
      if (begin < to) [rows] = await ctx.db.read(portion(begin));
    }
  })();
}
