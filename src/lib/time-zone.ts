import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS, SECOND_MS } from "./time";

interface EarlierZone {
  zone: string;
  /** Until when its days are counted: a full hour, in milliseconds since the epoch. */
  until: number;
  /** The local day that it ended on. */
  lastDay: number;
}

/** The zone in which the days of visits are counted, after those before it, which keep their days. */
export interface ZoneHistory {
  zone: string;
  earlier: readonly EarlierZone[];
}

/** A zone and the JSON of those before it, as a workspace has them. */
export const readZones = (zone: string, earlier: string | null): ZoneHistory => ({
  zone,
  earlier: earlier === null ? [] : JSON.parse(earlier),
});

/** A zone that has always been the same is its name. */
export type Zones = string | ZoneHistory;

export const presentZone = (zones: Zones): string => (typeof zones === "string" ? zones : zones.zone);

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

/** An offset, and since when it holds: a full quarter hour. It ends with the next one of its list. */
export interface Offset {
  from: number;
  /** In milliseconds. */
  offset: number;
}

/** No time zone has kept an offset for a shorter time. */
const STEP_MS = 14 * DAY_MS;

/** The offsets of one zone from `from` to before `to`. Both are full quarter hours. */
function offsetsOf(zone: string, from: number, to: number): Offset[] {
  let offset = exactOffsetAt(zone, from);
  const found: Offset[] = [{ from, offset }];
  for (let at = from; at < to; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, to);
    const after = exactOffsetAt(zone, end);
    if (after === offset) continue;
    let low = at;
    let high = end;
    while (high - low > QUARTER_MS) {
      const middle = low + Math.floor((high - low) / 2 / QUARTER_MS) * QUARTER_MS;
      if (exactOffsetAt(zone, middle) === offset) low = middle;
      else high = middle;
    }
    if (high < to) found.push({ from: high, offset: after });
    offset = after;
  }
  return found;
}

/**
 * Offsets under which no day comes back: where a zone follows one that is a day ahead, its clocks show the hours of its own
 * date, and its visits count for `lastDay` until its own date has come.
 */
function keepDay(offsets: readonly Offset[], lastDay: number, to: number): Offset[] {
  const [first] = offsets;
  if (first === undefined || localDayIn(offsets, first.from) >= lastDay) return [...offsets];
  const midnights = [0, 1].map((behind) => startOfDayIn(offsets, lastDay - behind));
  const cuts = new Set([
    ...offsets.map(({ from }) => from),
    ...midnights.filter((at) => at > first.from && at < to),
  ]);
  return [...cuts]
    .sort((one, other) => one - other)
    .map((from) => {
      const behind = Math.max(0, lastDay - localDayIn(offsets, from));
      return { from, offset: offsetIn(offsets, from) + behind * DAY_MS };
    });
}

/** The offsets that hold from `from` to before `to`. Both are full quarter hours. */
export function offsetsIn(zones: Zones, from: number, to: number): Offset[] {
  if (typeof zones === "string") return offsetsOf(zones, from, to);
  const found: Offset[] = [];
  let start = Number.NEGATIVE_INFINITY;
  let lastDay = Number.NEGATIVE_INFINITY;
  for (const one of [...zones.earlier, { zone: zones.zone, until: Number.POSITIVE_INFINITY, lastDay }]) {
    if (one.until > from && (start <= from || start < to)) {
      const end = Math.min(Math.max(from, to), one.until);
      found.push(...keepDay(offsetsOf(one.zone, Math.max(from, start), end), lastDay, end));
    }
    start = one.until;
    lastDay = one.lastDay;
  }
  return found;
}

export function localDayAt(zones: Zones, at: number): number {
  const quarter = at - (at % QUARTER_MS);
  return localDayIn(offsetsIn(zones, quarter, quarter), at);
}

export const startOfLocalDay = (zones: Zones, day: number): number =>
  startOfDayIn(offsetsIn(zones, (day - 2) * DAY_MS, (day + 2) * DAY_MS), day);

/** What a visit is counted in: its hour, or its quarter hour where the clocks of the zone have another minute than those of UTC. */
export function countedHourOf(zones: Zones, at: number): number {
  const hour = at - (at % HOUR_MS);
  const [first] = offsetsIn(zones, hour, hour);
  return (first?.offset ?? 0) % HOUR_MS === 0 ? hour : at - (at % QUARTER_MS);
}

/** A change of zone counts from the first full hour that begins at least so long after it: by then no visit is older. */
const CHANGE_MS = 5 * MINUTE_MS;

/** The zones of a workspace after a change of the present one. */
export function zonesAfter(zones: ZoneHistory, zone: string, now: number): ZoneHistory {
  const until = Math.ceil((now + CHANGE_MS) / HOUR_MS) * HOUR_MS;
  const last = zones.earlier.at(-1);
  // A zone that has not begun to count leaves nothing behind.
  if (last?.until === until && last.zone === zone) return { zone, earlier: zones.earlier.slice(0, -1) };
  if (last?.until === until) return { ...zones, zone };
  const lastDay = localDayAt(zones, until - 1);
  return { zone, earlier: [...zones.earlier, { zone: zones.zone, until, lastDay }] };
}

// Within a range whose offsets are known, a day needs no format, which costs some microseconds.

/** The offset at a time, among offsets that begin before it. */
const offsetIn = (offsets: readonly Offset[], at: number): number =>
  offsets.findLast(({ from }) => from <= at)?.offset ?? 0;

export const localDayIn = (offsets: readonly Offset[], at: number): number =>
  Math.floor((at + offsetIn(offsets, at)) / DAY_MS);

export function startOfDayIn(offsets: readonly Offset[], day: number): number {
  const starts = offsets.map(({ from, offset }) => Math.max(from, day * DAY_MS - offset));
  return starts.find((at, index) => at < (offsets[index + 1]?.from ?? Number.POSITIVE_INFINITY)) ?? 0;
}
