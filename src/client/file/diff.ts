import { LABEL_FIELD_NAMES, WINDOW_FIELD_NAMES } from "../../lib/link-fields";
import { UTM_NAMES } from "../../lib/link-target";
import { fold } from "../../lib/slug-text";
import { describeRule, type Rule, toRules } from "../../lib/visitor-rules";
import { differences } from "../api/differences";
import type { Link, UpdateLink } from "../api/wire-types";
import type { State } from "./file-state";
import { externalId, type WantedFields, type WantedLink } from "./link-file";

export type Shown = string | null | readonly string[];

export interface FieldChange {
  field: string;
  before: Shown;
  after: Shown;
}

/** The names in a file, resolved to what the workspace has. Tags to create are `missing`, in their spelling in the file. */
export function namesIn({ tags, groups }: Pick<State, "tags" | "groups">, missing: readonly string[]) {
  const spellings = new Map([...missing, ...tags.map(({ name }) => name)].map((name) => [fold(name), name]));
  const bySlug = new Map(groups.map((group) => [group.slug, group]));
  const byId = new Map(groups.map((group) => [group.id, group]));
  return {
    tag: (name: string) => spellings.get(fold(name)) ?? name,
    /** An ID is tried before a slug, as the service does. */
    group: (idOrSlug: string) => byId.get(idOrSlug.toUpperCase()) ?? bySlug.get(idOrSlug),
  };
}

export type Names = ReturnType<typeof namesIn>;

/** The fields that a file can change, in the order of a plan, with their names there. */
export const FILE_FIELDS: readonly (readonly [field: keyof UpdateLink, name: string])[] = [
  ["status", "status"],
  ["slug", "slug"],
  ["domain", "domain"],
  ["destination_url", "destination"],
  ["rules", "rules"],
  ...LABEL_FIELD_NAMES.map((name) => [name, name] as const),
  ["activity_group_id", "group"],
  ...UTM_NAMES.map((name) => [name, name.replace("_", ".")] as const),
  ...WINDOW_FIELD_NAMES.map((name) => [name, name] as const),
  ["tag_names", "tags"],
];

/** A campaign from the group is told apart from the same text given by hand, which a change of group keeps. */
const shownCampaign = ({ utm_campaign: value, utm_campaign_origin: origin }: Link): string | null => {
  if (origin === "explicit") return value;
  return value === null ? "inherit" : `inherit (${value})`;
};

type PlainField = Exclude<keyof UpdateLink, "rules">;

export function shownBefore(link: Link, field: PlainField): Shown {
  if (field === "activity_group_id") return link.activity_group?.slug ?? null;
  if (field === "utm_campaign") return shownCampaign(link);
  if (field === "tag_names" || field === "tag_ids") return link.tags.map(({ name }) => name).toSorted();
  return link[field];
}

const groupOf = ({ activity_group_id: group }: UpdateLink, names: Names) =>
  group == null ? undefined : names.group(group);

function shownAfter(input: UpdateLink, field: PlainField, names: Names): Shown {
  const value = input[field] ?? null;
  if (field === "activity_group_id") return groupOf(input, names)?.slug ?? null;
  return field === "utm_campaign" ? (value ?? "inherit") : value;
}

/** The rules that differ, each as a line of text. */
function ruleChanges(before: readonly Rule[], after: readonly Rule[]): FieldChange[] {
  const show = (rule: Rule | undefined) => (rule === undefined ? null : describeRule(rule));
  const longer = before.length > after.length ? before : after;
  return longer.flatMap((_, index) => {
    const [one, other] = [before[index], after[index]];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    return [{ field: `rules.${index}`, before: show(one), after: show(other) }];
  });
}

/** The fields as the service takes them: the group by ID, the tags in the spelling of the workspace. */
const resolve = (fields: WantedFields, names: Names): WantedFields => ({
  ...fields,
  ...(fields.activity_group_id !== undefined && { activity_group_id: groupOf(fields, names)?.id ?? null }),
  ...(fields.tag_names != null && { tag_names: fields.tag_names.map(names.tag).toSorted() }),
});

/** What creates a link. It is also what the link then is asked to be. */
export type NewLink = Omit<UpdateLink, "status"> & { external_id: string; destination_url: string };

/** The given fields, before and after. A new link has none before. */
const changesOf = (input: UpdateLink, names: Names, link?: Link): FieldChange[] =>
  FILE_FIELDS.filter(([field]) => input[field] !== undefined).flatMap(([field, name]) => {
    if (field === "rules") return ruleChanges(toRules(link?.rules ?? []), toRules(input.rules ?? []));
    const before = link === undefined ? null : shownBefore(link, field);
    return [{ field: name, before, after: shownAfter(input, field, names) }];
  });

/** What has to change in a link. An archived link is restored, because its key is in the file. */
export function diffLink(link: Link, wanted: WantedFields, names: Names) {
  const input = differences(link, { status: "active", ...resolve(wanted, names) });
  return { input, changes: changesOf(input, names, link) };
}

export const isSet = (value: { length: number } | null | undefined): boolean =>
  value != null && value.length > 0;

/** What creates a link. Fields that are cleared are left out, because a new link has none. */
export function newLink(name: string, { key, fields }: WantedLink, names: Names) {
  const wanted = resolve(fields, names);
  const given = Object.entries(wanted).filter(([, value]) => isSet(value));
  const input: NewLink = {
    external_id: externalId(name, key),
    destination_url: fields.destination_url,
    ...Object.fromEntries(given),
  };
  const changes = changesOf(wanted, names).filter(({ after }) => isSet(after));
  return { input, changes };
}
