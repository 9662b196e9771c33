import { DAY_MS, startOfUtcDay } from "../lib/time";

// An unknown address takes the place of a link's public id in visits and batches. It has a slash, which no public id has.

export const unknownAddress = (domain: string, slug: string): string => `${domain}/${slug}`;

export const isUnknownAddress = (link: string): boolean => link.includes("/");

export const UNKNOWN_DAYS = 30;

/** The last days until today, as JSON, and tomorrow: the clock of an instance may be a little ahead. */
export const lastDays = (now: number, days = UNKNOWN_DAYS): string =>
  JSON.stringify(Array.from({ length: days + 1 }, (_, index) => startOfUtcDay(now) - (index - 1) * DAY_MS));
