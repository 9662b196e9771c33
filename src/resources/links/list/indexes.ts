import type { Dimension, LinkFilter, ListSort } from "./list-filter";

/**
 * The index that finds a list's links: that of one filter; `names`, which finds the first word of a search in texts and in the
 * names of tags and groups; `link`, which finds the link that a text names; or `order`, which has all links in the list's
 * order.
 */
export type Index =
  | Dimension
  | "search"
  | "external_id_prefix"
  | "import"
  | "slug"
  | "external_id"
  | "broken"
  | "taken_down"
  | "names"
  | "link"
  | "order";

/** Indexes that do not have links in the order of their creation. */
export const UNORDERED: ReadonlySet<Index | "candidates"> = new Set([
  "link",
  "names",
  "search",
  "import",
  "slug",
  "external_id",
  "external_id_prefix",
  "broken",
  "taken_down",
  "candidates",
]);

/** Whether an index has a list's links in the list's order, so that a page ends as soon as it is full. */
export function isInOrder(index: Index, sort: ListSort, status: LinkFilter["status"]): boolean {
  if (UNORDERED.has(index)) return false;
  // The indexes by title, update and visits begin with the status, as those of the filters do.
  if (index === "order") return status !== "all" || !/title|updated_at|visits/.test(sort);
  return status !== "all" && /created_at/.test(sort);
}

/** Whether a list of all links is in the index's order once its active and archived links are merged. */
export const isMerged = (index: Index, sort: ListSort, status: LinkFilter["status"]): boolean =>
  status === "all" && !isInOrder(index, sort, status) && isInOrder(index, sort, "active");
