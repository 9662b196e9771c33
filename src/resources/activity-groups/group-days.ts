import { endOfDateIn, startOfDate } from "../../lib/local-time";
import type { DatedGroup, StoredDates } from "./group-statements";

// A start or end that was given as a day is kept as one. Its time follows from the day and the zone of the workspace. Pure.

type GivenDates = { readonly [Name in keyof StoredDates]?: StoredDates[Name] | undefined };

const parsed = (time: string | undefined): number | null => (time === undefined ? null : Date.parse(time));

/** The start and the end of which `starts_on` and `ends_on` are the days. */
const withTimes = (dates: StoredDates, zone: string): StoredDates => ({
  ...dates,
  ...(dates.starts_on !== null && { starts_at: parsed(startOfDate(dates.starts_on, zone)) }),
  ...(dates.ends_on !== null && { ends_at: parsed(endOfDateIn(dates.ends_on, zone)) }),
});

/** A day that is given replaces a time, and another time replaces a day. */
const dayAfter = (
  was: string | null,
  wasAt: number | null,
  given: string | null | undefined,
  at: number | null | undefined,
): string | null => {
  if (given != null) return given;
  return at === undefined || at === wasAt ? was : null;
};

export function datesAfter(was: StoredDates, input: GivenDates, zone: string): StoredDates {
  const dates = {
    starts_on: dayAfter(was.starts_on, was.starts_at, input.starts_on, input.starts_at),
    ends_on: dayAfter(was.ends_on, was.ends_at, input.ends_on, input.ends_at),
    starts_at: input.starts_at === undefined ? was.starts_at : input.starts_at,
    ends_at: input.ends_at === undefined ? was.ends_at : input.ends_at,
  };
  return withTimes(dates, zone);
}

export const DATE_FIELDS: ReadonlySet<string> = new Set(["starts_at", "ends_at", "starts_on", "ends_on"]);

/** The dates of the state before a change, of which the entry names some fields. */
export function previousDates(before: Record<string, unknown>, fields: readonly string[]): GivenDates {
  const of = (at: "starts_at" | "ends_at", on: "starts_on" | "ends_on") => {
    if (!fields.includes(at) && !fields.includes(on)) return {};
    return before[on] == null ? { [at]: before[at] } : { [on]: before[on] };
  };
  return { ...of("starts_at", "starts_on"), ...of("ends_at", "ends_on") };
}

/**
 * The groups whose days begin or end at other times in another zone, with these. A day that would start after the end, which is a
 * time, becomes the time that it was.
 */
export const groupsInZone = (groups: readonly DatedGroup[], zone: string): DatedGroup[] =>
  groups.flatMap((group) => {
    const moved = withTimes(group, zone);
    if (moved.starts_at === group.starts_at && moved.ends_at === group.ends_at) return [];
    const isPossible = moved.starts_at === null || moved.ends_at === null || moved.starts_at <= moved.ends_at;
    return [{ ...group, ...(isPossible ? moved : { starts_on: null, ends_on: null }) }];
  });
