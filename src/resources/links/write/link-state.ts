import type { links } from "../../../db/schema/links";
import { groupOfEnd } from "../../../lib/active-window";
import { writtenDates } from "../../../lib/days";
import { destinationHost, hostOrNull, searchableDestination } from "../../../lib/destination";
import {
  DAY_FIELD_NAMES,
  eachField,
  eachTextField,
  FORM_FIELD_NAMES,
  FORM_FIELDS,
  PREVIEW_FIELD_NAMES,
  TEXT_FIELD_NAMES,
  VALUE_FIELD_NAMES,
  type ValueFieldName,
  WINDOW_FIELD_NAMES,
  writtenWindow,
} from "../../../lib/link-fields";
import { UTM_NAMES } from "../../../lib/link-target";
import { fold, SHORT_HOST, type SlugKey, slugKey, unaccented } from "../../../lib/slug-text";
import { readRules } from "../../../lib/visitor-rules";
import type { LinkRow, LinkState } from "../link-repository";

// Pure: the state of a link before and after a change, and the differences between them.

/** A link before and after a change. `was` is undefined for a new link, `will` for a deleted one. */
export interface LinkChange {
  was: LinkRow | undefined;
  will: LinkState | undefined;
  /** Keys of further slugs that a link gets, or of slugs and codes that a deleted link releases. */
  otherSlugs?: readonly SlugKey[];
  input?: object | undefined;
  /** The operation id of a row of an import. Other changes get a new one. */
  operation?: string;
}

export const isDeletion = (change: LinkChange): change is LinkChange & { was: LinkRow; will: undefined } =>
  change.was !== undefined && change.will === undefined;

/** Counts of visits, which only the adding up of visits changes, and generated columns. */
type DerivedColumns =
  | "clicks"
  | "scans"
  | "visits"
  | "last_visit_at"
  | "last_counted_day"
  | "archived"
  | "untitled"
  | "domain"
  | "folded_slug";

/** The title and destination without accents, those that differ, and the values, which the exact search does not find. */
function toPlainText(link: Pick<LinkState, "title" | "destination_url" | ValueFieldName>): string | null {
  const different = [link.title ?? "", searchableDestination(link.destination_url)].flatMap((text) => {
    const without = unaccented(text);
    return without === fold(text) ? [] : [without];
  });
  const values = VALUE_FIELD_NAMES.map((name) => unaccented(link[name] ?? ""));
  const plain = [...different, ...new Set(values)].filter((text) => text !== "");
  return plain.length === 0 ? null : plain.join("\n");
}

type LinkColumns = Omit<typeof links.$inferSelect, DerivedColumns | "id" | "workspace_id" | "deleted_at">;

type OfRow = Partial<Pick<LinkRow, "id" | "folded_slug" | "visitTotals">>;

/** What a state has under the name of its column is stored as it is. */
export function toColumns(link: LinkState & OfRow): LinkColumns {
  const { id: _, folded_slug: __, visitTotals: ___, tags: ____, domain, group, hostCheck, ...stored } = link;
  return {
    ...stored,
    slug_key: slugKey(domain, stored.slug),
    destination_key: fold(searchableDestination(stored.destination_url)),
    destination_host: destinationHost(stored.destination_url),
    title_key: stored.title === null ? null : fold(stored.title),
    plain_text: toPlainText(stored),
    activity_group_id: group.id,
    ended_host: hostOrNull(stored.ended_url),
    preview_image_host: hostOrNull(stored.preview_image_url),
    host_check: hostCheck,
  };
}

const TARGET_COLUMNS = [
  "destination_url",
  ...UTM_NAMES,
  ...WINDOW_FIELD_NAMES,
  "rules",
  ...PREVIEW_FIELD_NAMES,
] as const;
const PUBLIC_COLUMNS = [
  ...(["destination_url", "slug", "domain", "utm_campaign", "utm_campaign_origin", "archived_at"] as const),
  ...TEXT_FIELD_NAMES,
  ...WINDOW_FIELD_NAMES,
  "rules",
] as const;

