import { LABEL_FIELD_NAMES, UTM_FIELD_NAMES, WINDOW_FIELD_NAMES } from "../../lib/link-fields";
import { hasCampaign, hasTags, hasValue } from "../api/differences";
import type { Link, UpdateLink } from "../api/resources";
import { nameUnderUtm } from "./fields";
import { externalId, type WantedFields, type WantedLink } from "./link-file";

/** A value as a plan shows it. */
export type Shown = string | null | readonly string[];

/** A field of the file, before and after. */
export interface Change {
  field: string;
  before: Shown;
  after: Shown;
}

/** The names in a file, resolved to what the workspace has. */
export interface Names {
  /** The ID and slug of a group; undefined if it is unknown. */
  group(idOrSlug: string): { id: string; slug: string } | undefined;
  /** The spelling of a tag's name in the workspace, or the given one for a tag to create. */
  tag(name: string): string;
}

/** The texts and times of a link, with the names that the file has for them. */
const TEXTS = [
  ...LABEL_FIELD_NAMES.map((name) => [name, name] as const),
  ...UTM_FIELD_NAMES.map((name) => [name, `utm.${nameUnderUtm(name)}`] as const),
  ...WINDOW_FIELD_NAMES.map((name) => [name, name] as const),
];

/** A campaign from the group is told apart from the same text given by hand, which a change of group keeps. */
const shownCampaign = (value: string | null, origin: Link["utm_campaign_origin"]): string | null =>
  origin === "inherited" ? (value === null ? "inherit" : `inherit (${value})`) : value;

const sortedNames = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => compare(one, other));
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** What creates a link. It is also what the link then is asked to be. */
export type NewLink = Omit<UpdateLink, "status"> & { external_id: string; destination_url: string };

interface Diff<Input> {
  /** The fields to send. */
  input: Input;
  changes: Change[];
}

/** What has to change in a link. An archived link is restored, because its key is in the file. */
export function diffLink(link: Link, wanted: WantedFields, names: Names): Diff<UpdateLink> {
  const input: UpdateLink = {};
  const changes: Change[] = [];
  const add = (part: UpdateLink, field: string, before: Shown, after: Shown) => {
    Object.assign(input, part);
    changes.push({ field, before, after });
  };
  const { slug, destination, group, tags, utm_campaign: campaign } = wanted;
  if (link.status !== "active") add({ status: "active" }, "status", link.status, "active");
  if (slug !== undefined && slug !== link.slug) add({ slug }, "slug", link.slug, slug);
  if (destination !== link.destination_url) {
    add({ destination_url: destination }, "destination", link.destination_url, destination);
  }
  for (const [field, label] of TEXTS) {
    const value = wanted[field];
    if (value !== undefined && !hasValue(link, field, value))
      add({ [field]: value }, label, link[field], value);
  }
  if (group !== undefined) {
    const to = group === null ? null : (names.group(group) ?? null);
    const from = link.activity_group;
    if ((to?.id ?? null) !== (from?.id ?? null)) {
      add({ activity_group_id: to?.id ?? null }, "group", from?.slug ?? null, to?.slug ?? null);
    }
  }
  const value = campaign?.kind === "give" ? campaign.value : null;
  if (campaign !== undefined && !hasCampaign(link, value)) {
    const before = shownCampaign(link.utm_campaign, link.utm_campaign_origin);
    add({ utm_campaign: value }, "utm.campaign", before, campaign.kind === "give" ? value : "inherit");
  }
  if (tags !== undefined && !hasTags(link, tags)) {
    const after = sortedNames(tags.map(names.tag));
    add({ tag_names: after }, "tags", sortedNames(link.tags.map(({ name }) => name)), after);
  }
  return { input, changes };
}

/** What creates a link. Fields that are cleared are left out, because a new link has none. */
export function newLink(name: string, { key, fields }: WantedLink, names: Names): Diff<NewLink> {
  const { slug, destination, group, tags = [], utm_campaign: campaign } = fields;
  const changes: Change[] = [];
  const input: NewLink = { external_id: externalId(name, key), destination_url: destination };
  const add = (part: Partial<NewLink>, field: string, after: Shown) => {
    Object.assign(input, part);
    changes.push({ field, before: null, after });
  };
  if (slug !== undefined) add({ slug }, "slug", slug);
  add({}, "destination", destination);
  for (const [field, label] of TEXTS) {
    const value = fields[field];
    if (value != null) add({ [field]: value }, label, value);
  }
  const to = group == null ? undefined : names.group(group);
  if (to !== undefined) add({ activity_group_id: to.id }, "group", to.slug);
  if (campaign?.kind === "give") add({ utm_campaign: campaign.value }, "utm.campaign", campaign.value);
  if (campaign?.kind === "inherit") add({}, "utm.campaign", "inherit");
  if (tags.length > 0) {
    const after = sortedNames(tags.map(names.tag));
    add({ tag_names: after }, "tags", after);
  }
  return { input, changes };
}
