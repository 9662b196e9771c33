/** A visit before it is counted. Only counts are stored. */
export interface Visit {
  /** The public id of the link, or an unknown address. */
  link: string;
  asset: string | null;
  isAfterEnd: boolean;
  /** The key of the rule that led it, or "" for none of them; null for a link without rules. */
  rule: string | null;
  at: number;
  /** True for a GET that is not a prefetch. */
  follows: boolean;
  agent: string | null;
  referrer: string | null;
  country: string | undefined;
}

/** What is known of where a person came from. */
export type Origin = "country" | "referrer" | "device";

/** What files and the operator's command say for an origin that is not known. */
export const UNKNOWN_LABELS: Readonly<Record<Origin, string>> = {
  country: "unknown",
  referrer: "none",
  device: "unknown",
};

/** Clicks and scans are by people before the link's end; `after_end` counts people after it. */
export interface VisitCounts {
  clicks: number;
  scans: number;
  bots: number;
  after_end: number;
}

export interface HourCount extends VisitCounts {
  link: string;
  asset: string | null;
  /** Start of the quarter hour, in milliseconds since the epoch. What it is added to depends on the workspace's zone. */
  hour: number;
  last: number | null;
}

export interface DayCount {
  link: string;
  /** The same. */
  day: number;
  dimension: Origin | "rule";
  value: string;
  visits: number;
}

export interface Counts {
  hours: HourCount[];
  days: DayCount[];
}

/** Counts that are written as one row. Its id is unique there, so a retry fails. */
export interface Batch extends Counts {
  id: string;
  countedAt: number;
  /** Until then another request may be writing it. */
  busyUntil: number;
  /** D1 may have it although it did not confirm it, so it must not change. */
  isSent: boolean;
}

/** Visits that are not counted yet and batches that are not written yet, of one instance, keyed by its D1 binding. */
export interface VisitBuffer {
  visits: Visit[];
  /** From then on the next visit flushes the buffer itself. */
  abandonedAt: number;
  batches: Map<string, Batch>;
}
