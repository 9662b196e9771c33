import { MOMENT_FIELDS } from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { parseIsoMoment } from "../../lib/time";
import { toRules } from "../../lib/visitor-rules";
import { toHost } from "./host";
import type { Link, Tag, UpdateLink, UpdateTag } from "./wire-types";

/** The value as the service reads it: texts are trimmed, and an empty text is null. */
const normalised = (value: unknown): unknown =>
  typeof value === "string" ? value.trim() || null : (value ?? null);

/** A moment as the service writes it, so that all spellings of an instant are equal. */
const inUtc = <Value>(value: Value): Value | string =>
  typeof value === "string" ? (parseIsoMoment(value) ?? value) : value;

/** The rules as the service keeps them, so that all spellings of the same rules are equal. */
const keptRules = (rules: UpdateLink["rules"]): string =>
  JSON.stringify(
    toRules(
      (rules ?? []).map((rule) => ({
        ...rule,
        destination_url: rule.destination_url.trim(),
        starts_at: inUtc(rule.starts_at),
        ends_at: inUtc(rule.ends_at),
      })),
    ),
  );

const asSet = (values: readonly string[]): string => JSON.stringify([...new Set(values)].sort());
const foldNames = (names: readonly string[]): string[] => names.map((name) => fold(name.trim()));
const upperCase = (ids: readonly string[]): string[] => ids.map((id) => id.trim().toUpperCase());

function hasGroup({ activity_group: group }: Link, asked: unknown): boolean {
  if (typeof asked !== "string" || group === undefined) return asked === null && group === undefined;
  return group.id === asked.toUpperCase() || group.slug === asked;
}

/** Null asks for the campaign of the link's group. */
function hasCampaign({ utm_campaign: campaign, utm_campaign_origin: origin }: Link, asked: unknown): boolean {
  return asked === null ? origin === "inherited" : origin === "explicit" && campaign === asked;
}

function isFieldAsAsked(link: Link, field: keyof UpdateLink, input: UpdateLink): boolean {
  const asked = normalised(input[field]);
  switch (field) {
    case "activity_group_id":
      return hasGroup(link, asked);
    case "domain":
      return link.domain === toHost(String(asked));
    case "utm_campaign":
      return hasCampaign(link, asked);
    case "rules":
      return keptRules(link.rules) === keptRules(input.rules);
    case "tag_ids":
      return asSet(upperCase(input.tag_ids ?? [])) === asSet(link.tags.map(({ id }) => id));
    case "tag_names":
      return asSet(foldNames(input.tag_names ?? [])) === asSet(foldNames(link.tags.map(({ name }) => name)));
    default:
      return Object.hasOwn(MOMENT_FIELDS, field)
        ? inUtc(link[field]) === inUtc(asked)
        : link[field] === asked;
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
  Object.entries(input).every(([field, value]) => {
    const asked = normalised(value);
    return value === undefined || (field === "slug" && asked === null) || tag[field as keyof Tag] === asked;
  });
