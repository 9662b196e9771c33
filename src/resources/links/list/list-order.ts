import { asc, desc, type SQL, sql } from "drizzle-orm";
import { links } from "../../../db/schema/links";
import type { Position } from "../../../lib/paging";
import type { ListLinks } from "../link-schema";
import { isInOrder } from "./indexes";
import type { ListSort } from "./list-filter";
import { columnsIn, type From, indexable } from "./list-where";
import { toColumn } from "./position";

/** The order of a list, and where its links are read from. */
export interface Order {
  sort: ListSort;
  from: From;
  status: ListLinks["status"];
}

const isDescending = (sort: ListSort): boolean => sort.startsWith("-");

/** A link's id begins with the time of its creation. Links on two domains may have the same slug. */
function columnsOf({ sort, from, status }: Order): SQL[] {
  const columns = {
    created_at: [sql`${columnsIn(from).id}`],
    updated_at: [sql`${links.updated_at}`, sql`${links.public_id}`],
    visits: [sql`${links.visits}`, sql`${links.public_id}`],
    slug: [sql`${links.folded_slug}`, sql`${links.public_id}`],
    title: [sql`${links.untitled}`, sql`${links.title_key}`, sql`${links.public_id}`],
  }[toColumn(sort)];
  return columns.map((column) => indexable(column, from !== "candidates" && isInOrder(from, sort, status)));
}

export const orderBy = (order: Order): SQL => {
  const direction = isDescending(order.sort) ? desc : asc;
  return sql.join(
    columnsOf(order).map((column) => direction(column)),
    sql`, `,
  );
};

/** The rows after a position. A title that is null comes last; ties are broken by the id, in the direction of the sort. */
export function whereAfter(position: Position | undefined, order: Order): SQL | undefined {
  if (position === undefined) return undefined;
  const [value, id] = position;
  const column = toColumn(order.sort);
  if (column === "title" && value === null)
    return sql`${links.untitled} = 1 and ${links.title_key} is null and ${links.public_id} > ${id}`;
  const values = column === "created_at" ? [id] : column === "title" ? [0, value, id] : [value, id];
  const later = isDescending(order.sort) ? sql.raw("<") : sql.raw(">");
  const place = sql.join(
    values.map((part) => sql`${part}`),
    sql`, `,
  );
  return sql`(${sql.join(columnsOf(order), sql`, `)}) ${later} (${place})`;
}
