/**
 * With more visited links since the start of a range the figures of tags, and those of a group's channels and links, are not
 * counted.
 */
export const MAX_VISITED_LINKS = 2_000;

/** Rules that are counted by themselves, of a link and day. */
export const MAX_COUNTED_RULES = 50;
