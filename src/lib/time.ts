export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const QUARTER_MS = 15 * MINUTE_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Converts milliseconds since the epoch to ISO 8601 in UTC with milliseconds. */
export const isoTime = (at: number): string => new Date(at).toISOString();

export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Parses an ISO 8601 date, or time with zone, to milliseconds since the epoch. Undefined if invalid. */
export function parseIsoTime(text: string): number | undefined {
  if (!ISO_TIME.test(text)) return undefined;
  const at = Date.parse(text);
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  // Date.parse accepts 30 February as a day in March.
  if (Number.isNaN(at) || isoTime(day).slice(0, 10) !== text.slice(0, 10)) return undefined;
  return at;
}

/** Completes a date without a time to its last millisecond in UTC. Other texts stay as they are. */
export const endOfDate = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text;

/** What `parseIsoMoment` asks for. Completes a sentence that begins with the field. */
export const ISO_MOMENT_RULE = "must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z";

/** RFC 3339 and what Python, PHP and PostgreSQL print: a space for the `T`, and an offset without its colon or minutes. */
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(\.\d+)?)?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)$/;

/**
 * Parses an ISO 8601 time with zone to ISO 8601 in UTC. Undefined if invalid, without a zone, or without a year of four digits in
 * UTC. A leap second is the first second of the next minute.
 */
export function parseIsoMoment(text: string): string | undefined {
  const [, date = "", minute, second = "00", fraction = "", hours, minutes = "00"] = MOMENT.exec(text) ?? [];
  const isLeap = second === "60";
  const zone = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const at = parseIsoTime(`${date}T${minute}:${isLeap ? "59" : second}${fraction.slice(0, 4)}${zone}`);
  const time = at === undefined ? undefined : isoTime(at + (isLeap ? SECOND_MS : 0));
  return time !== undefined && /^\d/.test(time) ? time : undefined;
}

export const startOfUtcDay = (at: number): number => at - (at % DAY_MS);

/**
 * A time up to a minute before `latest`, until which a run takes something: by it the run finds what it has taken, also if it began
 * with another one, and the answer was lost.
 */
export const ownUntil = (latest: number): number => latest - Math.floor(Math.random() * MINUTE_MS);
