import { type FieldError, ServiceError } from "../errors";
import type { LinkRow } from "./repository";
import type { Link } from "./schema";

/** One field of a link that a revert brings back, as people read it. */
export interface RevertedField {
  field: string;
  is: string | null;
  willBe: string | null;
}

/** What a revert brings back, and what it cannot, each with the reason. */
export interface Revert {
  link: Link;
  fields: RevertedField[];
  refused: FieldError[];
}

/** A revert that is judged, and how it is done. */
export interface RevertPlan extends Revert {
  save: () => Promise<Link>;
}

/** Refuses a link that is deleted (404). */
export function foundUndeleted(row: LinkRow | undefined): LinkRow {
  if (row !== undefined) return row;
  throw new ServiceError(404, {
    message: "The link has been deleted. A deleted link cannot be brought back; a new one can take its slug.",
  });
}
