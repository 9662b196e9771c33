import { and, isNull, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { WANTED, wantedIn } from "../db/json";
import { activityGroupItems, auditLog, links, linkTags } from "../db/schema";
import { columnsWith, type LinkFields, targetDiffers } from "./changes";
import { LINK_STATE, type LinkRow, selectLinks, TAGS_STATE } from "./repository";
import { indexing, unindexing } from "./search";

// The statements that change many links at once, told by their row ids as one JSON parameter: their number does not grow
// with the links. They hold what those of `changes` hold for one.

type RowIds = readonly number[];

const run =
  (query: SQL): Statement =>
  (orm) =>
    orm.run(query);

/** True of the links with these row ids. */
const these = (workspaceId: number, ids: RowIds): SQL =>
  sql`${links.id} in (select value from json_each(${JSON.stringify(ids)})) and +${links.workspace_id} = ${workspaceId}`;

/** Links of the workspace by their public ids; what names none is left out. */
export const linksByIds =
  (workspaceId: number, ids: readonly string[]): Statement<LinkRow[]> =>
  (orm) =>
    selectLinks(orm).where(
      and(
        sql`${links.public_id} in (select value from json_each(${JSON.stringify(ids)}))
          and +${links.workspace_id} = ${workspaceId}`,
        isNull(links.deleted_at),
      ),
    );

/** Holds while all these links are there and as they were read. */
export const linksAreAt = (
  workspaceId: number,
  read: readonly { id: number; version: number }[],
): Guard => sql`not exists (select 1 from ${wantedIn(JSON.stringify(read.map(({ id, version }) => [id, version])))}
    where not exists (select 1 from ${links} where ${links.id} = ${WANTED} ->> 0
      and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null and ${links.version} = ${WANTED} ->> 1))`;

/** Holds while so many of the links carry the tag. */
export const linksWithTag = (ids: RowIds, tagRowId: number, links: number): Guard =>
  sql`(select count(*) from ${wantedIn(JSON.stringify(ids))} cross join ${linkTags}
    where ${linkTags.link_id} = ${WANTED} and ${linkTags.tag_id} = ${tagRowId}) = ${links}`;

interface ManyChanged {
  workspaceId: number;
  actor: string;
  action: string;
  change: object;
  at: number;
}

/** An operation of its own in the audit log for each link, with what was before. Goes before whatever changes it. */
export const auditLinks = (
  { workspaceId, actor, action, change, at }: ManyChanged,
  state: "link" | "tags",
  operations: readonly (readonly [id: string, linkRowId: number])[],
): Statement =>
  run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, before, change, at)
    select ${WANTED} ->> 0, ${workspaceId}, ${actor}, ${action}, ${links.public_id},
      ${state === "link" ? LINK_STATE : TAGS_STATE}, ${JSON.stringify(change)}, ${at}
    from ${wantedIn(JSON.stringify(operations))} cross join ${links}
    where ${links.id} = ${WANTED} ->> 1 and +${links.workspace_id} = ${workspaceId}`);

export const updateLinkRows =
  (workspaceId: number, ids: RowIds, fields: LinkFields, at: number): Statement =>
  (orm) =>
    orm.update(links).set(columnsWith(fields, at)).where(these(workspaceId, ids));

/** The row ids of those of these links of which an update will change what a visitor sees. */
export const linksWithOtherTarget = (workspaceId: number, ids: RowIds, fields: LinkFields, at: number): SQL =>
  sql`select ${links.id} from ${links} where ${these(workspaceId, ids)} and (${targetDiffers(fields, at)})`;

export const setStatusOfTagsOfLinks = (workspaceId: number, ids: RowIds, archived: boolean): Statement =>
  run(sql`update ${linkTags} set link_archived = ${archived ? 1 : 0}
    where link_id in (select value from json_each(${JSON.stringify(ids)})) and +workspace_id = ${workspaceId}`);

export const endItems = (workspaceId: number, ids: RowIds, at: number): Statement =>
  run(sql`update ${activityGroupItems} set ended_at = ${at} where workspace_id = ${workspaceId}
    and link_id in (select value from json_each(${JSON.stringify(ids)})) and role = 'primary' and ended_at is null`);

/** Opens the items of links in a group, given by its row id. */
export const beginItems = (workspaceId: number, ids: RowIds, groupRowId: number, at: number): Statement =>
  run(sql`insert into ${activityGroupItems} (workspace_id, link_id, activity_group_id, role, channel, started_at)
    select ${links.workspace_id}, ${links.id}, ${groupRowId}, 'primary', ${links.channel}, ${at}
    from ${links} where ${these(workspaceId, ids)}`);

/** Attaches a tag to links; a tag that is gone meanwhile makes the batch fail. */
export const attachTagToLinks = (workspaceId: number, ids: RowIds, tagRowId: number): Statement =>
  run(sql`insert into ${linkTags} (workspace_id, link_id, tag_id, link_archived, link_public_id)
    select ${links.workspace_id}, ${links.id}, ${tagRowId}, ${links.archived}, ${links.public_id}
    from ${links} where ${these(workspaceId, ids)}`);

export const detachTagFromLinks = (workspaceId: number, ids: RowIds, tagRowId: number): Statement =>
  run(sql`delete from ${linkTags} where link_id in (select value from json_each(${JSON.stringify(ids)}))
    and tag_id = ${tagRowId} and +workspace_id = ${workspaceId}`);

/** A new version without a new time: the links' tags have changed, their own fields have not. */
export const bumpVersions = (workspaceId: number, ids: RowIds): Statement =>
  run(sql`update ${links} set version = version + 1 where ${these(workspaceId, ids)}`);

export const unindexLinks = (workspaceId: number, ids: RowIds): Statement =>
  run(unindexing(sql`${links} where ${these(workspaceId, ids)}`));

export const indexLinks = (workspaceId: number, ids: RowIds): Statement =>
  run(indexing(sql`${links} where ${these(workspaceId, ids)}`));
