import { MAX_TAGS_ON_LINK } from "../../../lib/link-fields";
import { SHORT_HOST } from "../../../lib/slug-text";
import { type Index, isInOrder, isMerged } from "./indexes";
import {
  type Dimension,
  isByCreation,
  isPrefixed,
  isSearched,
  type LinkFilter,
  type ListSort,
  lookupIndex,
  toDimensions,
} from "./list-filter";

/** How a list is read. */
export interface Plan {
  filter: LinkFilter;
  index: Index;
  /** The number of links if it is known, or where it comes from: the workspace, the filter's stored total, or a count. */
  total: number | "workspace" | "short_host" | "kept" | "counted";
  /** How many links the index finds, if that is known; a count may stop at `MAX_LISTED_LINKS`. */
  size?: number | undefined;
  /** The most links of the index that are looked at, the newest first. Without it, all of them are. */
  most?: number | undefined;
}

/** The stored total of one filter. */
export interface FilterTotal {
  kind: Dimension;
  /** The row id of the tag or group, or the value or domain; null if the workspace has no such tag or group. */
  key: number | string | null;
  total: number;
}

/** The number of links that a search or a prefix finds, counted up to the smallest total. */
export interface Match {
  index: "search" | "external_id_prefix";
  total: number;
}

/** What is counted before a list of several filters, a search or a prefix is planned. */
interface Counts {
  totals: readonly FilterTotal[];
  matches: readonly Match[];
  /** The workspace's links of the list's status. */
  links: number;
}

/** Few links are taken down or broken, so their index needs no count. */
export const rareIndex = ({ isTakenDown, isBroken }: LinkFilter): "taken_down" | "broken" | undefined =>
  isTakenDown ? "taken_down" : isBroken ? "broken" : undefined;

/** The plan of a list that has one index to choose; undefined if counts are needed to choose. */
export function planWithoutCounts(filter: LinkFilter): Plan | undefined {
  const [dimension, ...others] = toDimensions(filter);
  const rare = rareIndex(filter);
  // The row ids of several tags are read with their totals.
  if (filter.tags.length > 1) return undefined;
  const lookup = lookupIndex(filter);
  // All links of a small filter are looked at for broken ones.
  const isPlanned = rare === "taken_down" || (rare === "broken" && dimension === undefined);
  if (isPlanned && lookup === undefined) return { filter, index: rare, total: "counted" };
  if (lookup !== undefined) return { filter, index: lookup, total: "counted" };
  if (isSearched(filter) || isPrefixed(filter) || filter.isBroken || others.length > 0) return undefined;
  const isOnShortHost = filter.domain === SHORT_HOST;
  const isCounted = filter.search !== undefined || isByCreation(filter);
  if (isCounted || (isOnShortHost && dimension !== undefined))
    return { filter, index: dimension ?? "order", total: "counted" };
  if (dimension !== undefined) return { filter, index: dimension, total: "kept" };
  return { filter, index: "order", total: isOnShortHost ? "short_host" : "workspace" };
}

export function planWithCounts(filter: LinkFilter, sort: ListSort, counts: Counts): Plan {
  const [match, ...others] = counts.matches;
  if (
    match !== undefined &&
    others.length === 0 &&
    counts.totals.length === 0 &&
    filter.domain === undefined &&
    !isByCreation(filter)
  ) {
    return planMatch(filter, sort, match, counts.links);
  }
  const { index, size } = chooseIndex(counts);
  const known = withRowIds(filter, counts.totals);
  const isEmpty = size === 0 || known.tags.length > MAX_TAGS_ON_LINK;
  const rare = filter.isTakenDown || size > MAX_LISTED_LINKS ? rareIndex(filter) : undefined;
  const chosen = lookupIndex(filter) ?? rare ?? index;
  return { filter: known, index: chosen, total: isEmpty ? 0 : "counted", size: isEmpty ? 0 : size };
}

/** The plan of a search or prefix, as the cursor of its next page keeps it. */
export interface KnownPlan {
  index: "search" | "external_id_prefix" | "order";
  total: number;
}

