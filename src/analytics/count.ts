import { isbot } from "isbot";
import { chunksWithin } from "../lib/chunks";
import type { PublicSuffixes } from "../lib/registrable-domain";
import { QUARTER_MS } from "../lib/time";
import { referrerDomain } from "./referrer";
import { isUnknownAddress } from "./unknown-address";
import type { Counts, DayCount, HourCount, Visit } from "./visit-buffer";

export function deviceOf(agent: string): string {
  const text = agent.toLowerCase();
  const android = text.lastIndexOf("android");
  const isAndroidTablet = android >= 0 && !text.includes("mobile", android);
  if (isAndroidTablet || /ipad|tablet|kindle|silk|playbook/.test(text)) return "tablet";
  if (/mobi|iphone|ipod|android|phone/.test(text)) return "mobile";
  return /windows|macintosh|linux|cros|x11/.test(text) ? "desktop" : "other";
}

/** The country code, or "" if unknown. `T1` is the Tor network. */
const countryOf = (code: string | undefined): string =>
  code !== undefined && /^(?:[A-Z]{2}|T1)$/.test(code) && code !== "XX" ? code : "";

/** Programs that `isbot` takes for people: Office, mail programs and scanners of mail, apps of Apple's systems, PowerShell. */
const MORE_PROGRAMS =
  /\bms-?office\b|microsoft (?:office|outlook)|\bmac(?:excel|outlook|powerpoint|word)\/|gmail-content-sampling|barracuda|cfnetwork\/|powershell\//i;

const isPerson = ({ follows, agent }: Visit): boolean =>
  follows && agent !== null && agent !== "" && !isbot(agent) && !MORE_PROGRAMS.test(agent);

/** The same for visits that count the same. */
const kindOf = ({ at, ...visit }: Visit): string =>
  JSON.stringify([at - (at % QUARTER_MS), ...Object.values(visit)]);

const hourKeyOf = ({ link, asset, hour }: Pick<HourCount, "link" | "asset" | "hour">): string =>
  `${link} ${asset} ${hour}`;

const dayKeyOf = ({ link, day, dimension, value }: Omit<DayCount, "visits">): string =>
  `${link} ${day} ${dimension} ${value}`;

/**
 * Counts visits by link and scanned asset, and people before the link's end by origin and rule. Both by quarter hour: an instance
 * does not know in which hour and day of its workspace it is. Adds them to what was counted before.
 */
export function countVisits(
  visits: readonly Visit[],
  suffixes: PublicSuffixes,
  before: Counts = { hours: [], days: [] },
): Counts {
  const hours = new Map(before.hours.map((count) => [hourKeyOf(count), { ...count }]));
  const days = new Map(before.days.map((count) => [dayKeyOf(count), { ...count }]));
  for (const equal of Map.groupBy(visits, kindOf).values()) {
    const [visit] = equal as [Visit, ...Visit[]];
    const { link, asset, isAfterEnd, at } = visit;
    if (isUnknownAddress(link) && !isPerson(visit)) continue;
    const last = Math.max(...equal.map((one) => one.at));
    const hour = at - (at % QUARTER_MS);
    const hourKey = hourKeyOf({ link, asset, hour });
    const none = { clicks: 0, scans: 0, bots: 0, after_end: 0, last: null };
    const count = hours.get(hourKey) ?? { link, asset, hour, ...none };
    hours.set(hourKey, count);
    if (!isPerson(visit) || isAfterEnd) {
      count[isPerson(visit) ? "after_end" : "bots"] += equal.length;
      continue;
    }
    count[asset === null ? "clicks" : "scans"] += equal.length;
    count.last = Math.max(count.last ?? last, last);
    const day = hour;
    const values: readonly [DayCount["dimension"], string | null][] = [
      ["country", countryOf(visit.country)],
      ["referrer", referrerDomain(visit.referrer, suffixes)],
      ["device", deviceOf(visit.agent ?? "")],
      ["rule", visit.rule],
    ];
    for (const [dimension, value] of values) {
      if (value === null) continue;
      const dayKey = dayKeyOf({ link, day, dimension, value });
      const dayCount = days.get(dayKey) ?? { link, day, dimension, value, visits: 0 };
      dayCount.visits += equal.length;
      days.set(dayKey, dayCount);
    }
  }
  return { hours: [...hours.values()], days: [...days.values()] };
}

/** Splits counts into parts with at most `maxBytes` of JSON. A single larger count is a part of its own. */
export const splitCounts = ({ hours, days }: Counts, maxBytes: number): Counts[] =>
  // Ids, numbers, codes and domains are ASCII, so the length is in bytes.
  chunksWithin([...hours, ...days], { of: (count) => JSON.stringify(count).length + 1, max: maxBytes }).map(
    (part) => ({
      hours: part.filter((count) => "hour" in count),
      days: part.filter((count) => "day" in count),
    }),
  );
