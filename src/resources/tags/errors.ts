import { type FieldError, limitReached, SLUG_TAKEN, takenBy } from "../../errors";
import type { TagRow } from "./statements";

const NAME_TAKEN: FieldError = { field: "name", message: "The name has already been taken.", code: "taken" };

/** The errors of a folded name and a slug that another tag has. */
export function takenProblems(
  others: readonly TagRow[],
  nameKey: string,
  slug: string | null | undefined,
): (FieldError | undefined)[] {
  const namesake = others.find((tag) => tag.name_key === nameKey);
  const owner = others.find((tag) => tag.slug === slug);
  return [
    takenBy(NAME_TAKEN, namesake && { id: namesake.public_id }),
    takenBy(SLUG_TAKEN, owner && { id: owner.public_id }),
  ];
}

export const MAX_TAGS = 1000;

export const TAG_LIMIT_REACHED = limitReached("tag", MAX_TAGS, "tags");
