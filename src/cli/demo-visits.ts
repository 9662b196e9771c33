import type { Visit } from "../analytics/write-visits";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time";

/** How the visits of a link change over the days. */
type Course = "campaign" | "rising" | "steady" | "weekly";

export interface Profile {
  /** On an ordinary day. */
  clicks: number;
  /** On an ordinary day, by the codes of all its assets. */
  scans?: number;
  course: Course;
}

/** A link with its live assets, and who visits it. */
export interface Visited {
  link: string;
  assets: readonly string[];
  /** Later visits find the link ended. */
  endsAt: number;
  profile: Profile | undefined;
}

const DAYS = 60;
const SEED = 20_260;
const BOTS_PER_PERSON = 0.06;

/** Repeated values are as much more frequent. */
const COUNTRIES = ["CH", "CH", "CH", "CH", "CH", "CH", "DE", "DE", "DE", "AT", "AT", "FR", "IT", "GB", "US"];
/** The origins of clicks, the most frequent first; "" for none. */
const REFERRERS = ["", "https://www.instagram.com", "https://www.google.com", "https://www.linkedin.com", ""];
/** The hours of the day in UTC, with a peak in the morning, at noon and in the evening. */
const HOURS = [5, 6, 6, 7, 7, 7, 8, 9, 10, 10, 11, 11, 12, 13, 14, 15, 16, 16, 17, 17, 18, 18, 19, 20, 21];
const AGENTS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15",
  "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1",
] as const;
const PHONES = AGENTS.slice(0, 2);
const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** The same numbers from 0 to below 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    // Park and Miller's generator.
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** How a day of so many days ago compares with an ordinary one. `weekday` is 0 for Sunday. */
const WEIGHTS: Readonly<Record<Course, (age: number, weekday: number) => number>> = {
  // A campaign begins six weeks ago, is at its height four weeks ago and fades.
  campaign: (age) => (age > 42 ? 0.1 : 0.3 + 1.7 * Math.exp(-(((age - 27) / 11) ** 2))),
  rising: (age) => 0.2 + 1.5 * (1 - age / DAYS),
  // A newsletter goes out on Thursdays.
  weekly: (_, weekday) => ({ 4: 3, 5: 1.4, 6: 0.6, 0: 0.5 })[weekday] ?? 0.25,
  steady: (_, weekday) => (weekday === 0 || weekday === 6 ? 0.35 : 1),
};

/** Visits of the last 60 days, the same ones for the same links and time. */
export function makeVisits(links: readonly Visited[], now: number): Visit[] {
  const random = randomNumbers(SEED);
  const pick = <T>(values: readonly T[], skew = 1): T | undefined =>
    values[Math.floor(random() ** skew * values.length)];
  const visits: Visit[] = [];
  for (const { link, assets, endsAt, profile } of links) {
    if (profile === undefined) continue;
    for (let age = DAYS - 1; age >= 0; age--) {
      const day = now - (now % DAY_MS) - age * DAY_MS;
      const weight = WEIGHTS[profile.course](age, new Date(day).getUTCDay());
      const add = (number: number, visit: () => Pick<Visit, "asset" | "agent" | "referrer">) => {
        const count = Math.floor(number * weight * (0.7 + 0.6 * random()) + random());
        for (let made = 0; made < count; made++) {
          const at = day + (pick(HOURS) ?? 0) * HOUR_MS + Math.floor(random() * 60) * MINUTE_MS;
          const country = pick(COUNTRIES);
          if (at >= now) continue;
          const isAfterEnd = at >= endsAt;
          visits.push({ link, at, isAfterEnd, rule: null, follows: true, country, ...visit() });
        }
      };
      add(profile.clicks, () => ({
        asset: null,
        agent: pick(AGENTS) ?? null,
        referrer: pick(REFERRERS, 1.6) || null,
      }));
      // The first asset is in the best place.
      add(profile.scans ?? 0, () => ({
        asset: pick(assets, 1.8) ?? null,
        agent: pick(PHONES) ?? null,
        referrer: null,
      }));
      add(profile.clicks * BOTS_PER_PERSON, () => ({ asset: null, agent: BOT, referrer: null }));
    }
  }
  return visits;
}
