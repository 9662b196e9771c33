import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { activityGroupItems, activityGroups, links, linkTags, tags, workspaces } from "../db/schema";
import type { CampaignChange } from "../lib/campaign";
import { linkRowId, thisLink } from "./repository";
import { unindexLink } from "./search";
import { leaveTotals } from "./totals";

// The statements of which the batches of create, update, delete, attach and detach are made.

export const insertLink = prepared(
  (row: typeof links.$inferInsert): Statement =>
    (orm) =>
      orm.insert(links).values(row),
);

const groupRowId = (workspaceId: number, groupId: string): SQL =>
  sql`(select ${activityGroups.id} from ${activityGroups}
    where ${activityGroups.workspace_id} = ${workspaceId} and ${activityGroups.public_id} = ${groupId})`;

/** The columns that a request may set; an undefined one is left alone. */
export interface LinkFields {
  slug?: string | undefined;
  slug_key?: string | undefined;
  destination_url?: string | undefined;
  destination_key?: string | undefined;
  destination_host?: string | undefined;
  title?: string | null | undefined;
  title_key?: string | null | undefined;
  channel?: string | null | undefined;
  utm_source?: string | null | undefined;
  utm_medium?: string | null | undefined;
  archived?: boolean | undefined;
  /** Public id; null ends the assignment. */
  activityGroup?: string | null | undefined;
  campaign: CampaignChange;
}

type NextValues = { [Column in keyof typeof links.$inferInsert]?: SQL | string | number | null | undefined };

function nextValues(workspaceId: number, fields: LinkFields, at: number): NextValues {
  const { archived, activityGroup, campaign, ...plain } = fields;
  const next: NextValues = { ...plain };
  if (archived !== undefined) next.archived_at = archived ? sql`coalesce(${links.archived_at}, ${at})` : null;
  if (activityGroup !== undefined) {
    next.activity_group_id = activityGroup === null ? null : groupRowId(workspaceId, activityGroup);
  }
  if (campaign.kind === "give") next.utm_campaign = campaign.value;
  if (campaign.kind === "inherit") {
    const group =
      activityGroup === undefined ? sql`${links.activity_group_id}` : sql`${next.activity_group_id}`;
    const inherited = sql`(select ${activityGroups.default_utm_campaign} from ${activityGroups}
      where ${activityGroups.id} = ${group})`;
    next.utm_campaign = campaign.explicitStays
      ? sql`case when ${links.utm_campaign_origin} = 'explicit' then ${links.utm_campaign} else ${inherited} end`
      : inherited;
  }
  return next;
}

const VISIBLE = ["destination_url", "utm_source", "utm_medium", "utm_campaign"] as const;

const anyDiffers = (next: NextValues, names: readonly (keyof NextValues)[]): SQL =>
  or(
    ...names
      .filter((name) => next[name] !== undefined)
      .map((name) => sql`${links[name]} is not ${next[name]}`),
  ) ?? sql`false`;

/** Whether an update may change what a visitor of the link sees. */
export const mayChangeTarget = ({
  slug,
  destination_url,
  utm_source,
  utm_medium,
  activityGroup,
  campaign,
}: LinkFields): boolean =>
  campaign.kind !== "keep" ||
  [slug, destination_url, utm_source, utm_medium, activityGroup].some((value) => value !== undefined);

/** SQL that is true where the update will change what a visitor of the link sees. */
export function changesTarget(workspaceId: number, id: string, fields: LinkFields, at: number): SQL {
  const differs = anyDiffers(nextValues(workspaceId, fields, at), VISIBLE);
  return sql`exists (select 1 from ${links} where ${thisLink(workspaceId, id)} and (${differs}))`;
}

