import type { WindowState } from "../../../lib/active-window";
import { firstIdAt } from "../../../lib/ids";
import { eachField, VALUE_FIELD_NAMES, VALUE_FIELDS, type ValueFieldName } from "../../../lib/link-fields";
import { domainNamed, type ShortHost } from "../../../lib/short-url";
import { fold, foldSlug, SHORT_HOST } from "../../../lib/slug-text";
import { storedId } from "../../../lib/ulid-text";
import type { LinkSort, ListLinks } from "../link-schema";

/** A tag or an Activity Group: by the id or slug in the query, or by its row id once that is known. */
export type Named = { id: string; slug: string } | { rowId: number };

/** A word of a search, without accents, with the tags and groups that have it in their names. */
export interface Word {
  text: string;
  tagIds: readonly number[];
  groupIds: readonly number[];
}

/** The query's own filters. Slugs are folded, and so is the text. */
type OwnFilter =
  | ValueFieldName
  | "status"
  | "domain"
  | "slug"
  | "external_id"
  | "external_id_prefix"
  | "import"
  | "created_by"
  | "q";

export interface LinkFilter extends Pick<ListQuery, OwnFilter> {
  tags: readonly Named[];
  group?: Named | undefined;
  /** The ids of a time of creation, with which they begin: the first one, and the first one after it. */
  created?: readonly [from: string, before: string] | undefined;
  broken?: true | undefined;
  taken_down?: true | undefined;
  /** The state that the window of a link, or of its group, has at a time. */
  window?: { state: Exclude<WindowState, "open">; at: number } | undefined;
  /** A link must have all of them in its text, or in the name of a tag or of its group. */
  words?: readonly Word[] | undefined;
  /** Row id of the link that the whole text of a search names, which needs no words. */
  link?: number | undefined;
}

export const NO_FILTER: LinkFilter = { status: "all", tags: [] };

const toNamed = (idOrSlug: string): Named => ({ id: storedId(idOrSlug), slug: foldSlug(idOrSlug) });

/** What the web application filters by besides the parameters of the public interface. */
interface MoreFilters extends Partial<Record<ValueFieldName, string | undefined>> {
  health?: "broken" | "taken_down" | undefined;
  window?: LinkFilter["window"];
  import?: string | undefined;
  /** As the audit log names them. */
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

export type ListQuery = Omit<ListLinks, "sort"> & MoreFilters & { sort: ListSort };

const AFTER_ALL_IDS = "8";

const idsOf = ({ from = 0, to }: NonNullable<MoreFilters["created"]>): LinkFilter["created"] => [
  firstIdAt(Math.max(0, from)),
  to === undefined ? AFTER_ALL_IDS : firstIdAt(Math.max(0, to)),
];

export const toFilter = (query: ListQuery, config: Pick<ShortHost, "shortHost">): LinkFilter => ({
  status: query.status,
  tags: (query.tag ?? []).map(toNamed),
  group: query.activity_group_id === undefined ? undefined : toNamed(query.activity_group_id),
  ...eachField(VALUE_FIELDS, (name) => query[name]),
  domain: query.domain === undefined ? undefined : domainNamed(config, query.domain),
  slug: query.slug && [...new Set(query.slug.map(foldSlug))],
  external_id: query.external_id && [...new Set(query.external_id)],
  external_id_prefix: query.external_id_prefix,
  import: query.import === undefined ? undefined : storedId(query.import),
  created_by: query.created_by,
  created: query.created && idsOf(query.created),
  broken: query.health === "broken" || undefined,
  taken_down: query.health === "taken_down" || undefined,
  window: query.window,
  q: query.q === undefined ? undefined : fold(query.q) || undefined,
});

export const countFilters = ({ status: _, tags, ...others }: LinkFilter): number =>
  tags.length + Object.values(others).filter((value) => value !== undefined).length;

export type Dimension = "tag" | "group" | ValueFieldName | "domain";

/** The filters that have a stored total. Most links are on the short host, so it has neither a total nor an index. */
export const toDimensions = (filter: LinkFilter): Dimension[] => [
  ...filter.tags.map(() => "tag" as const),
  ...(filter.group === undefined ? [] : (["group"] as const)),
  ...VALUE_FIELD_NAMES.filter((name) => filter[name] !== undefined),
  ...(filter.domain === undefined || filter.domain === SHORT_HOST ? [] : (["domain"] as const)),
];

/** The search index holds trigrams, so it cannot find a shorter text. FTS5 ends a text at NUL. */
export const isIndexedText = (text: string): boolean => [...text].length >= 3 && !text.includes("\0");
