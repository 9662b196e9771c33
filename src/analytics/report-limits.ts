/**
 * With more visited links since the start of a range the figures of tags, and those of a group's channels and links, are not
 * counted.
 */
export const MAX_VISITED_LINKS = 2_000;

/** The links of a group whose assets are looked for. */
export const MAX_LINKS_WITH_ASSETS = 10_000;

/** More assets of a group are not ordered by their scans, since the hours of all of them would be read. */
export const MAX_RANKED_ASSETS = 500;

/** Rules that are counted by themselves, of a link and day. */
export const MAX_COUNTED_RULES = 50;

/** A batch that waits should have been added up by then. If no cron runs, a visit does it. */
export const LATE_MS = 75 * 60_000;
