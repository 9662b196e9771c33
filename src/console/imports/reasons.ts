import type { ImportRowShown } from "../../resources/imports/service";
import { sayOfCell } from "../links/error-labels";
import { nameOf } from "../links/link-text";

/** What is said of the link that has a row's slug, after its name. */
export const HOLDER_ENDS = { active: " has it.", archived: " has it: restore or delete it." };

export const sayErrorsOf = (errors: ImportRowShown["errors"]): string =>
  errors.map(({ field, message }) => sayOfCell(field, message)).join(" ");

/** Why a row is refused, as a text. */
export function reasonOf({ errors, holder }: ImportRowShown): string {
  const said = sayErrorsOf(errors);
  if (holder === null) return said;
  const name = `“${nameOf(holder)}”`;
  return holder.isArchived
    ? `${said} The archived link ${name}${HOLDER_ENDS.archived}`
    : `${said} The link ${name}${HOLDER_ENDS.active}`;
}
