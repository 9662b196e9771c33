import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { links, linkTags, linkTotals } from "../db/schema";
import { linkRowId, thisLink } from "./repository";

// A tag, a group and a channel know how many links they have. A batch that changes which a link counts for takes it out
// of their totals before, and puts it in again behind.

/** What one link counts for. */
const countedFor = (workspaceId: number, id: string): SQL => sql`(
  select 'tag' as kind, cast(tag_id as text) as key, link_archived as archived
    from ${linkTags} where link_id = ${linkRowId(workspaceId, id)}
  union all select 'group', cast(activity_group_id as text), archived
    from ${links} where ${thisLink(workspaceId, id)} and activity_group_id is not null
  union all select 'channel', channel, archived
    from ${links} where ${thisLink(workspaceId, id)} and channel is not null)`;

/** Takes the link out of every total that it counts for. */
export const leaveTotals = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm.run(sql`update ${linkTotals} set active = active - 1 + was_archived, archived = archived - was_archived
        from (select kind as own_kind, key as own_key, archived as was_archived from ${countedFor(workspaceId, id)})
        where workspace_id = ${workspaceId} and kind = own_kind and key = own_key`),
);

/** Puts the link into every total that it counts for. */
export const joinTotals = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        select ${workspaceId}, kind, key, 1 - archived, archived from ${countedFor(workspaceId, id)} where true
        on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
);
