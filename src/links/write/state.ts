import type { links } from "../../db/schema";
import { destinationHost } from "../../lib/destination";
import { eachTextField, TEXT_FIELD_NAMES, UTM_FIELD_NAMES } from "../../lib/link-fields";
import { fold, slugKey } from "../../lib/slug-text";
import type { LinkRow, LinkState } from "../repository";

// What a link is, before and after a change, and what follows from the difference. Pure.

/** One link before and after: without `was` it is new, without `will` it is deleted. */
export interface LinkChange {
  was: LinkRow | undefined;
  will: LinkState | undefined;
  /** Keys of slugs beside the link's own: those that a new link gets, or those that a deleted one leaves. */
  otherSlugs?: readonly string[];
}

type LinkColumns = Omit<
  typeof links.$inferSelect,
  "id" | "workspace_id" | "deleted_at" | "archived" | "untitled"
>;

/** The columns of a link's row that say what it is. */
export const columnsOf = (link: LinkState): LinkColumns => ({
  public_id: link.public_id,
  version: link.version,
  slug: link.slug,
  slug_key: slugKey(link.slug),
  destination_url: link.destination_url,
  destination_key: fold(link.destination_url),
  destination_host: destinationHost(link.destination_url),
  ...eachTextField((name) => link[name]),
  title_key: link.title === null ? null : fold(link.title),
  utm_campaign: link.utm_campaign,
  utm_campaign_origin: link.utm_campaign_origin,
  activity_group_id: link.group.id,
  archived_at: link.archived_at,
  verdict: link.verdict,
  check_at: link.check_at,
  taken_down_at: link.taken_down_at,
  taken_down_by: link.taken_down_by,
  created_at: link.created_at,
  updated_at: link.updated_at,
});

const TARGET_COLUMNS = ["destination_url", ...UTM_FIELD_NAMES, "utm_campaign"] as const;
const PUBLIC_COLUMNS = [
  ...(["destination_url", "slug", "utm_campaign", "archived_at"] as const),
  ...TEXT_FIELD_NAMES,
] as const;

/** Whether clients see another link, apart from its tags. */
export const hasOtherFields = (was: LinkState, will: LinkState): boolean =>
  was.group.id !== will.group.id || PUBLIC_COLUMNS.some((column) => was[column] !== will[column]);

/** Whether visitors are led elsewhere, or are led on again. */
export const hasOtherTarget = (was: LinkState, will: LinkState): boolean =>
  was.taken_down_at !== will.taken_down_at || TARGET_COLUMNS.some((column) => was[column] !== will[column]);

/** Whether a search finds the link by other text or in another status. */
export const hasOtherSearchText = (was: LinkState, will: LinkState): boolean =>
  isArchived(was) !== isArchived(will) ||
  (["slug", "title", "destination_url"] as const).some((column) => was[column] !== will[column]);

export const isArchived = ({ archived_at: archivedAt }: Pick<LinkState, "archived_at">): boolean =>
  archivedAt !== null;

const idsOf = (link: LinkState | undefined): number[] => (link?.tags ?? []).map(({ id }) => id);

/** The row ids of the tags that a change attaches and detaches. */
export function tagMoves({ was, will }: Pick<LinkChange, "was" | "will">): {
  added: number[];
  removed: number[];
} {
  const before = new Set(idsOf(was));
  const after = new Set(idsOf(will));
  return {
    added: [...after].filter((id) => !before.has(id)),
    removed: [...before].filter((id) => !after.has(id)),
  };
}

export const hasOtherTags = (change: Pick<LinkChange, "was" | "will">): boolean => {
  const { added, removed } = tagMoves(change);
  return added.length + removed.length > 0;
};

/** The keys of the slugs that open the link from now on and did not before. */
export function openedSlugs({ was, will, otherSlugs = [] }: LinkChange): string[] {
  if (will === undefined) return [];
  const own = slugKey(will.slug);
  if (was === undefined) return [own, ...otherSlugs];
  return own === was.slug_key ? [] : [own];
}

/**
 * What the audit log keeps of a link before a change: its fields where they change, its tags where they change, all of it
 * before it is deleted. Undefined for a new link.
 */
export function snapshotOf({ was, will }: LinkChange): Record<string, unknown> | undefined {
  if (was === undefined) return undefined;
  const withTags = will === undefined || hasOtherTags({ was, will });
  const withFields =
    will === undefined ||
    !withTags ||
    hasOtherFields(was, will) ||
    was.utm_campaign_origin !== will.utm_campaign_origin;
  return {
    ...(withFields && {
      slug: was.slug,
      destination_url: was.destination_url,
      ...eachTextField((name) => was[name]),
      archived_at: was.archived_at,
      utm_campaign: was.utm_campaign,
      utm_campaign_origin: was.utm_campaign_origin,
      activity_group_id: was.group.public_id,
    }),
    ...(withTags && { tag_ids: was.tags.map((tag) => tag.public_id) }),
  };
}
