import {
  eachField,
  MOMENT_FIELD_NAMES,
  MOMENT_FIELDS,
  type MomentFieldName,
  URL_FIELDS,
  type WindowFieldName,
} from "./link-fields";
import { dateAt, endOfDateIn, startOfDate } from "./local-time";
import { isoTimeOrNull, parseIsoTime } from "./time";

// A start or end of a link or a group that was given as a day is kept as one. Its time follows from the day and the zone of the
// workspace.

export interface StoredDates {
  starts_at: number | null;
  ends_at: number | null;
  /** The day that the start was given as; null for a time. */
  starts_on: string | null;
  ends_on: string | null;
}

type GivenDates = { readonly [Name in keyof StoredDates]?: StoredDates[Name] | undefined };

const DAY_OF = { starts_at: "starts_on", ends_at: "ends_on" } as const;

/** Whether a text is a day, such as 2026-05-01, whose year has four digits in UTC in every zone. */
export const isDay = (text: string): boolean =>
  startOfDate(text, "UTC") !== undefined && text > "0000-01-01" && text < "9999-12-31";

/** When a start or end on a day is. */
const timeOf = (name: MomentFieldName, day: string, zone: string): number =>
  Date.parse((name === "starts_at" ? startOfDate(day, zone) : endOfDateIn(day, zone)) ?? "");

const DAY_AT = {
  starts_at: (time: string, zone: string) => startOfDate(dateAt(time, zone), zone) === time,
  ends_at: (time: string, zone: string) => endOfDateIn(dateAt(time, zone), zone) === time,
};

/** The day that a time begins as a start, or ends as an end, as pages show it. Days and other times stay as they are. */
export const asDay = (name: MomentFieldName, date: string, zone: string): string =>
  !isDay(date) && DAY_AT[name](date, zone) ? dateAt(date, zone) : date;

/** Whether an end, a day or a time, is over. Another text is none. */
export const hasPassed = (end: string | null | undefined, zone: string, now: number): boolean =>
  (parseIsoTime(endOfDateIn(end ?? "", zone) ?? end ?? "") ?? Number.POSITIVE_INFINITY) <= now;

/** The start and the end of which `starts_on` and `ends_on` are the days. */
export const withTimes = (dates: StoredDates, zone: string): StoredDates => ({
  ...dates,
  ...(dates.starts_on !== null && { starts_at: timeOf("starts_at", dates.starts_on, zone) }),
  ...(dates.ends_on !== null && { ends_at: timeOf("ends_at", dates.ends_on, zone) }),
});

/** A day that is given replaces a time, and another time replaces a day; with `isExact` also the time of the day itself. */
export function datesAfter(
  was: StoredDates,
  given: GivenDates,
  zone: string | undefined,
  isExact = false,
): StoredDates {
  const { starts_at, ends_at, starts_on, ends_on } = was;
  const dates = { starts_at, ends_at, starts_on, ends_on };
  for (const name of MOMENT_FIELD_NAMES) {
    const [day, at] = [given[DAY_OF[name]], given[name]];
    if (day != null) {
      if (zone === undefined) throw new Error("The zone of a day was not read.");
      dates[DAY_OF[name]] = day;
      dates[name] = timeOf(name, day, zone);
    } else if (at !== undefined && (isExact || at !== was[name])) {
      dates[DAY_OF[name]] = null;
      dates[name] = at;
    }
  }
  return dates;
}

/** The start and the end as forms, files and entries have them: each a day, or a time as ISO 8601. */
export const writtenDates = (dates: StoredDates): Record<MomentFieldName, string | null> =>
  eachField(MOMENT_FIELDS, (name) => dates[DAY_OF[name]] ?? isoTimeOrNull(dates[name]));

type StoredWindow = StoredDates & Record<keyof typeof URL_FIELDS, string | null>;

type GivenWindow = { readonly [Name in WindowFieldName]?: string | null | undefined };

export const hasDays = (input: GivenWindow): boolean =>
  MOMENT_FIELD_NAMES.some((name) => isDay(input[name] ?? ""));

const NO_WINDOW: StoredWindow = {
  ...{ starts_at: null, ends_at: null, starts_on: null, ends_on: null },
  ended_url: null,
};

/** The start and the end after a request with days or valid moments. Omitted ones stay. */
export function storedDates(
  input: GivenWindow,
  was: StoredDates,
  zone: string | undefined,
  isExact?: boolean,
): StoredDates {
  const given = MOMENT_FIELD_NAMES.map((name) => {
    const text = input[name];
    if (text != null && isDay(text)) return [DAY_OF[name], text];
    return [name, text == null ? text : Date.parse(text)];
  });
  return datesAfter(was, Object.fromEntries(given), zone, isExact);
}

/** All fields after such a request. A new link has none. */
export function storedWindow(
  input: GivenWindow,
  was: StoredWindow = NO_WINDOW,
  zone: string | undefined,
  isExact?: boolean,
): StoredWindow {
  return {
    ...storedDates(input, was, zone, isExact),
    ...eachField(URL_FIELDS, (name) => (input[name] === undefined ? was[name] : input[name])),
  };
}
