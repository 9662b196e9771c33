import { invalid } from "../../errors";
import { type Position, readCursor } from "../../lib/paging";
import type { LinkRow } from "../repository";
import type { LinkSort } from "../schema";

export const toColumn = (sort: LinkSort) =>
  sort.replace("-", "") as "created_at" | "updated_at" | "slug" | "title";

/** The position of a row in the list: the value that the list is sorted by, and the id. */
export function positionOf(
  row: Pick<LinkRow, "created_at" | "updated_at" | "slug_key" | "title_key" | "public_id">,
  sort: LinkSort,
): Position {
  const values = {
    created_at: row.created_at,
    updated_at: row.updated_at,
    slug: row.slug_key,
    title: row.title_key,
  };
  return [values[toColumn(sort)], row.public_id];
}

function isPositionOf([value, id]: Position, sort: LinkSort): boolean {
  if (typeof id !== "string") return false;
  if (sort === "title") return value === null || typeof value === "string";
  return typeof value === (sort === "slug" ? "string" : "number");
}

/** The position in an `after` cursor. */
export function toPosition(cursor: string, sort: LinkSort): Position {
  const position = readCursor(cursor, sort, 2);
  if (position === undefined || !isPositionOf(position, sort)) {
    throw invalid([{ field: "after", message: "The after field is malformed.", code: "format" }]);
  }
  return position;
}
