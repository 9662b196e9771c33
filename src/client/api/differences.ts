import { MOMENT_FIELDS } from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { parseIsoMoment } from "../../lib/time";
import type { Link, Tag, UpdateLink, UpdateTag } from "./resources";

/** The value as the service reads it: texts are trimmed, and an empty text is null. */
const normalised = (value: unknown): unknown =>
  typeof value === "string" ? value.trim() || null : (value ?? null);

/** A moment as the service writes it, so that all spellings of an instant are equal. */
const inUtc = (value: unknown): unknown =>
  typeof value === "string" ? (parseIsoMoment(value) ?? value) : value;

type GivenField = Exclude<keyof UpdateLink, "activity_group_id" | "tag_ids" | "tag_names">;

/** Whether the link has this value in a field that comes back as it was given. Moments are compared as instants. */
export const hasValue = (link: Link, field: GivenField, asked: unknown): boolean =>
  Object.hasOwn(MOMENT_FIELDS, field) ? inUtc(link[field]) === inUtc(asked) : link[field] === asked;

const isSameSet = (some: readonly string[], others: readonly string[]): boolean => {
  const [one, other] = [new Set(some), new Set(others)];
  return one.size === other.size && [...one].every((value) => other.has(value));
};

const foldNames = (names: readonly string[]): string[] => names.map((name) => fold(name.trim()));
const upperCase = (ids: readonly string[]): string[] => ids.map((id) => id.trim().toUpperCase());

/** Whether the link has exactly the named tags. */
export const hasTags = ({ tags }: Link, names: readonly string[]): boolean =>
  isSameSet(foldNames(names), foldNames(tags.map(({ name }) => name)));

function hasGroup({ activity_group: group }: Link, asked: unknown): boolean {
  if (typeof asked !== "string" || group === undefined) return asked === null && group === undefined;
  return group.id === asked.toUpperCase() || group.slug === asked;
}

/** Null asks for the campaign of the link's group. */
export function hasCampaign(link: Link, asked: unknown): boolean {
  return asked === null ? link.utm_campaign_origin === "inherited" : isExplicit(link, asked);
}

const isExplicit = (link: Link, campaign: unknown): boolean =>
  link.utm_campaign === campaign && link.utm_campaign_origin === "explicit";

function isFieldAsAsked(link: Link, field: keyof UpdateLink, input: UpdateLink): boolean {
  const asked = normalised(input[field]);
  switch (field) {
    case "activity_group_id":
      return hasGroup(link, asked);
    case "utm_campaign":
      return hasCampaign(link, asked);
    case "tag_ids":
      return isSameSet(
        upperCase(input.tag_ids ?? []),
        link.tags.map(({ id }) => id),
      );
    case "tag_names":
      return hasTags(link, input.tag_names ?? []);
    default:
      return hasValue(link, field, asked);
  }
}

/** The input fields whose values differ from the link. */
export function differences(link: Link, input: UpdateLink): UpdateLink {
  const entries = Object.entries(input).filter(
    ([field, value]) => value !== undefined && !isFieldAsAsked(link, field as keyof UpdateLink, input),
  );
  return Object.fromEntries(entries);
}

export const isLinkAsAsked = (link: Link, input: UpdateLink): boolean =>
  Object.keys(differences(link, input)).length === 0;

/** Any slug matches null, which asks for a generated one. */
export const isTagAsAsked = (tag: Tag, input: UpdateTag): boolean =>
  (["name", "slug", "colour", "description"] as const).every(
    (field) =>
      input[field] === undefined ||
      (field === "slug" && normalised(input.slug) === null) ||
      tag[field] === normalised(input[field]),
  );
