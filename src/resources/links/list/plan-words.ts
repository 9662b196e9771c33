import { MAX_ROWS_PER_FILE } from "../../../lib/import-columns";
import { type LinkFilter, lookupIndex, type Word } from "./list-filter";
import { chooseIndex, type FilterTotal, type Plan, rareIndex, withRowIds } from "./list-plan";

/** The most links that a search by words looks at, as the index of words finds them. */
export const MAX_FOUND_LINKS = 1_000;
/** The most links that a search looks at if no index finds its words. */
export const MAX_NEWEST_LINKS = 2_000;

const isNamed = ({ tagIds, groupIds }: Word): boolean => tagIds.length + groupIds.length > 0;

/** The words that links must have in their text, since no name has them, as far as the search index finds them. */
export const requiredWords = ({ words }: LinkFilter): Word[] =>
  words.filter((word) => word.matches !== undefined && !isNamed(word));

/**
 * The plan of a search by words. Rare words find fewer links than a filter; a filter fewer than words that names have, or that
 * are common.
 */
export function planWords(filter: LinkFilter, totals: readonly FilterTotal[]): Plan {
  const required = requiredWords(filter);
  const isRare = required.some(({ matches = 0 }) => matches <= MAX_FOUND_LINKS);
  const [named] = filter.words
    .filter((word) => word.matches !== undefined && isNamed(word))
    .sort((one, other) => (one.matches ?? 0) - (other.matches ?? 0));
  const byWords =
    isRare || (named === undefined && required.length > 0) ? "search" : named && ("names" as const);
  const others = totals.length === 0 ? undefined : chooseIndex({ totals, matches: [] }).index;
  const index =
    lookupIndex(filter) ?? rareIndex(filter) ?? (isRare ? byWords : (others ?? byWords)) ?? "order";
  const limit = index === "search" || index === "names" ? MAX_FOUND_LINKS : MAX_NEWEST_LINKS;
  return {
    filter: {
      ...withRowIds(filter, totals),
      words: [...new Set([...(named === undefined ? [] : [named]), ...filter.words])],
    },
    index,
    total: "counted",
    most: index === "import" ? MAX_ROWS_PER_FILE + 1 : limit,
  };
}