/** Sets the given fields; only a change of what the link shows moves its version and its time. */
export const updateLinkRow =
  (workspaceId: number, id: string, fields: LinkFields, at: number): Statement =>
  (orm) => {
    const next = nextValues(workspaceId, fields, at);
    const differs = anyDiffers(next, Object.keys(next) as (keyof NextValues)[]);
    const { campaign } = fields;
    const origin =
      campaign.kind === "give"
        ? "explicit"
        : campaign.kind === "inherit" && !campaign.explicitStays
          ? "inherited"
          : undefined;
    return orm
      .update(links)
      .set({
        ...(next as Partial<typeof links.$inferInsert>),
        ...(origin === undefined ? {} : { utm_campaign_origin: origin }),
        version: sql`${links.version} + (${differs})`,
        updated_at: sql`case when ${differs} then ${at} else ${links.updated_at} end`,
      })
      .where(thisLink(workspaceId, id));
  };

/** Keeps the workspace's totals by status, where the link is not yet in that status. Goes before the link's own update. */
export const countStatus =
  (workspaceId: number, id: string, archived: boolean): Statement =>
  (orm) => {
    const step = archived ? 1 : -1;
    const other = archived ? sql`${links.archived_at} is null` : sql`${links.archived_at} is not null`;
    return orm
      .update(workspaces)
      .set({
        active_links: sql`${workspaces.active_links} - ${step}`,
        archived_links: sql`${workspaces.archived_links} + ${step}`,
      })
      .where(
        and(
          eq(workspaces.id, workspaceId),
          sql`exists (select 1 from ${links} where ${thisLink(workspaceId, id)} and ${other})`,
        ),
      );
  };

const openItem = (workspaceId: number, id: string): SQL | undefined =>
  and(
    eq(activityGroupItems.workspace_id, workspaceId),
    eq(activityGroupItems.link_id, linkRowId(workspaceId, id)),
    isNull(activityGroupItems.ended_at),
  );

const groupOfLink = (workspaceId: number, id: string): SQL =>
  sql`(select ${links.activity_group_id} from ${links} where ${thisLink(workspaceId, id)})`;

const endItemOfAnotherGroup = prepared(
  (workspaceId: number, id: string, at: number): Statement =>
    (orm) =>
      orm
        .update(activityGroupItems)
        .set({ ended_at: at })
        .where(
          and(
            openItem(workspaceId, id),
            sql`${activityGroupItems.activity_group_id} is not ${groupOfLink(workspaceId, id)}`,
          ),
        ),
);

/** Opens an item where the link has a group and no open item. */
const beginItem = prepared(
  (workspaceId: number, id: string, at: number): Statement =>
    (orm) =>
      // The columns in the order of the table, as drizzle lists them.
      orm.insert(activityGroupItems).select(sql`select null, ${links.workspace_id}, ${links.id},
    ${links.activity_group_id}, 'primary', ${links.channel}, ${at}, null
    from ${links} where ${thisLink(workspaceId, id)} and ${links.activity_group_id} is not null
      and not exists (select 1 from ${activityGroupItems} where ${openItem(workspaceId, id)})`),
);

/** Opens the item of a new link in a group. */
export const beginFirstItem = prepared(
  (workspaceId: number, id: string, groupRowId: number, channel: string | null, at: number): Statement =>
    (orm) =>
      orm.insert(activityGroupItems).values({
        workspace_id: workspaceId,
        link_id: linkRowId(workspaceId, id),
        activity_group_id: groupRowId,
        role: "primary",
        channel,
        started_at: at,
      }),
);

const setChannelOfItem = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm
        .update(activityGroupItems)
        .set({ channel: sql`(select ${links.channel} from ${links} where ${thisLink(workspaceId, id)})` })
        .where(openItem(workspaceId, id)),
);

/** Makes the open item agree with the link's row, where its group or only its channel is set. */
export const reconcileItem = (
  workspaceId: number,
  id: string,
  fields: Pick<LinkFields, "activityGroup" | "channel">,
  at: number,
): Statement[] => [
  ...(fields.activityGroup === undefined
    ? []
    : [endItemOfAnotherGroup(workspaceId, id, at), beginItem(workspaceId, id, at)]),
  ...(fields.channel === undefined ? [] : [setChannelOfItem(workspaceId, id)]),
];

