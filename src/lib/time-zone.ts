import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time";

// Clicks are counted by hour in UTC, so days in a time zone begin at full hours: an offset is rounded to the nearest hour.

const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws a RangeError for a name that is no time zone, so only real zones are remembered. */
function formatIn(zone: string): Intl.DateTimeFormat {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  return format;
}

/** The present names of time zones that Intl lists by an earlier name. It accepts both. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Coral_Harbour", "America/Atikokan"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
]);

export const presentZoneName = (zone: string): string => RENAMED.get(zone) ?? zone;

/** Names of the time zones, for people to choose from. */
export const timeZones = (): string[] => [
  ...new Set(["UTC", ...Intl.supportedValuesOf("timeZone").map(presentZoneName)]),
];

const ZONE_NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Whether a text is the name of a time zone, such as `Europe/Zurich`. Not an offset, which would miss changes of the clock. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const OFFSET = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/;

/** The exact offset of a time zone from UTC at a time, in milliseconds. */
export function exactOffsetAt(zone: string, at: number): number {
  if (zone === "UTC") return 0;
  const named = formatIn(zone)
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName");
  const [, sign, hours, minutes, seconds = "0"] = OFFSET.exec(named?.value ?? "") ?? [];
  const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return sign === undefined ? 0 : sign === "-" ? -offset : offset;
}

/** The offset of a time zone from UTC at a time, in milliseconds, rounded to the nearest hour. */
const offsetAt = (zone: string, at: number): number =>
  Math.round(exactOffsetAt(zone, at) / HOUR_MS) * HOUR_MS;

/** An offset, and since when it holds: a full hour. It ends with the next one of its list. */
export interface Offset {
  from: number;
  /** In milliseconds, a multiple of an hour. */
  offset: number;
}

/** No time zone has kept an offset for a shorter time. */
const STEP_MS = 14 * DAY_MS;

/** The offsets that hold from `from` to before `to`. Both are full hours. */
export function offsetsIn(zone: string, from: number, to: number): Offset[] {
  let offset = offsetAt(zone, from);
  const found: Offset[] = [{ from, offset }];
  for (let at = from; at < to; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, to);
    const after = offsetAt(zone, end);
    if (after === offset) continue;
    let low = at;
    let high = end;
    while (high - low > HOUR_MS) {
      const middle = low + Math.floor((high - low) / 2 / HOUR_MS) * HOUR_MS;
      if (offsetAt(zone, middle) === offset) low = middle;
      else high = middle;
    }
    if (high < to) found.push({ from: high, offset: after });
    offset = after;
  }
  return found;
}

/** The number of the local day of a time, counted from 1 January 1970. */
export const localDayAt = (zone: string, at: number): number =>
  Math.floor((at + offsetAt(zone, at)) / DAY_MS);

/** The first full hour of a local day, in milliseconds since the epoch. */
export const startOfLocalDay = (zone: string, day: number): number =>
  startOfDayIn(offsetsIn(zone, (day - 2) * DAY_MS, (day + 2) * DAY_MS), day);

// Within a range whose offsets are known, a day needs no format, which costs some microseconds.

/** The offset at a time, among offsets that begin before it. */
export const offsetIn = (offsets: readonly Offset[], at: number): number =>
  offsets.findLast(({ from }) => from <= at)?.offset ?? 0;

/** `localDayAt` by known offsets. */
export const localDayIn = (offsets: readonly Offset[], at: number): number =>
  Math.floor((at + offsetIn(offsets, at)) / DAY_MS);

/** `startOfLocalDay` by known offsets. */
export function startOfDayIn(offsets: readonly Offset[], day: number): number {
  const starts = offsets.map(({ from, offset }) => Math.max(from, day * DAY_MS - offset));
  return starts.find((at, index) => at < (offsets[index + 1]?.from ?? Number.POSITIVE_INFINITY)) ?? 0;
}
