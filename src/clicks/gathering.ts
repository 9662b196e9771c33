/** A visit before it is counted. Only counts are stored. */
export interface Visit {
  link: string;
  /** The asset whose code was scanned; null for a visit by a slug. */
  asset: string | null;
  /** Whether it came after the link's end. */
  isLate: boolean;
  at: number;
  /** True for a GET that is not a prefetch. */
  follows: boolean;
  /** The first 512 bytes of the user agent. */
  agent: string | null;
  /** The referrer's URL without its path. */
  referrer: string | null;
  country: string | undefined;
}

export const DIMENSIONS = ["country", "referrer", "device"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface HourCount {
  link: string;
  /** Start of the hour in UTC, in milliseconds since the epoch. */
  hour: number;
  /** By a slug. */
  people: number;
  bots: number;
  /** People by the code of an asset. */
  scans: number;
  /** People after the link's end. They are in no other number. */
  late: number;
  /** The time of the last of `people` and `scans`; null if there were none. */
  last: number | null;
}

/** Visits by the code of an asset. */
export interface ScanCount {
  asset: string;
  /** Start of the hour in UTC, in milliseconds since the epoch. */
  hour: number;
  people: number;
  bots: number;
  late: number;
}

export interface DayCount {
  link: string;
  /** Start of the day in UTC, in milliseconds since the epoch. */
  day: number;
  dimension: Dimension;
  value: string;
  people: number;
}

export interface Counts {
  hours: HourCount[];
  days: DayCount[];
  scans: ScanCount[];
}

/** The number of visits of these counts. */
export const countVisitsOf = ({ hours }: Pick<Counts, "hours">): number =>
  hours.reduce((sum, { people, bots, scans, late }) => sum + people + bots + scans + late, 0);

/** Counts that are written in one batch. The batch stores the id, so a retry fails. */
export interface Pack extends Counts {
  id: string;
  countedAt: number;
  /** Until then another request may be writing it. */
  busyUntil: number;
}

/** Uncounted visits and unwritten packs of one instance, keyed by its D1 binding. */
export interface Gathering {
  visits: Visit[];
  /** From then on the next visit writes the gathered visits itself. */
  abandonedAt: number;
  /** Packs that D1 has not confirmed, by id. */
  packs: Map<string, Pack>;
}
