import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { WANTED, wantedIn } from "../db/json";
import { prepared } from "../db/prepared";
import { activityGroups, links, linkTags, tags } from "../db/schema";
import type { Verdict } from "../hosts/resolver";
import type { CampaignChange } from "../lib/campaign";
import { endItem } from "./assignment";
import { type LinkRow, linkRowId, thisLink } from "./repository";
import { unindexLinkAs } from "./search";
import { countedFor, moveTotals } from "./totals";

// The statements of which the batches of create, update, delete, attach and detach are made.

export const insertLink = prepared(
  (row: typeof links.$inferInsert): Statement =>
    (orm) =>
      orm.insert(links).values(row),
);

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
  verdict?: Verdict | undefined;
  check_at?: number | null | undefined;
  /** Row id; null ends the assignment. */
  activityGroup?: number | null | undefined;
  campaign: CampaignChange;
}

type NextValues = { [Column in keyof typeof links.$inferInsert]?: SQL | string | number | null | undefined };

function nextValues(fields: LinkFields, at: number): NextValues {
  const { archived, activityGroup, campaign, verdict, check_at: checkAt = null, ...plain } = fields;
  const next: NextValues = { ...plain };
  if (verdict !== undefined) {
    // A destination on another host, or one that is good, brings back what the check of the old one has taken down.
    const isElsewhere = sql`${links.destination_host} is not ${fields.destination_host ?? null}`;
    const lifts = sql`(${links.taken_down_by} is 'check' and (${isElsewhere} or ${verdict} = 'ok'))`;
    next.verdict = sql`case when ${isElsewhere} or ${verdict} = 'ok' then ${verdict} else ${links.verdict} end`;
    next.check_at = sql`case when ${links.taken_down_at} is null or ${lifts} then ${checkAt} end`;
    next.taken_down_at = sql`case when ${lifts} then null else ${links.taken_down_at} end`;
    next.taken_down_by = sql`case when ${lifts} then null else ${links.taken_down_by} end`;
  }
  if (archived !== undefined) next.archived_at = archived ? sql`coalesce(${links.archived_at}, ${at})` : null;
  if (activityGroup !== undefined) next.activity_group_id = activityGroup;
  if (campaign.kind === "give" || campaign.kind === "restore") next.utm_campaign = campaign.value;
  if (campaign.kind === "inherit") {
    const group = activityGroup === undefined ? links.activity_group_id : activityGroup;
    const inherited = sql`(select ${activityGroups.default_utm_campaign} from ${activityGroups}
      where ${activityGroups.id} = ${group})`;
    next.utm_campaign = campaign.explicitStays
      ? sql`case when ${links.utm_campaign_origin} = 'explicit' then ${links.utm_campaign} else ${inherited} end`
      : inherited;
  }
  return next;
}

const VISIBLE = ["destination_url", "utm_source", "utm_medium", "utm_campaign", "taken_down_at"] as const;
/** What the service itself keeps of a link, and no client sees change. */
const HIDDEN: ReadonlySet<string> = new Set(["verdict", "check_at", "taken_down_at", "taken_down_by"]);

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

/** True of the links of which the update will change what a visitor sees. */
export const targetDiffers = (fields: LinkFields, at: number): SQL =>
  anyDiffers(nextValues(fields, at), VISIBLE);

/** SQL that is true where the update will change what a visitor of the link sees. */
export const changesTarget = (workspaceId: number, id: string, fields: LinkFields, at: number): SQL =>
  sql`exists (select 1 from ${links} where ${thisLink(workspaceId, id)} and (${targetDiffers(fields, at)}))`;

/** The columns of a link that is given the fields; only a change of what it shows moves its version and its time. */
export function columnsWith(fields: LinkFields, at: number) {
  const next = nextValues(fields, at);
  const shown = (Object.keys(next) as (keyof NextValues)[]).filter((name) => !HIDDEN.has(name));
  const differs = anyDiffers(next, shown);
  const { campaign } = fields;
  const origin: "explicit" | "inherited" | undefined =
    campaign.kind === "give"
      ? "explicit"
      : campaign.kind === "inherit" && !campaign.explicitStays
        ? "inherited"
        : campaign.kind === "restore"
          ? campaign.origin
          : undefined;
  return {
    ...(next as Partial<typeof links.$inferInsert>),
    ...(origin === undefined ? {} : { utm_campaign_origin: origin }),
    // Nobody sees where a campaign comes from, but who has read it, and goes by it, must learn that it is another.
    version: sql`${links.version} + (${origin === undefined ? differs : sql`${differs} or ${links.utm_campaign_origin} is not ${origin}`})`,
    updated_at: sql`case when ${differs} then ${at} else ${links.updated_at} end`,
  };
}

export const updateLinkRow =
  (workspaceId: number, id: string, fields: LinkFields, at: number): Statement =>
  (orm) =>
    orm.update(links).set(columnsWith(fields, at)).where(thisLink(workspaceId, id));

/** Brings a link's status to its tags' lists. */
export const setStatusOfTags = prepared(
  (linkRowId: number, archived: number): Statement =>
    (orm) =>
      orm.update(linkTags).set({ link_archived: archived }).where(eq(linkTags.link_id, linkRowId)),
);

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

/** Takes tags off a link by their public ids. */
export const detachTags =
  (workspaceId: number, id: string, tagIds: readonly string[]): Statement =>
  (orm) =>
    orm.delete(linkTags).where(
      and(
        eq(linkTags.link_id, linkRowId(workspaceId, id)),
        sql`${linkTags.tag_id} in (select ${tags.id} from ${wantedIn(JSON.stringify(tagIds))} cross join ${tags}
            where ${tags.public_id} = ${WANTED} and +${tags.workspace_id} = ${workspaceId})`,
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

const detachAll = prepared(
  (linkRowId: number): Statement =>
    (orm) =>
      orm.delete(linkTags).where(eq(linkTags.link_id, linkRowId)),
);

const markDeleted = prepared(
  (workspaceId: number, id: string, at: number): Statement =>
    (orm) =>
      orm
        .update(links)
        .set({ deleted_at: at, version: sql`${links.version} + 1` })
        .where(thisLink(workspaceId, id)),
);

/** Ends a link: its place in the totals and in the index, its assignment, its tags, then itself. The batch must find it as its row says. */
export const softDelete = (workspaceId: number, row: LinkRow, at: number): Statement[] => [
  ...moveTotals(workspaceId, countedFor(row), undefined),
  unindexLinkAs(workspaceId, row.archived_at === null ? 0 : 1, row.id),
  ...(row.group.id === null ? [] : [endItem(workspaceId, row.id, at)]),
  detachAll(row.id),
  markDeleted(workspaceId, row.public_id, at),
];
