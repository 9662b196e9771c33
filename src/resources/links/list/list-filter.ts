import { firstIdAt } from "../../../lib/ids";
import { eachField, VALUE_FIELD_NAMES, VALUE_FIELDS, type ValueFieldName } from "../../../lib/link-fields";
import { domainNamed, type ShortHost } from "../../../lib/short-url";
import { fold, foldSlug, SHORT_HOST } from "../../../lib/slug-text";
import { storedId } from "../../../lib/ulid-text";
import type { LinkSort, ListLinks } from "../link-schema";

/** The search index holds trigrams, so it cannot find a shorter text. */
const MIN_INDEXED_CHARACTERS = 3;

/** A tag or an Activity Group: by the id or slug in the query, or by its row id once that is known. */
export type Named = { id: string; slug: string } | { rowId: number };

/** A word of a search, without accents, with the tags and groups that have it in their names. */
export interface Word {
  text: string;
  tagIds: readonly number[];
  groupIds: readonly number[];
  /** The links that have it in their text, if the search index finds it, counted up to a limit. */
  matches: number | undefined;
}

/** The filters of a list; `undefined` means not set. */
export interface LinkFilter extends Partial<Record<ValueFieldName, string | undefined>> {
  status: ListLinks["status"];
  /** A link must have all of them. */
  tags: readonly Named[];
  /** Whether links wait to get a tag that another was merged into; then no index has all links of a tag. */
  isMerging: boolean;
  group?: Named | undefined;
  domain?: string | undefined;
  /** Folded slugs, current or old, on any domain; a link must be opened by one of them. */
  slugs?: readonly string[] | undefined;
  /** A link must have one of them. */
  externalIds?: readonly string[] | undefined;
  externalIdPrefix?: string | undefined;
  /** Public id of an import: only links that it made. */
  importId?: string | undefined;
  /** Who created the links, as the audit log names them. */
  createdBy?: string | undefined;
  /** The ids of a time of creation, with which they begin: the first one, and the first one after it. */
  created?: readonly [from: string, before: string] | undefined;
  /** Only links whose destination is broken. */
  isBroken: boolean;
  /** Only links that the operator or a check has taken down. */
  isTakenDown: boolean;
  /** Folded text that the slug, title or destination contains. */
  search?: string | undefined;
  /** A link must have all of them in its text, or in the name of a tag or of its group. */
  words: readonly Word[];
  /** Row id of the link that the whole text of a search names, which needs no words; null for none. */
  exactId: number | null;
  /** False while the search index is dropped. */
  hasSearchIndex: boolean;
}

export const NO_FILTER: LinkFilter = {
  status: "all",
  tags: [],
  isMerging: false,
  isBroken: false,
  isTakenDown: false,
  words: [],
  exactId: null,
  hasSearchIndex: true,
};

const toNamed = (idOrSlug: string): Named => ({ id: storedId(idOrSlug), slug: idOrSlug });

/** What the web application filters by besides the parameters of the public interface. */
interface MoreFilters extends Partial<Record<ValueFieldName, string | undefined>> {
  health?: "broken" | "taken_down" | undefined;
  import?: string | undefined;
  created_by?: string | undefined;
  /** The time since which, and before which, links were created. */
  created?: { from: number | undefined; to: number | undefined } | undefined;
  /** Words in any order, without regard to accents, also in the names of tags and groups. */
  find?: string | undefined;
  /** Whether all pages are read, by their cursors. */
  readsAllPages?: boolean | undefined;
}

/** The orders of the web application: those of the public interface, and by all clicks and scans so far. */
export type ListSort = LinkSort | "-visits";

/** The query of a list in the web application. */
export type ListQuery = Omit<ListLinks, "sort"> & MoreFilters & { sort: ListSort };

const AFTER_ALL_IDS = "8";

const idsOf = ({ from = 0, to }: NonNullable<MoreFilters["created"]>): LinkFilter["created"] => [
  firstIdAt(Math.max(0, from)),
  to === undefined ? AFTER_ALL_IDS : firstIdAt(Math.max(0, to)),
];

export const toFilter = (
  query: Omit<ListLinks, "sort" | "page" | "per_page" | "after"> & MoreFilters,
  config: Pick<ShortHost, "shortHost">,
): LinkFilter => ({
  ...NO_FILTER,
  status: query.status,
  tags: (query.tag ?? []).map(toNamed),
  group: query.activity_group_id === undefined ? undefined : toNamed(query.activity_group_id),
  ...eachField(VALUE_FIELDS, (name) => query[name]),
  domain: query.domain === undefined ? undefined : domainNamed(config, query.domain),
  slugs: query.slug && [...new Set(query.slug.map(foldSlug))],
  externalIds: query.external_id && [...new Set(query.external_id)],
  externalIdPrefix: query.external_id_prefix,
  importId: query.import === undefined ? undefined : storedId(query.import),
  createdBy: query.created_by,
  created: query.created && idsOf(query.created),
  isBroken: query.health === "broken",
  isTakenDown: query.health === "taken_down",
  search: query.q === undefined ? undefined : fold(query.q) || undefined,
});

/** The index for an import, slugs or external ids in the filter. It finds the rows of one file, or a hundred links, at most. */
export function lookupIndex({ importId, slugs, externalIds }: LinkFilter) {
  // Rows of an import are found by their import alone, so no other index can go before.
  if (importId !== undefined) return "import";
  return slugs !== undefined ? "slug" : externalIds !== undefined ? "external_id" : undefined;
}

/** Whether the search index is needed to find the list's links. */
export const isSearched = (filter: LinkFilter): boolean =>
  filter.hasSearchIndex &&
  lookupIndex(filter) === undefined &&
  filter.search !== undefined &&
  isIndexedText(filter.search);

/** Whether the search index can find a text. */
export const isIndexedText = (search: string): boolean =>
  [...search].length >= MIN_INDEXED_CHARACTERS &&
  // FTS5 ends a text at NUL.
  !search.includes("\0");

/** Whether the links must be counted by their external ids. */
export const isPrefixed = (filter: LinkFilter): boolean =>
  filter.externalIdPrefix !== undefined && lookupIndex(filter) === undefined;

/** Whether a filter is set that has neither a stored total nor an index of its own. */
export const isByCreation = ({ createdBy, created }: LinkFilter): boolean =>
  createdBy !== undefined || created !== undefined;

/** The kinds of stored totals. */
export type Dimension = "tag" | "group" | ValueFieldName | "domain";

/** The dimension of each filter that has a stored total. */
export const toDimensions = (filter: LinkFilter): Dimension[] => [
  ...filter.tags.map(() => "tag" as const),
  ...(filter.group === undefined ? [] : (["group"] as const)),
  ...VALUE_FIELD_NAMES.filter((name) => filter[name] !== undefined),
  // Most links are on the short host, so it has neither a total nor an index.
  ...(filter.domain === undefined || filter.domain === SHORT_HOST ? [] : (["domain"] as const)),
];
