/** What is known of a visit when it is counted. None of it is kept but the counts. */
export interface Visit {
  link: string;
  at: number;
  /** A GET that is no prefetch: a person's, if the user agent is. */
  follows: boolean;
  /** Its first 512 bytes. */
  agent: string | null;
  /** A URL without its path. */
  referrer: string | null;
  country: string | undefined;
}

export const DIMENSIONS = ["country", "referrer", "device"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface HourCount {
  link: string;
  /** Start of the hour in UTC, in milliseconds since the epoch. */
  hour: number;
  people: number;
  bots: number;
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
}

/** What is written in one batch, once: its id is in the batch. */
export interface Pack extends Counts {
  id: string;
  countedAt: number;
  /** Until then somebody may still be writing it. */
  busyUntil: number;
}

/** What one instance has gathered, kept beside its D1 binding. */
export interface Gathering {
  visits: Visit[];
  /** When a visit that finds visits still here writes them itself. */
  abandonedAt: number;
  /** Counted packs that D1 has not confirmed yet, by id. */
  packs: Map<string, Pack>;
}
