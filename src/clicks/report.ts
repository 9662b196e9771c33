import type { ServiceContext } from "../context";
import { linkNotFound, ServiceError } from "../errors";
import { isoTime } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { type Counted, clicksBy, clicksByDay, namesSomething } from "./repository";

const MOST_VALUES = 25;

export interface ClickReport {
  from: string;
  to: string;
  people: number;
  bots: number;
  days: { day: string; people: number; bots: number }[];
  countries: { country: string; people: number }[];
  referrers: { referrer: string; people: number }[];
  devices: { device: string; people: number }[];
}

/** The clicks of a link, or of the links that a group has now, from `from` until before `to`, in days of UTC. */
export async function reportClicks(
  ctx: ServiceContext,
  of: Counted,
  from: number,
  to: number,
): Promise<ClickReport> {
  const counted: Counted = "link" in of ? { link: storedId(of.link) } : { group: storedId(of.group) };
  const [named, days, countries, referrers, devices] = await ctx.db.read(
    namesSomething(counted),
    clicksByDay(counted, from, to),
    clicksBy("country", counted, from, to, MOST_VALUES),
    clicksBy("referrer", counted, from, to, MOST_VALUES),
    clicksBy("device", counted, from, to, MOST_VALUES),
  );
  if (named.length === 0) {
    throw "link" in of ? linkNotFound() : new ServiceError(404, { message: "Activity Group not found." });
  }
  return {
    from: isoTime(from),
    to: isoTime(to),
    people: days.reduce((sum, { people }) => sum + people, 0),
    bots: days.reduce((sum, { bots }) => sum + bots, 0),
    days: days.map(({ day, people, bots }) => ({ day: isoTime(day).slice(0, 10), people, bots })),
    countries: countries.map(({ value, people }) => ({ country: value || "unknown", people })),
    referrers: referrers.map(({ value, people }) => ({ referrer: value || "none", people })),
    devices: devices.map(({ value, people }) => ({ device: value, people })),
  };
}
