import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { orm } from "../../../db/prepared";
import { auditLog } from "../../../db/schema/audit";
import { links, linkTotals } from "../../../db/schema/links";
import { reports } from "../../../db/schema/reports";
import { linkTags, MARK_OF_REMOVED, tags } from "../../../db/schema/tags";
import { selectRowsOfTag } from "../../tags/tag-statements";

// A tag is removed in two steps. It is marked at once, with `replaced_by`, and nobody sees it from then on. Then it is taken off
// its links in chunks, since it may have any number of them.

/** The most links in a chunk. Each costs some 20 rows. */
export const MAX_LINKS_OF_CHUNK = 500;

const NO_TAG = 0;

/** The links that show the tag `into` from now on and did not before: they count for it. */
const addToTotal = (workspaceId: number, from: number, into: number): Statement =>
  orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
    select ${workspaceId}, 'tag', ${String(into)}, sum(1 - archived), sum(archived)
    from (select distinct own.link_id, own.link_archived as archived from ${linkTags} as own
      where own.workspace_id = ${workspaceId} and own.tag_id in (${selectRowsOfTag(sql`${from}`)})
        and not exists (select 1 from ${linkTags} as other where other.link_id = own.link_id
          and other.tag_id in (${selectRowsOfTag(sql`${into}`)})))
    having count(*) > 0
    on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`);

export const linksOfTag = (workspaceId: number, tag: number): SQL =>
  sql`(select coalesce(sum(active + archived), 0) from ${linkTotals}
    where workspace_id = ${workspaceId} and kind = 'tag' and key = ${String(tag)})`;

/** Hides a tag, and frees its name and slug. Its links show the tag `into`, if there is one. */
export const markRemoved = (workspaceId: number, from: number, into: number | undefined): Statement[] => [
  ...(into === undefined ? [] : [addToTotal(workspaceId, from, into)]),
  orm.run(sql`delete from ${reports} where workspace_id = ${workspaceId} and kind = 'tag'
    and subject = (select public_id from ${tags} where id = ${from})`),
  orm.run(
    sql`delete from ${linkTotals} where workspace_id = ${workspaceId} and kind = 'tag' and key = ${String(from)}`,
  ),
  orm.run(sql`update ${tags} set replaced_by = ${into ?? NO_TAG}
    where replaced_by = ${from} and +workspace_id = ${workspaceId}`),
  orm.run(sql`update ${tags} set replaced_by = ${into ?? NO_TAG}, public_id = ${MARK_OF_REMOVED} || public_id,
      name_key = ${MARK_OF_REMOVED} || public_id, slug = ${MARK_OF_REMOVED} || public_id
    where id = ${from} and +workspace_id = ${workspaceId}`),
];

export interface RemovedTag {
  id: number;
  workspace_id: number;
  replaced_by: number;
}

export const selectRemovedTags = (most: number) =>
  orm.all<RemovedTag>(
    sql`select id, workspace_id, replaced_by from ${tags} where replaced_by is not null
      order by row_number() over (partition by +workspace_id order by +id) limit ${most}`,
  );

/** The tag, if it is marked and not yet off all links. */
export const selectRemovedTag = (workspaceId: number, id: number) =>
  orm.all<{ id: number }>(sql`select id from ${tags} where id = ${id} and +workspace_id = ${workspaceId}`);

/** Each link of a merged tag gets an audit entry with its previous tags. Actor and time are those of the merge. */
const auditChunk = ({ id, workspace_id: workspaceId, replaced_by: into }: RemovedTag): Statement =>
  orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, before, change, at)
    select removed.public_id || '.' || ${links.public_id}, ${workspaceId}, merge.actor, 'link.merge_tag', ${links.public_id},
      (select json_object('tag_ids', json_group_array(ltrim(carried.public_id, ${MARK_OF_REMOVED}))) from ${linkTags} as pair
        cross join ${tags} as carried on carried.id = pair.tag_id
        where pair.link_id = ${links.id} and carried.replaced_by is not ${NO_TAG}),
      json_object('tag_id', removed.public_id, 'into', ${tags.public_id}), merge.at
    from (select ltrim(public_id, ${MARK_OF_REMOVED}) as public_id from ${tags} where id = ${id}) as removed
      cross join ${tags} on ${tags.id} = ${into}
      cross join (${selectChunk(workspaceId, id)}) as own cross join ${links} on ${links.id} = own.link_id
      cross join ${auditLog} as merge on merge.workspace_id = ${workspaceId} and merge.subject = removed.public_id
        and merge.action = 'tag.merge'`);

const selectChunk = (workspaceId: number, id: number): SQL =>
  sql`select link_id from ${linkTags} where workspace_id = ${workspaceId} and tag_id = ${id}
    order by link_archived, link_public_id limit ${MAX_LINKS_OF_CHUNK}`;

/**
 * Takes a marked tag off a chunk of its links, and raises their versions, so that a change which read them before loses the
 * race. Deletes the tag with the last chunk. The third statement changes one row for each link.
 */
export function takeOffChunk(removed: RemovedTag): Statement[] {
  const { id, workspace_id: workspaceId, replaced_by: into } = removed;
  const inChunk = sql`+tag_id = ${id} and link_id in (${selectChunk(workspaceId, id)})`;
  return [
    ...(into === NO_TAG ? [] : [auditChunk(removed)]),
    orm.run(sql`update ${links} set version = version + 1 where id in (${selectChunk(workspaceId, id)})`),
    // A link that has both tags loses the row of the other.
    into === NO_TAG
      ? orm.run(sql`delete from ${linkTags} where ${inChunk}`)
      : orm.run(sql`update or replace ${linkTags} set tag_id = ${into} where ${inChunk}`),
    orm.run(sql`delete from ${tags} where id = ${id} and workspace_id = ${workspaceId}
      and not exists (select 1 from ${linkTags} where workspace_id = ${workspaceId} and tag_id = ${id})`),
  ];
}
