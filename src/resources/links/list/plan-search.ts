import type { Context } from "../../../context";
import { sortNaturally } from "../../../lib/natural-order";
import { unaccented } from "../../../lib/slug-text";
import { isIndexedText, type LinkFilter, NO_FILTER, type Word } from "./list-filter";
import { findLookup, type LinkSet, MAX_FOUND_LINKS, UNKNOWN } from "./list-plan";
import { selectSizes } from "./list-query";
import {
  countWords,
  type OpenedRow,
  requiredWords,
  selectGroupNames,
  selectOpenedLink,
  selectTagNames,
} from "./search-query";
import { toTerms } from "./terms";

/** More groups are not found by their names. */
const MAX_GROUPS = 2_000;

export interface ExactMatch {
  link: string;
  by: "slug" | "old slug" | "code";
  asset: { id: string; name: string } | null;
}

interface NamedMatch {
  id: string;
  name: string;
}

export const NO_MATCHES = {
  exact: null as ExactMatch | null,
  tags: [] as readonly NamedMatch[],
  groups: [] as readonly NamedMatch[],
};

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
 * The sets of a search: the links with the rarest word that tags or groups have in their names, and those with all words that
 * none has. Nobody knows the size of a set by names, or by words that are all common.
 */
function setsOf(words: readonly Word[], sizes: ReadonlyMap<string, number>): LinkSet[] {
  const sizeOf = ({ text }: Word) => sizes.get(text) ?? MAX_FOUND_LINKS + 1;
  const counted = words
    .filter(({ text }) => sizes.has(text))
    .sort((one, other) => sizeOf(one) - sizeOf(other));
  const required = requiredWords(counted);
  const word = counted.find((one) => !required.includes(one));
  const [rarest] = required;
  return [
    ...(word === undefined ? [] : [{ index: "names" as const, word, size: UNKNOWN }]),
    ...(rarest === undefined
      ? []
      : [{ index: "search" as const, size: sizeOf(rarest) > MAX_FOUND_LINKS ? UNKNOWN : sizeOf(rarest) }]),
  ];
}

/**
 * Reads what a search by a pasted short URL, a slug, a code, a destination or words means within the filters of a list: the
 * link that the text names, the tags and groups whose names have a word, and how many links have each word.
 */
export async function readSearch(ctx: Context, filter: LinkFilter, text: string, hasSearchIndex: boolean) {
  const workspaceId = ctx.workspace.rowId;
  const { opened: named, isShortUrl, words: texts } = toTerms(text, ctx.config);
  // An import, slugs or external ids find few links, whatever the words are.
  const isCounted = hasSearchIndex && findLookup(filter) === undefined;
  const indexed = isCounted ? texts.filter(isIndexedText) : [];
  const [[opened], tags, groups, counts, stored] = await ctx.db.read(
    named === undefined ? undefined : selectOpenedLink(workspaceId, named),
    texts.length === 0 ? undefined : selectTagNames(workspaceId),
    texts.length === 0 ? undefined : selectGroupNames(workspaceId, MAX_GROUPS),
    indexed.length === 0 ? undefined : countWords(workspaceId, filter, indexed),
    selectSizes(workspaceId, filter),
  );
  const exact = toExact(opened);
  // Whoever pastes a short URL wants its link, whatever the filters are.
  if (isShortUrl && (exact !== null || texts.length === 0))
    return {
      filter: { ...NO_FILTER, link: opened?.link_id ?? 0 },
      counted: [{ index: "link", size: 1 }] satisfies LinkSet[],
      stored: [],
      matches: { ...NO_MATCHES, exact },
    };
  const keys = (rows: typeof tags) => rows.map((row) => ({ ...row, key: unaccented(row.name) }));
  const [tagKeys, groupKeys] = [keys(tags), keys(groups)];
  const idsWith = (named: typeof tagKeys, word: string): number[] =>
    named.filter(({ key }) => key.includes(word)).map(({ id }) => id);
  const sizes = new Map(counts.map(({ word, total }) => [word, total]));
  const words = texts.map((word) => ({
    text: word,
    tagIds: idsWith(tagKeys, word),
    groupIds: idsWith(groupKeys, word),
  }));
  return {
    filter: { ...filter, words, link: opened?.link_id },
    counted: setsOf(words, sizes),
    stored,
    matches: { exact, tags: withAll(tagKeys, texts), groups: withAll(groupKeys, texts) },
  };
}
