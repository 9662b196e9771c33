import { fold, slugKey } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import type { ListLinks } from "../schema";

/** The search index holds trigrams, so it cannot find a shorter text. */
const MIN_INDEXED_CHARACTERS = 3;

/** A tag or an Activity Group: by the id or slug in the query, or by its row id once that is known. */
export type Named = { id: string; slug: string } | { rowId: number };

/** The filters of a list; `undefined` means not set. */
export interface LinkFilter {
  status: ListLinks["status"];
  /** A link must have all of them. */
  tags: readonly Named[];
  group: Named | undefined;
  channel: string | undefined;
  slugKey: string | undefined;
  /** Folded text that the slug, title or destination contains. */
  search: string | undefined;
  /** False while the search index is dropped. */
  hasSearchIndex: boolean;
}

const toNamed = (idOrSlug: string): Named => ({ id: storedId(idOrSlug), slug: idOrSlug });

export const toFilter = (
  query: Pick<ListLinks, "status" | "tag" | "activity_group_id" | "channel" | "slug" | "q">,
): LinkFilter => ({
  status: query.status,
  tags: (query.tag ?? []).map(toNamed),
  group: query.activity_group_id === undefined ? undefined : toNamed(query.activity_group_id),
  channel: query.channel,
  slugKey: query.slug === undefined ? undefined : slugKey(query.slug),
  search: query.q === undefined ? undefined : fold(query.q),
  hasSearchIndex: true,
});

/** Whether the search index can find the list's links. With a slug it is not needed: a slug finds one link at most. */
export const isSearched = ({ search, slugKey, hasSearchIndex }: LinkFilter): boolean =>
  hasSearchIndex &&
  slugKey === undefined &&
  search !== undefined &&
  [...search].length >= MIN_INDEXED_CHARACTERS &&
  // FTS5 ends a text at NUL.
  !search.includes("\0");

/** The kinds of stored totals. */
export type Dimension = "tag" | "group" | "channel";

/** The dimension of each filter that has a stored total. */
export const toDimensions = ({ tags, group, channel }: LinkFilter): Dimension[] => [
  ...tags.map(() => "tag" as const),
  ...(group === undefined ? [] : (["group"] as const)),
  ...(channel === undefined ? [] : (["channel"] as const)),
];
