import type { UpdateLink } from "../api/resources";

/** A fault of the file, at a line counted from 1. */
export interface Problem {
  line: number;
  message: string;
}

export const REMOVALS = ["archive", "delete", "keep"] as const;
/** What happens to a link of this file whose key is no longer in it. */
type OnRemoved = (typeof REMOVALS)[number];

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
  name: string;
  onRemoved: OnRemoved;
  links: readonly WantedLink[];
  /** The line of the first of these fields that the link or the defaults give, else of the key. */
  lineOf(key: string, ...fields: string[]): number;
}

/** The external ID of a link of a file. A name has no colon. */
export const externalId = (name: string, key: string): string => `${name}:${key}`;

/** The key in an external ID of the file `name`; undefined for another owner. */
export const keyOf = (name: string, id: string | null | undefined): string | undefined =>
  id?.startsWith(`${name}:`) ? id.slice(name.length + 1) : undefined;
