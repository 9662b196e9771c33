import { type StoredDates, withTimes } from "../../lib/days";
import type { DatedGroup } from "./group-statements";

type GivenDates = { readonly [Name in keyof StoredDates]?: StoredDates[Name] | undefined };

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
    const moved = { ...group, ...withTimes(group, zone) };
    if (moved.starts_at === group.starts_at && moved.ends_at === group.ends_at) return [];
    const isPossible = moved.starts_at === null || moved.ends_at === null || moved.starts_at <= moved.ends_at;
    return [{ ...group, ...(isPossible ? moved : { starts_on: null, ends_on: null }) }];
  });
