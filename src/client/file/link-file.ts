import type { LabelFieldName, UtmFieldName } from "../../lib/link-fields";

/** A fault of the file, at a line counted from 1. */
export interface Problem {
  line: number;
  message: string;
}

export const REMOVALS = ["archive", "delete", "keep"] as const;
/** What happens to a link of this file whose key is no longer in it. */
export type OnRemoved = (typeof REMOVALS)[number];

/** `inherit` takes the default campaign of the link's group. */
export type Campaign = { kind: "give"; value: string } | { kind: "inherit" };

/** The wanted values of a link. An absent field is left alone, null clears it. */
export interface WantedFields extends Partial<Record<LabelFieldName | UtmFieldName, string | null>> {
  slug?: string;
  destination: string;
  /** The slug or ID of an Activity Group. */
  group?: string | null;
  /** The whole set of tag names. */
  tags?: readonly string[];
  utm_campaign?: Campaign;
  /** Moments in UTC with milliseconds, as the service writes them. */
  starts_at?: string | null;
  ends_at?: string | null;
  ended_url?: string | null;
}

export interface WantedLink {
  key: string;
  line: number;
  /** The line that names the group. */
  groupLine: number;
  /** The line of the end, else of the start. */
  endLine: number;
  fields: WantedFields;
}

/** A checked file, with the defaults applied to each link. */
export interface LinkFile {
  name: string;
  onRemoved: OnRemoved;
  links: readonly WantedLink[];
}

/** The external ID of a link of a file. A name has no colon. */
export const externalId = (name: string, key: string): string => `${name}:${key}`;

/** The key in an external ID of the file `name`; undefined for another owner. */
export const keyOf = (name: string, id: string | null | undefined): string | undefined =>
  id?.startsWith(`${name}:`) ? id.slice(name.length + 1) : undefined;