/** Attaches tags by their public ids; one that is gone meanwhile makes the batch fail. */
export const attachTags = (workspaceId: number, id: string, tagIds: readonly string[]): Statement =>
  attachTagsJson(workspaceId, id, JSON.stringify(tagIds));

const attachTagsJson = prepared(
  (workspaceId: number, id: string, tagIds: string): Statement =>
    (orm) =>
      // The columns in the order of the table, as drizzle lists them.
      orm
        .insert(linkTags)
        .select(sql`select ${links.workspace_id}, ${links.id},
          coalesce((select ${tags.id} from ${tags} where ${tags.workspace_id} = ${workspaceId} and ${tags.public_id} = value), 0),
          ${links.archived}, ${links.public_id}
          from ${links} cross join json_each(${tagIds}) where ${thisLink(workspaceId, id)}`)
        .onConflictDoNothing(),
);

/** Holds while the link carries at most `most` tags. */
export const hasRoomForTags = (workspaceId: number, id: string, most: number): Guard =>
  sql`(select count(*) from ${linkTags} where ${linkTags.link_id} = ${linkRowId(workspaceId, id)}) <= ${most}`;

export const detachTag = prepared(
  (workspaceId: number, id: string, tagId: string): Statement =>
    (orm) =>
      orm
        .delete(linkTags)
        .where(
          and(
            eq(linkTags.link_id, linkRowId(workspaceId, id)),
            eq(
              linkTags.tag_id,
              sql`(select ${tags.id} from ${tags} where ${tags.workspace_id} = ${workspaceId} and ${tags.public_id} = ${tagId})`,
            ),
          ),
        ),
);

/** Holds while the tag is on the link. */
export const isTagged = (workspaceId: number, id: string, tagId: string): Guard =>
  sql`exists (select 1 from ${linkTags} join ${tags} on ${tags.id} = ${linkTags.tag_id}
    where ${linkTags.link_id} = ${linkRowId(workspaceId, id)} and ${tags.public_id} = ${tagId})`;

/** A new version without a new time: the link's tags have changed, its own fields have not. */
export const bumpVersion = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm
        .update(links)
        .set({ version: sql`${links.version} + 1` })
        .where(thisLink(workspaceId, id)),
);

const endItem = prepared(
  (workspaceId: number, id: string, at: number): Statement =>
    (orm) =>
      orm.update(activityGroupItems).set({ ended_at: at }).where(openItem(workspaceId, id)),
);

const detachAll = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm.delete(linkTags).where(eq(linkTags.link_id, linkRowId(workspaceId, id))),
);

const countLinkDeleted = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) => {
      const archived = sql`(select ${links.archived_at} is not null from ${links} where ${thisLink(workspaceId, id)})`;
      return orm
        .update(workspaces)
        .set({
          active_links: sql`${workspaces.active_links} - (1 - ${archived})`,
          archived_links: sql`${workspaces.archived_links} - ${archived}`,
        })
        .where(eq(workspaces.id, workspaceId));
    },
);

const markDeleted = prepared(
  (workspaceId: number, id: string, at: number): Statement =>
    (orm) =>
      orm
        .update(links)
        .set({ deleted_at: at, version: sql`${links.version} + 1` })
        .where(thisLink(workspaceId, id)),
);

/** Ends a link: its place in the totals, its assignment, its tags, then itself. */
export const softDelete = (workspaceId: number, id: string, at: number): Statement[] => [
  ...leaveTotals(workspaceId, id),
  unindexLink(workspaceId, id),
  endItem(workspaceId, id, at),
  detachAll(workspaceId, id),
  countLinkDeleted(workspaceId, id),
  markDeleted(workspaceId, id, at),
];
