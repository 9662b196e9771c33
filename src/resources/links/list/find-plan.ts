import { MAX_ROWS_PER_FILE } from "../../../lib/import-columns";
import { type Dimension, type LinkFilter, toDimensions } from "./filter";
import { toExpression } from "./matches";

/** The search index holds trigrams, so it cannot find a shorter text. */
const MIN_INDEXED_CHARACTERS = 3;
/** The most links that a search looks at, as the index of words finds them. */
export const MAX_FOUND_LINKS = 1_000;
/** The most links that a search looks at if no index finds its words. */
export const MAX_NEWEST_LINKS = 2_000;

/** A word, with the tags and groups that have it in their names. */
export interface Word {
  text: string;
  tagIds: readonly number[];
  groupIds: readonly number[];
  /** The links that have it in their text, counted up to the most that a search looks at. */
  matches: number;
}

/** Where the links come from that a search looks at. */
export type Source =
  | { from: "link" }
  /** The links whose text has all words of an expression. */
  | { from: "text"; expression: string }
  /** The same, and the links of the tags and groups with the word. */
  | { from: "names"; expression: string; word: Word }
  | { from: Dimension }
  /** The links of the import in the filter. */
  | { from: "import" }
  | { from: "newest" };

/** How a search is read. */
export interface FindPlan {
  filter: LinkFilter;
  source: Source;
  /** The words that are checked for each link that the source finds. */
  checked: readonly Word[];
  /** Row id of the link that the whole text names by a slug or code. */
  exact: number | null;
  /** The most links that the source finds. */
  most: number;
}

export const isIndexed = (word: string): boolean =>
  [...word].length >= MIN_INDEXED_CHARACTERS &&
  // FTS5 ends a text at NUL.
  !word.includes("\0");

const isNamed = ({ tagIds, groupIds }: Word): boolean => tagIds.length + groupIds.length > 0;

/** The source that finds the fewest links, as far as that is known, without one that finds too few. */
export function planFind(
  filter: LinkFilter,
  words: readonly Word[],
  { exact, isShortUrl }: { exact: number | null; isShortUrl: boolean },
): FindPlan {
  const plan = (source: Source, checked: readonly Word[], most = MAX_FOUND_LINKS): FindPlan => ({
    filter,
    source,
    checked,
    exact,
    most,
  });
  if (isShortUrl) return plan({ from: "link" }, []);
  if (filter.importId !== undefined) return plan({ from: "import" }, words, MAX_ROWS_PER_FILE + 1);
  const indexed = filter.hasSearchIndex ? words.filter(({ text }) => isIndexed(text)) : [];
  const required = indexed.filter((word) => !isNamed(word));
  const texts = required.map(({ text }) => text);
  const others = words.filter((word) => !required.includes(word));
  if (required.some(({ matches }) => matches <= MAX_FOUND_LINKS)) {
    return plan({ from: "text", expression: toExpression(texts) }, others);
  }
  const [dimension] = toDimensions(filter);
  if (dimension !== undefined) return plan({ from: dimension }, words, MAX_NEWEST_LINKS);
  const named = indexed.filter(isNamed).sort((one, other) => one.matches - other.matches)[0];
  if (named !== undefined) {
    const source = { from: "names" as const, expression: toExpression([...texts, named.text]), word: named };
    return plan(
      source,
      words.filter((word) => word !== named),
    );
  }
  if (required.length > 0) return plan({ from: "text", expression: toExpression(texts) }, others);
  return plan({ from: "newest" }, words, MAX_NEWEST_LINKS);
}
