import type { ActivityGroup, Link, Tag } from "../../../src/client/api/wire-types";
import { linksOf, type State } from "../../../src/client/file/file-state";
import { emptyLink } from "../fake/links";
import { EMPTY_GROUP } from "../fake/state";
import { DESTINATION } from "./setup";

export const id = (number: number) => `01JZ${String(number).padStart(22, "0")}`;

export const tag = (name: string): Tag => ({
  id: id(900),
  name,
  slug: name.toLowerCase(),
  colour: null,
  description: null,
});

export const group = (slug: string, number: number): ActivityGroup => ({
  ...EMPTY_GROUP,
  id: id(number),
  name: slug,
  slug,
});

export const SUMMER = group("summer", 801);
export const WINTER = group("winter", 802);

export const assigned = ({ id: groupId, name, slug, type, status }: ActivityGroup): Partial<Link> => ({
  activity_group: { id: groupId, name, slug, type, status, assignment: { role: "primary", channel: null } },
});

export const link = (fields: Partial<Link> = {}): Link => ({
  ...emptyLink(id(1), "2026-01-01T00:00:00.000Z"),
  slug: "a",
  short_url: "https://go.example.com/a",
  destination_url: DESTINATION,
  external_id: "site:a",
  ...fields,
});

/** The links of the file `site`, and what else a workspace has. */
export const state = (links: Link[], rest: Partial<State> = {}): State => ({
  own: linksOf("site", links),
  owners: new Map(),
  tags: [tag("Print"), tag("Web")],
  groups: [SUMMER, WINTER],
  ...rest,
});
