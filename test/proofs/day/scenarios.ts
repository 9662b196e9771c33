// The days that are simulated.

export interface Scenario {
  name: string;
  /** Visits a day. */
  visits: number;
  /** Links that are visited, by Zipf's law. */
  links: number;
  /** Links that nobody visits. */
  others?: number;
  /** What happens on the second day. */
  trouble?: "no KV writes for an hour" | "no D1 for an hour" | "no crons" | "15,000 links change";
  /** Instances that a place can have, if other than usual. */
  instances?: number;
  /** How long it runs: two days, or less for a service so large that minutes say enough. */
  minutes?: number;
}

export const USUAL_NAME = "5,000 visits, 1,000 links";
const USUAL = { visits: 5_000, links: 1_000 } as const;

export const SCENARIOS: readonly Scenario[] = [
  { name: "500 visits, 300 links", visits: 500, links: 300 },
  { name: USUAL_NAME, ...USUAL },
  { name: "100,000 visits, 5,000 links", visits: 100_000, links: 5_000 },
  { name: "KV takes no write for an hour", ...USUAL, trouble: "no KV writes for an hour" },
  { name: "D1 is out for an hour", ...USUAL, trouble: "no D1 for an hour" },
  { name: "the crons stand still", ...USUAL, trouble: "no crons" },
  { name: "15,000 links change", ...USUAL, others: 14_000, trouble: "15,000 links change" },
];

/**
 * Minutes of large services, from which their cost follows: after an hour since the first visits to their links, and before an
 * hour without visits, in which all is added up.
 */
export const LARGE: readonly Scenario[] = [
  { name: "10 million visits a day, 1,000 links", visits: 10_000_000, links: 1_000, minutes: 10 },
  {
    name: "100 million visits a day, 10,000 links",
    visits: 100_000_000,
    links: 10_000,
    minutes: 1.5,
    instances: 20,
  },
];

export const CHANGES_A_DAY = 40;
export const PLACES = 20;
/** Instances that a place can have. */
export const INSTANCES = 5;
/** An instance without a visit dies after so long. */
export const IDLE_MS = 5 * 60_000;
