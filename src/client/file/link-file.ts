import type { UpdateLink } from "../api/wire-types";
import { EXIT, type Problem, Refusal } from "../exit";

const MAX_PROBLEMS = 1_000;

/** The refusal of a file that has these problems. They are told by line. */
export function refusalOf(path: string, problems: readonly Problem[]): Refusal {
  const shown = problems.toSorted((one, other) => one.line - other.line).slice(0, MAX_PROBLEMS);
  if (problems.length > MAX_PROBLEMS) {
    shown.push({ line: shown.at(-1)?.line ?? 1, message: "There are more problems, which are not shown." });
  }
  const all = shown.map((problem) => ({ file: path, ...problem }));
  return new Refusal(shown[0]?.message ?? "The file is not valid.", EXIT.usage, all);
}

export const REMOVALS = ["archive", "delete", "keep"] as const;

/**
 * The wanted values of a link, by the names of the interface. An absent field is left alone, null clears it. A campaign of
 * null is inherited from the group.
 */
export type WantedFields = Omit<UpdateLink, "external_id" | "status" | "tag_ids"> & {
  destination_url: string;
};

export interface WantedLink {
  key: string;
  fields: WantedFields;
}

/** A checked file, with the defaults applied to each link. */
export interface LinkFile {
  path: string;
  text: string;
  name: string;
  /** What happens to a link of this file whose key is no longer in it. */
  onRemoved: (typeof REMOVALS)[number];
  links: readonly WantedLink[];
  /** The line of the first of these fields that the link or the defaults give, else of the key. */
  lineOf(key: string, ...fields: string[]): number;
}

/** The external ID of a link of a file. A name has no colon. */
export const externalId = (name: string, key: string): string => `${name}:${key}`;

/** The key in an external ID of the file `name`; undefined for another owner. */
export const keyOf = (name: string, id: string | null | undefined): string | undefined =>
  id?.startsWith(`${name}:`) ? id.slice(name.length + 1) : undefined;
