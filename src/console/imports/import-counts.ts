import type { EarlierImport } from "../../resources/imports/import-file";
import type { ImportPage } from "../../resources/imports/import-service";
import { count, number } from "../shell/text";

// What the page of an import says of its rows in numbers.

/** "a, b, and c". Those that are false are left out. */
export function listed(parts: readonly (string | false)[]): string {
  const all = parts.filter((part) => part !== false);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")}, and ${all.at(-1)}`;
}

/** How many rows of a checked file would create a link, change one, change nothing, or are refused. */
export const countsOf = ({
  rows,
  made,
  refused,
  updated,
  unchanged,
}: Pick<ImportPage, "rows" | "made" | "refused" | "updated" | "unchanged">) => ({
  create: rows - made - refused - updated - unchanged,
  change: updated,
  nothing: unchanged,
  refused,
});

/** The label of the button that imports a checked file; undefined if no row creates or changes a link. */
export function importLabel({ create, change }: Pick<ReturnType<typeof countsOf>, "create" | "change">) {
  if (create > 0 && change > 0) return `Create ${number(create)} and change ${number(change)}`;
  if (create > 0) return `Create ${count(create, "link")}`;
  return change > 0 ? `Change ${count(change, "link")}` : undefined;
}

/** What a check says of ends in the past; undefined if there are none. */
export const endedText = (ended: number): string | undefined =>
  ended === 0
    ? undefined
    : `${count(ended, "link")} would have ended already: ${ended === 1 ? "its end is" : "their ends are"} in the past.`;

const SAME_ROWS =
  "These rows have been sent before: this is their import, and nothing is created twice. Rows that it refused can be downloaded and imported again.";

/** What is said of a file that was imported before. */
export function sameRows({ dates, datesNow, namesLinks }: EarlierImport): string {
  if (dates === null || datesNow === null || dates === datesNow) return SAME_ROWS;
  const remedy = namesLinks
    ? "send the file again and choose “Update the link”"
    : "undo this import, and send the file again";
  return `This file was imported already, with the ${dates} first in its dates. Nothing is created twice, so its dates stay as they were read. To read them with the ${datesNow} first, ${remedy}.`;
}