/** Whether any public field but the tags differs. */
export const hasOtherFields = (was: LinkState, will: LinkState): boolean =>
  was.group.id !== will.group.id || PUBLIC_COLUMNS.some((column) => was[column] !== will[column]);

/** Whether anything differs that is in no answer of the interface. */
export const hasOtherFormFields = (was: LinkState, will: LinkState): boolean =>
  [...FORM_FIELD_NAMES, ...DAY_FIELD_NAMES].some((name) => was[name] !== will[name]);

/** Whether a start or end becomes a day, whose time depends on the zone of the workspace. */
export const hasNewDay = ({ was, will }: Pick<LinkChange, "was" | "will">): boolean =>
  will !== undefined && DAY_FIELD_NAMES.some((name) => will[name] !== null && will[name] !== was?.[name]);

/** Whether the takedown, or anything else that a visit depends on, differs. The end of a group is no part of a link's value. */
export const hasOtherTarget = (was: LinkState, will: LinkState): boolean =>
  was.taken_down_at !== will.taken_down_at ||
  groupOfEnd(was, was.group) !== groupOfEnd(will, will.group) ||
  TARGET_COLUMNS.some((column) => was[column] !== will[column]);

/** The size of the rules before and after a change of them, which the link and the audit trail keep. */
export const sizeOfChangedRules = ({ was, will }: Pick<LinkChange, "was" | "will">): number =>
  was?.rules === will?.rules ? 0 : (was?.rules?.length ?? 0) + (will?.rules?.length ?? 0);

export const hasOtherSearchText = (was: LinkState, will: LinkState): boolean =>
  isArchived(was) !== isArchived(will) ||
  (["slug", "title", "destination_url", ...VALUE_FIELD_NAMES] as const).some(
    (column) => was[column] !== will[column],
  );

export const isArchived = ({ archived_at: archivedAt }: Pick<LinkState, "archived_at">): boolean =>
  archivedAt !== null;

const idsOf = (link: LinkState | undefined): number[] => (link?.tags ?? []).map(({ id }) => id);

export function tagDifference({ was, will }: Pick<LinkChange, "was" | "will">) {
  const before = new Set(idsOf(was));
  const after = new Set(idsOf(will));
  return {
    added: [...after].filter((id) => !before.has(id)),
    removed: [...before].filter((id) => !after.has(id)),
  };
}

export const hasOtherTags = (change: Pick<LinkChange, "was" | "will">): boolean => {
  const { added, removed } = tagDifference(change);
  return added.length + removed.length > 0;
};

export function newSlugKeys({ was, will, otherSlugs = [] }: LinkChange): SlugKey[] {
  if (will === undefined) return [];
  const own = slugKey(will.domain, will.slug);
  if (was === undefined) return [own, ...otherSlugs];
  return own === was.slug_key ? [...otherSlugs] : [own, ...otherSlugs];
}

/**
 * The state before a change for the audit log: the fields if any changed, the tags if they changed, and both before a
 * deletion. Undefined for a new link.
 */
export function toSnapshot({ was, will }: LinkChange): Record<string, unknown> | undefined {
  if (was === undefined) return undefined;
  const withTags = will === undefined || hasOtherTags({ was, will });
  const withFields =
    will === undefined || !withTags || hasOtherFields(was, will) || hasOtherFormFields(was, will);
  return {
    ...(withFields && {
      slug: was.slug,
      ...(was.domain !== SHORT_HOST && { domain: was.domain }),
      destination_url: was.destination_url,
      ...eachTextField((name) => was[name]),
      ...writtenWindow(was),
      ...writtenDates(was),
      ...(was.rules !== null && { rules: readRules(was.rules) }),
      ...(FORM_FIELD_NAMES.some((name) => was[name] !== null) && eachField(FORM_FIELDS, (name) => was[name])),
      archived_at: was.archived_at,
      utm_campaign: was.utm_campaign,
      utm_campaign_origin: was.utm_campaign_origin,
      activity_group_id: was.group.public_id,
    }),
    ...(withTags && { tag_ids: was.tags.map((tag) => tag.public_id) }),
  };
}
