import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time";

/**
 * With more visited links since the start of a range the figures of tags, and those of a group's channels and links, are not
 * counted.
 */
export const MAX_VISITED_LINKS = 2_000;

/** The links of a group whose assets are looked for. */
export const MAX_LINKS_WITH_ASSETS = 10_000;

/** More assets of a group are not ordered by their scans, since the hours of all of them would be read. */
export const MAX_RANKED_ASSETS = 500;

/** The same of the groups of a workspace: each has some 600 hours in 30 days. */
export const MAX_RANKED_GROUPS = 200;

/** Rules that are counted by themselves, of a link and day. */
export const MAX_COUNTED_RULES = 50;

/** A batch that waits should have been added up by then. If no cron runs, a visit does it. */
export const LATE_MS = 75 * MINUTE_MS;

/** An instance keeps a batch that D1 does not take for so long. The free plan's limit of a day can last 24 hours. */
export const MAX_BATCH_AGE_MS = 25 * HOUR_MS;

/** For so long it is known which batches were added up. An instance must not write an older one again: it could count twice. */
export const RUNS_KEPT_MS = 2 * DAY_MS;
