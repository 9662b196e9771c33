import type { ActivityGroup, Link, Tag } from "../../../src/client/api/resources";
import { linksOf, type State } from "../../../src/client/file/state";
import { eachField, LABEL_FIELDS } from "../../../src/lib/link-fields";
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
  id: id(number),
  name: slug,
  slug,
  type: "campaign",
  description: "",
  status: "active",
  default_utm_campaign: null,
  starts_at: null,
  ends_at: null,
  archived_at: null,
});

export const SUMMER = group("summer", 801);
export const WINTER = group("winter", 802);

export const assigned = ({ id: groupId, name, slug, type, status }: ActivityGroup): Partial<Link> => ({
  activity_group: { id: groupId, name, slug, type, status, assignment: { role: "primary", channel: null } },
});

export const link = (fields: Partial<Link> = {}): Link => ({
  id: id(1),
  slug: "a",
  short_url: "https://go.example.com/a",
  domain: "go.example.com",
  destination_url: DESTINATION,
  rules: [],
  ...eachField(LABEL_FIELDS, () => null),
  status: "active",
  external_id: "site:a",
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_campaign_origin: "inherited",
  tags: [],
  starts_at: null,
  ends_at: null,
  ended_url: null,
  archived_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
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
