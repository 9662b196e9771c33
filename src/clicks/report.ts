import type { Context } from "../context";
import { groupNotFound, linkNotFound } from "../errors";
import { DAY_MS, isoTime } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import type { Dimension } from "./gathering";
import {
  type Counted,
  clicksByChannel,
  clicksByDay,
  clicksByOrigin,
  daysOfLinks,
  type LinkDaysRow,
  namesSomething,
  originsByDay,
} from "./repository";

const MOST_VALUES = 25;
/** Of links that an export reads at once, each with all of its days. */
const PORTION = 100;
/** Of days whose origins an export reads at once. */
const PORTION_MS = 31 * DAY_MS;

/** What stands where an origin is not known. */
const UNTOLD: Readonly<Record<Dimension, string>> = {
  country: "unknown",
  referrer: "none",
  device: "unknown",
};

export interface ClickReport {
  from: string;
  to: string;
  people: number;
  bots: number;
  days: { day: string; people: number; bots: number }[];
  channels: { channel: string | null; people: number }[];
  countries: { country: string; people: number }[];
  referrers: { referrer: string; people: number }[];
  devices: { device: string; people: number }[];
}

const dayOf = (at: number): string => isoTime(at).slice(0, 10);

/** The clicks of a link, or of the links that a group has now, from `from` until before `to`, in days of UTC. */
export async function reportClicks(
  ctx: Context,
  of: Counted,
  from: number,
  to: number,
): Promise<ClickReport> {
  const workspaceId = ctx.workspace.rowId;
  const counted: Counted = "link" in of ? { link: storedId(of.link) } : { group: storedId(of.group) };
  const [named, days, channels, origins] = await ctx.db.read(
    namesSomething(workspaceId, counted),
    clicksByDay(workspaceId, counted, from, to),
    clicksByChannel(workspaceId, counted, from, to, MOST_VALUES),
    clicksByOrigin(workspaceId, counted, from, to, MOST_VALUES),
  );
  if (named.length === 0) throw "link" in of ? linkNotFound() : groupNotFound();
  const by = (dimension: Dimension) => origins.filter((origin) => origin.dimension === dimension);
  return {
    from: isoTime(from),
    to: isoTime(to),
    people: days.reduce((sum, { people }) => sum + people, 0),
    bots: days.reduce((sum, { bots }) => sum + bots, 0),
    days: days.map(({ day, people, bots }) => ({ day: dayOf(day), people, bots })),
    channels: channels.map(({ channel, people }) => ({ channel, people })),
    countries: by("country").map(({ value, people }) => ({ country: value || UNTOLD.country, people })),
    referrers: by("referrer").map(({ value, people }) => ({ referrer: value || UNTOLD.referrer, people })),
    devices: by("device").map(({ value, people }) => ({ device: value, people })),
  };
}

/** What happened on a day to a link. */
export interface LinkDay {
  day: string;
  slug: string;
  short_url: string;
  channel: string | null;
  people: number;
  bots: number;
}

/** Every day of every link that a group has now, link by link, in portions; 404 before the first. */
export async function exportClicks(
  ctx: Context,
  group: string,
  from: number,
  to: number,
): Promise<AsyncGenerator<LinkDay[]>> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(group);
  const portion = (after: LinkDaysRow | undefined) => daysOfLinks(workspaceId, id, from, to, after, PORTION);
  const [named, first] = await ctx.db.read(namesSomething(workspaceId, { group: id }), portion(undefined));
  if (named.length === 0) throw groupNotFound();
  const toDays = (row: LinkDaysRow): LinkDay[] =>
    (JSON.parse(row.days) as { day: number; people: number; bots: number }[]).map((counts) => ({
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
      if (last === undefined || rows.length < PORTION) return;
      [rows] = await ctx.db.read(portion(last));
    }
  })();
}

/** How many people came from somewhere on a day. */
export interface OriginDay {
  day: string;
  dimension: Dimension;
  value: string;
  people: number;
}

/** Where the people who followed a group's links came from, day by day, in portions; 404 before the first. */
export async function exportOrigins(
  ctx: Context,
  group: string,
  from: number,
  to: number,
): Promise<AsyncGenerator<OriginDay[]>> {
  const workspaceId = ctx.workspace.rowId;
  const counted = { group: storedId(group) };
  const portion = (begin: number) =>
    originsByDay(workspaceId, counted, begin, Math.min(begin + PORTION_MS, to));
  const [named, first] = await ctx.db.read(namesSomething(workspaceId, counted), portion(from));
  if (named.length === 0) throw groupNotFound();
  return (async function* portions() {
    let rows = first;
    for (let begin = from; begin < to; ) {
      yield rows.map(({ day, dimension, value, people }) => ({
        day: dayOf(day),
        dimension,
        value: value || UNTOLD[dimension],
        people,
      }));
      begin += PORTION_MS;
      if (begin < to) [rows] = await ctx.db.read(portion(begin));
    }
  })();
}
