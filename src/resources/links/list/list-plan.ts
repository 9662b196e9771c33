import { SHORT_HOST } from "../../../lib/slug-text";
import {
  countFilters,
  type Dimension,
  isIndexedText,
  type LinkFilter,
  type ListSort,
  type Named,
  toDimensions,
  type Word,
} from "./list-filter";

// A list reads the smallest set of links whose size is known, in the list's order, and filters it.

/** These find the links of a file, or of a hundred slugs or external ids, at most. */
const LOOKUPS = ["import", "slug", "external_id"] as const;
const RARE = ["taken_down", "broken"] as const;

type Lookup = (typeof LOOKUPS)[number];
export type Counted = "external_id_prefix" | "search";

/** How the links of a set are found: by one filter, by the names of tags and groups, by a row id, or all of them. */
export type Index = Dimension | Lookup | Counted | (typeof RARE)[number] | "names" | "link" | "all";

export interface LinkSet {
  index: Index;
  tag?: Named | undefined;
  word?: Word | undefined;
  size: number;
}

export interface Plan {
  set: LinkSet;
  filter: LinkFilter;
  total?: number | undefined;
  /** The most links of the set that are looked at, the newest first. Without it, all of them are. */
  most?: number | undefined;
}

/** The most links that a list of the web application looks at, unless it reads no more than it shows. */
export const MAX_LISTED_LINKS = 10_000;
/** The most links that a search looks at: of those with a word, and of others. */
export const MAX_FOUND_LINKS = 1_000;
export const MAX_NEWEST_LINKS = 2_000;

/** An import, slugs and external ids find few links, so no other set is looked for. */
export const findLookup = (filter: LinkFilter): Lookup | undefined =>
  LOOKUPS.find((name) => filter[name] !== undefined);

/** The sets that must be counted. On a tie the prefix comes first. */
export function toCounted(filter: LinkFilter, hasSearchIndex: boolean): Counted[] {
  if (findLookup(filter) !== undefined) return [];
  return [
    ...(filter.external_id_prefix === undefined ? [] : (["external_id_prefix"] as const)),
    ...(hasSearchIndex && isIndexedText(filter.q ?? "") ? (["search"] as const) : []),
  ];
}

/** Whether a list has several sets to choose from. The row ids of several tags are read with their sizes. */
export const hasChoice = (filter: LinkFilter, counted: readonly Counted[]): boolean => {
  const sets = [...counted, ...toDimensions(filter), ...RARE.filter((name) => filter[name])];
  return (
    counted.length > 0 || filter.tags.length > 1 || (findLookup(filter) === undefined && sets.length > 1)
  );
};

/** Whether a list is a set with a stored size: all links, those on the short host, or those of one filter. */
export const isStored = (filter: LinkFilter): boolean =>
  countFilters(filter) <= 1 &&
  countFilters(filter) === (filter.domain === undefined ? toDimensions(filter).length : 1);

export interface StoredSize {
  index: Dimension | "all";
  /** The row id of a tag or group, or the value or domain; null if the workspace has no such tag or group. */
  key: string | number | null;
  size: number;
}

/** What is known of a list's sets. The stored sizes are not read if it has no choice. */
interface SetSizes {
  stored: readonly StoredSize[];
  counted: readonly LinkSet[];
  /** Whether links wait to get a tag that another was merged into. Then no index has all links of a tag. */
  isMerging: boolean;
}

export const UNKNOWN = Number.POSITIVE_INFINITY;

export function planList(filter: LinkFilter, { stored, counted, isMerging }: SetSizes): Plan {
  const [all, ...others] = stored;
  const dimensions: LinkSet[] =
    all === undefined
      ? toDimensions(filter).map((index) => ({ index, tag: filter.tags[0], size: UNKNOWN }))
      : others.map(({ index, key, size }) => ({ index, tag: { rowId: Number(key) }, size }));
  const tags = dimensions
    .filter(({ index }) => index === "tag")
    .sort((one, other) => one.size - other.size)
    .flatMap(({ tag }) => tag ?? []);
  const lookup = findLookup(filter);
  // Few links are taken down or broken, but nobody has counted them.
  const rare = (filter.words === undefined ? MAX_LISTED_LINKS : MAX_NEWEST_LINKS) + 1;
  const sets = [
    ...(lookup === undefined ? [] : [{ index: lookup, size: 0 }]),
    ...dimensions.filter(({ index }) => !isMerging || index !== "tag"),
    ...counted,
    ...RARE.filter((name) => filter[name]).map((index) => ({ index, size: rare })),
  ];
  const known = { ...filter, tags };
  const isAlone = countFilters(known) === 1 && (filter.q ?? filter.external_id_prefix) !== undefined;
  return {
    filter: known,
    set: chooseSet({ index: "all", size: all?.size ?? UNKNOWN }, sets, isAlone),
    total: isAlone ? counted[0]?.size : isStored(known) ? stored.at(-1)?.size : undefined,
  };
}

const MIN_SORT_ALL = 500;
const LINKS_A_MATCH = 20;

/**
 * The smallest set, of equal ones the first; without one all links. If a text or prefix alone finds more than a twentieth of
 * all links, these are read until the page is full, at one row a link: sorting reads four rows of each match.
 */
function chooseSet(all: LinkSet, [first = all, ...others]: readonly LinkSet[], isAlone: boolean): LinkSet {
  const smallest = others.reduce((least, other) => (other.size < least.size ? other : least), first);
  return isAlone && smallest.size > Math.max(MIN_SORT_ALL, all.size / LINKS_A_MATCH) ? all : smallest;
}

/** Whether the index of a list of one set has its order, so that a page reads no more links than it shows. */
const isPaged = ({ set: { index }, filter }: Plan, sort: ListSort): boolean =>
  isStored(filter) && filter.domain !== SHORT_HOST && (index === "all" || /created_at$/.test(sort));

/** The same for the web application, where the cost of a list has a limit however many links there are. */
export function withLimit(plan: Plan, sort: ListSort): Plan {
  const { index, size } = plan.set;
  const limited = (most: number): Plan => ({ ...plan, total: undefined, most });
  if (plan.filter.words !== undefined) {
    if (index === "import") return limited(MAX_LISTED_LINKS + 1);
    return limited(index === "search" || index === "names" ? MAX_FOUND_LINKS : MAX_NEWEST_LINKS);
  }
  return size <= MAX_LISTED_LINKS || isPaged(plan, sort) ? plan : limited(MAX_LISTED_LINKS);
}
