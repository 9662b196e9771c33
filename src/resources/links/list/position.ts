import { invalid } from "../../../errors";
import { type Position, readCursor } from "../../../lib/paging";
import type { LinkSize } from "../link-repository";
import type { ListSort } from "./list-filter";
import type { KnownPlan } from "./list-plan";

export const toColumn = (sort: ListSort) =>
  sort.replace("-", "") as "created_at" | "updated_at" | "visits" | "slug" | "title";

/** What a list may be sorted by. */
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

/** Where the next page starts and, for a search or prefix, how the list is planned. */
interface After {
  position: Position;
  plan: KnownPlan | undefined;
}

const INDEXES = ["search", "external_id_prefix", "order"] as const;

const toPlan = (index: unknown, total: unknown): KnownPlan | undefined => {
  const known = INDEXES.find((one) => one === index);
  return known !== undefined && Number.isSafeInteger(total) && Number(total) >= 0
    ? { index: known, total: Number(total) }
    : undefined;
};

/** The parts of a cursor. */
export const fromAfter = ({ position, plan }: After): Position =>
  plan === undefined ? position : [...position, plan.index, plan.total];

/** Reads an `after` cursor. Throws 422. */
export function toAfter(cursor: string, sort: ListSort): After {
  const [value = null, id = null, index, total] =
    readCursor(cursor, sort, 2) ?? readCursor(cursor, sort, 4) ?? [];
  const position = [value, id];
  const plan = toPlan(index, total);
  if (!isPositionOf(position, sort) || (index !== undefined && plan === undefined)) {
    throw invalid([{ field: "after", message: "The after field is malformed.", code: "format" }]);
  }
  return { position, plan };
}