/** The index of a search or prefix without other filters, which alone decides the list's total. */
function soleMatch(filter: LinkFilter): "search" | "external_id_prefix" | undefined {
  const hasOthers = toDimensions(filter).length > 0 || filter.domain !== undefined || isByCreation(filter);
  if (hasOthers || lookupIndex(filter) !== undefined || filter.isBroken) return undefined;
  if (isPrefixed(filter)) return filter.search === undefined ? "external_id_prefix" : undefined;
  return isSearched(filter) ? "search" : undefined;
}

/** The plan of a previous page, so that reading a long list to its end counts its matches once; undefined if it does not fit. */
export function planAgain(
  filter: LinkFilter,
  sort: ListSort,
  known: KnownPlan | undefined,
): Plan | undefined {
  const index = soleMatch(filter);
  if (known === undefined || index === undefined) return undefined;
  const fits = known.index === index || (known.index === "order" && isInOrder("order", sort, filter.status));
  return fits ? { filter, ...known } : undefined;
}

/** The part of a plan that a cursor keeps. */
export const toKnownPlan = ({ filter, index, total }: Plan): KnownPlan | undefined =>
  typeof total === "number" && (index === soleMatch(filter) || index === "order")
    ? ({ index, total } as KnownPlan)
    : undefined;

/** One match without other filters. The total of a search or a prefix is the count of its matches. */
function planMatch(filter: LinkFilter, sort: ListSort, { index, total }: Match, links: number): Plan {
  // A text that the search index cannot find narrows the prefix further.
  if (index === "external_id_prefix" && filter.search !== undefined)
    return { filter, index, total: "counted", size: total };
  const isCommon = total > sortAllThreshold(links);
  const canStopEarly = isInOrder("order", sort, filter.status);
  return { filter, index: isCommon && canStopEarly ? "order" : index, total, size: total };
}

const MIN_SORT_ALL = 500;
const LINKS_A_MATCH = 20;

/**
 * The most matches that a search reads as a whole and sorts, at four rows a match. With more, it reads the links in
 * the list's order, at one row a link, until the page is full: at worst all links, four times what sorting would read.
 */
export const sortAllThreshold = (links: number): number => Math.max(MIN_SORT_ALL, links / LINKS_A_MATCH);

/** The index that finds the fewest links, and how many it finds. */
export function chooseIndex({ totals, matches }: Pick<Counts, "totals" | "matches">): {
  index: Dimension | Match["index"];
  size: number;
} {
  return [
    ...totals.map(({ kind, total }) => ({ index: kind, size: total })),
    ...matches.map(({ index, total }) => ({ index, size: total })),
  ].reduce((smallest, other) => (other.size < smallest.size ? other : smallest));
}

/** The filter with the row ids of its tags and its group. The tag with the fewest links is the first. */
export function withRowIds(filter: LinkFilter, totals: readonly FilterTotal[]): LinkFilter {
  const rowIdsOf = (dimension: Dimension) =>
    totals
      .filter(({ kind }) => kind === dimension)
      .sort((a, b) => a.total - b.total)
      .map(({ key }) => ({ rowId: Number(key) }));
  return { ...filter, tags: rowIdsOf("tag"), group: rowIdsOf("group")[0] };
}

/** The most links that a list of the web application looks at, unless it reads no more than it shows. */
export const MAX_LISTED_LINKS = 10_000;

/**
 * The plan of a list in the web application, whose cost has a limit however many links there are. A list of one filter whose
 * index has the order reads a page of it, and a lookup reads few links. Others look at the newest links of their index.
 */
export function boundPlan(plan: Plan, sort: ListSort): Plan {
  const isSmall = plan.size !== undefined && plan.size <= MAX_LISTED_LINKS;
  // All links in their order may be many more than those that match.
  if (isSmall) return { ...plan, index: soleMatch(plan.filter) ?? plan.index };
  if (lookupIndex(plan.filter) !== undefined || isPaged(plan, sort)) return plan;
  return { ...plan, total: "counted", most: MAX_LISTED_LINKS };
}

/** Whether a list reads no more links than it shows, and need not count them. */
const isPaged = ({ filter: { status }, index, total }: Plan, sort: ListSort): boolean =>
  (total === "workspace" || total === "kept") &&
  (isInOrder(index, sort, status) || isMerged(index, sort, status));
