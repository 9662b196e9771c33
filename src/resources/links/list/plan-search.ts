import type { Context } from "../../../context";
import { sortNaturally } from "../../../lib/natural-order";
import { unaccented } from "../../../lib/slug-text";
import { isIndexedText, type LinkFilter, lookupIndex, NO_FILTER, toDimensions } from "./list-filter";
import type { Plan } from "./list-plan";
import { selectFilterTotals } from "./list-query";
import { MAX_FOUND_LINKS, planWords } from "./plan-words";
import {
  countWords,
  type OpenedRow,
  selectGroupNames,
  selectOpenedLink,
  selectTagNames,
} from "./search-query";
import { toTerms } from "./terms";

/** More groups are not found by their names. */
const MAX_GROUPS = 2_000;

/** The link that the whole text names. */
export interface ExactMatch {
  /** Public id of the link. */
  link: string;
  by: "slug" | "old slug" | "code";
  /** The asset of a code. */
  asset: { id: string; name: string } | null;
}

/** A tag or group with all words of a search in its name. */
interface NamedMatch {
  id: string;
  name: string;
}

/** What a search finds besides the links that have its words. */
export interface Found {
  exact: ExactMatch | null;
  tags: readonly NamedMatch[];
  groups: readonly NamedMatch[];
}

export const NONE_FOUND: Found = { exact: null, tags: [], groups: [] };

const toExact = (row: OpenedRow | undefined): ExactMatch | null =>
  row === undefined
    ? null
    : {
        link: row.link,
        by: row.asset !== null ? "code" : row.is_current === 1 ? "slug" : "old slug",
        asset: row.asset === null ? null : { id: row.asset, name: row.asset_name ?? row.asset },
      };

/** Those with all words in their names, by name. A tag that is merged has the id and the name of the other one. */
const withAll = (
  named: readonly { public_id: string; name: string; key: string }[],
  words: readonly string[],
): NamedMatch[] => {
  const found = named.filter(({ key }) => words.length > 0 && words.every((word) => key.includes(word)));
  return sortNaturally([...new Map(found.map(({ public_id: id, name }) => [id, { id, name }])).values()]);
};

/**
 * Plans a search by a pasted short URL, a slug, a code, a destination or words, within the filters of a list: reads the
 * link that the text names, the tags and groups whose names have a word, and how many links have each word.
 */
export async function planSearch(
  ctx: Context,
  filter: LinkFilter,
  text: string,
): Promise<{ plan: Plan; found: Found }> {
  const workspaceId = ctx.workspace.rowId;
  const { opened: named, isShortUrl, words } = toTerms(text, ctx.config);
  // An import, slugs or external ids find few links, whatever the words are.
  const isCounted = filter.hasSearchIndex && lookupIndex(filter) === undefined;
  const counted = isCounted ? words.filter(isIndexedText) : [];
  const [[opened], tags, groups, counts, totals] = await ctx.db.read(
    named === undefined ? undefined : selectOpenedLink(workspaceId, named),
    words.length === 0 ? undefined : selectTagNames(workspaceId),
    words.length === 0 ? undefined : selectGroupNames(workspaceId, MAX_GROUPS),
    counted.length === 0 ? undefined : countWords(workspaceId, filter, counted, MAX_FOUND_LINKS),
    toDimensions(filter).length === 0 ? undefined : selectFilterTotals(workspaceId, filter),
  );
  const exact = toExact(opened);
  const exactId = opened?.link_id ?? null;
  // Whoever pastes a short URL wants its link, whatever the filters are.
  if (isShortUrl && (exact !== null || words.length === 0))
    return {
      plan: { filter: { ...NO_FILTER, exactId }, index: "link", total: "counted" },
      found: { ...NONE_FOUND, exact },
    };
  const keys = (rows: typeof tags) => rows.map((row) => ({ ...row, key: unaccented(row.name) }));
  const [tagKeys, groupKeys] = [keys(tags), keys(groups)];
  const idsWith = (named: typeof tagKeys, word: string): number[] =>
    named.filter(({ key }) => key.includes(word)).map(({ id }) => id);
  const known = words.map((word) => ({
    text: word,
    tagIds: idsWith(tagKeys, word),
    groupIds: idsWith(groupKeys, word),
    matches: counts.find((count) => count.word === word)?.total,
  }));
  const plan = planWords({ ...filter, words: known, exactId }, totals);
  return { plan, found: { exact, tags: withAll(tagKeys, words), groups: withAll(groupKeys, words) } };
}
