import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { links } from "../../../db/schema/links";
import { invalid } from "../../../field-errors";
import { type Position, readCursor } from "../../../lib/paging";
import type { LinkSize } from "../link-outlines-repository";
import type { ListSort } from "./list-filter";

export const toColumn = (sort: ListSort) =>
  sort.replace("-", "") as "created_at" | "updated_at" | "visits" | "slug" | "title";

const isDescending = (sort: ListSort): boolean => sort.startsWith("-");

/** A link's id begins with the time of its creation. Links on two domains may have the same slug. */
const columnsOf = (sort: ListSort, id: SQLiteColumn): SQLiteColumn[] =>
  ({
    created_at: [id],
    updated_at: [links.updated_at, id],
    visits: [links.visits, id],
    slug: [links.folded_slug, id],
    title: [links.untitled, links.title_key, id],
  })[toColumn(sort)];

const joined = (parts: readonly unknown[]): SQL =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

/** The order of a list. `id` is the column of the public id in what is read first. */
export const orderBy = (sort: ListSort, id: SQLiteColumn = links.public_id): SQL =>
  joined(columnsOf(sort, id).map(isDescending(sort) ? desc : asc));

/** The rows after a position. A title that is null comes last; ties are broken by the id, in the direction of the sort. */
export function whereAfter(
  position: Position | undefined,
  sort: ListSort,
  id: SQLiteColumn,
): SQL | undefined {
  if (position === undefined) return undefined;
  const [value, lastId] = position;
  const column = toColumn(sort);
  if (column === "title" && value === null)
    return sql`${links.untitled} = 1 and ${links.title_key} is null and ${links.public_id} > ${lastId}`;
  const values =
    column === "created_at" ? [lastId] : column === "title" ? [0, value, lastId] : [value, lastId];
  const later = isDescending(sort) ? sql.raw("<") : sql.raw(">");
  return sql`(${joined(columnsOf(sort, id))}) ${later} (${joined(values)})`;
}

export type Positioned = Omit<LinkSize, "size" | "slug">;

/** The position of a row in the list: the value that the list is sorted by, and the id. */
export function positionOf(row: Positioned, sort: ListSort): Position {
  const values = {
    created_at: row.created_at,
    updated_at: row.updated_at,
    visits: row.visitTotals.clicks + row.visitTotals.scans,
    slug: row.folded_slug,
    title: row.title_key,
  };
  return [values[toColumn(sort)], row.public_id];
}

function isPositionOf([value, id]: Position, sort: ListSort): boolean {
  if (typeof id !== "string") return false;
  if (sort === "title") return value === null || typeof value === "string";
  return typeof value === (sort === "slug" ? "string" : "number");
}

/** Reads an `after` cursor. Throws 422. */
export function toPosition(cursor: string, sort: ListSort): Position {
  const position = readCursor(cursor, sort, 2);
  if (position === undefined || !isPositionOf(position, sort))
    throw invalid([{ field: "after", message: "The after field is malformed.", code: "format" }]);
  return position;
}
