import { asc, desc, type SQL, sql } from "drizzle-orm";
import { links } from "../../db/schema";
import type { Position } from "../../lib/paging";
import type { LinkRow } from "../repository";
import type { LinkSort } from "../schema";
import { foundAs, type Index, isByAge, type LinkFilter, leading } from "./where";

// The order of a list, as SQL and as positions in it.

const isDescending = (sort: LinkSort): boolean => sort.startsWith("-");
const nameOf = (sort: LinkSort) => sort.replace("-", "") as "created_at" | "updated_at" | "slug" | "title";

/** The values that a row is sorted by: those of its place in the list. */
export function positionOf(row: LinkRow, sort: LinkSort): Position {
  const values = {
    created_at: row.created_at,
    updated_at: row.updated_at,
    slug: row.slug_key,
    title: row.title_key,
  };
  return [values[nameOf(sort)], row.public_id];
}

/** Whether a position read from a cursor can be one of this sort. */
export function isPositionOf(position: Position, sort: LinkSort): boolean {
  const [value, id] = position;
  if (typeof id !== "string") return false;
  if (sort === "title") return value === null || typeof value === "string";
  return typeof value === (sort === "slug" ? "string" : "number");
}

/** The columns of an order. A link's id begins with the time of its creation; a slug is one link's alone. */
function columnsOf(sort: LinkSort, by: Index, { status }: LinkFilter): SQL[] {
  const columns = {
    created_at: [sql`${foundAs(by).id}`],
    updated_at: [sql`${links.updated_at}`, sql`${links.public_id}`],
    slug: [sql`${links.slug_key}`],
    title: [sql`${links.untitled}`, sql`${links.title_key}`, sql`${links.public_id}`],
  }[nameOf(sort)];
  // A filter's index has the order of creation; what it finds is sorted otherwise, by no index of the order's own.
  const inOrder = by === "order" || (nameOf(sort) === "created_at" && isByAge(by, status));
  return columns.map((column) => leading(column, inOrder));
}

/** The rows behind a position. A title that is null comes last; ties are broken by the id, in the direction of the sort. */
function behind([value, id]: Position, sort: LinkSort, columns: readonly SQL[]): SQL {
  if (nameOf(sort) === "title" && value === null)
    return sql`${links.untitled} = 1 and ${links.title_key} is null and ${links.public_id} > ${id}`;
  const values = { created_at: [id], updated_at: [value, id], slug: [value], title: [0, value, id] }[
    nameOf(sort)
  ];
  const later = isDescending(sort) ? sql.raw("<") : sql.raw(">");
  const place = sql.join(
    values.map((part) => sql`${part}`),
    sql`, `,
  );
  return sql`(${sql.join(columns as SQL[], sql`, `)}) ${later} (${place})`;
}

/** A page: the rows behind `after`, where it is given, and behind the first `offset` of them. */
export interface Pagination {
  after: Position | undefined;
  offset: number;
  limit: number;
}

/** The order of a list as SQL, and what is true of the rows behind a position. */
export function orderOf(filter: LinkFilter, by: Index, sort: LinkSort, after: Position | undefined) {
  const direction = isDescending(sort) ? desc : asc;
  const columns = columnsOf(sort, by, filter);
  return {
    order: sql.join(
      columns.map((column) => direction(column)),
      sql`, `,
    ),
    place: after === undefined ? undefined : behind(after, sort, columns),
  };
}
