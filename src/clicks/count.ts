import { isbot } from "isbot";
import type { Visit } from "./record";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_HOST = 253;

const DIMENSIONS = ["country", "referrer", "device"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface HourCount {
  link: string;
  /** Start of the hour in UTC, in milliseconds since the epoch. */
  hour: number;
  people: number;
  bots: number;
}

export interface DayCount {
  link: string;
  /** Start of the day in UTC, in milliseconds since the epoch. */
  day: number;
  dimension: Dimension;
  value: string;
  people: number;
}

/** Whether no "mobile" follows the last "android". */
const isAndroidTablet = (agent: string): boolean =>
  agent.lastIndexOf("android") > agent.lastIndexOf("mobile");

export const deviceOf = (agent: string): string => {
  if (/ipad|tablet|kindle|silk|playbook/i.test(agent) || isAndroidTablet(agent.toLowerCase()))
    return "tablet";
  if (/mobi|iphone|ipod|android|phone/i.test(agent)) return "mobile";
  return /windows|macintosh|linux|cros|x11/i.test(agent) ? "desktop" : "other";
};

/** The host of a referrer, empty where there is none or none that is one. */
export function referrerHost(referrer: string | null): string {
  if (referrer === null) return "";
  try {
    const { protocol, hostname } = new URL(referrer);
    return /^https?:$/.test(protocol) && hostname.length <= MOST_HOST ? hostname : "";
  } catch {
    return "";
  }
}

const isPerson = ({ follows, agent }: Visit): boolean =>
  follows && agent !== null && agent !== "" && !isbot(agent);

/** Visits that are alike in everything that is counted, as one of them and their number. */
function alike(visits: readonly Visit[]): Iterable<{ visit: Visit; number: number }> {
  const kinds = new Map<string, { visit: Visit; number: number }>();
  for (const visit of visits) {
    const { link, at, follows, agent, referrer, country } = visit;
    const kind = `${link} ${at - (at % HOUR_MS)} ${follows} ${country}\n${referrer}\n${agent}`;
    const found = kinds.get(kind);
    if (found === undefined) kinds.set(kind, { visit, number: 1 });
    else found.number++;
  }
  return kinds.values();
}

/** Visits as counts: people and bots by the hour, people by the day and where they come from. */
export function countVisits(visits: readonly Visit[]): { hours: HourCount[]; days: DayCount[] } {
  const hours = new Map<string, HourCount>();
  const days = new Map<string, DayCount>();
  for (const { visit, number } of alike(visits)) {
    const { link, at } = visit;
    const hour = at - (at % HOUR_MS);
    const hourKey = `${link} ${hour}`;
    const count = hours.get(hourKey) ?? { link, hour, people: 0, bots: 0 };
    hours.set(hourKey, count);
    if (!isPerson(visit)) {
      count.bots += number;
      continue;
    }
    count.people += number;
    const day = at - (at % DAY_MS);
    const values: Record<Dimension, string> = {
      country: visit.country ?? "",
      referrer: referrerHost(visit.referrer),
      device: deviceOf(visit.agent ?? ""),
    };
    for (const dimension of DIMENSIONS) {
      const value = values[dimension];
      const dayKey = `${link} ${day} ${dimension} ${value}`;
      const dayCount = days.get(dayKey) ?? { link, day, dimension, value, people: 0 };
      dayCount.people += number;
      days.set(dayKey, dayCount);
    }
  }
  return { hours: [...hours.values()], days: [...days.values()] };
}
