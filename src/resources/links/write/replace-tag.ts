import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { auditLog } from "../../../db/schema/audit";
import { links, linkTotals } from "../../../db/schema/links";
import { linkTags, tags } from "../../../db/schema/tags";

const run =
  (query: SQL): Statement =>
  (orm) =>
    orm.run(query);

interface TagRef {
  id: number;
  public_id: string;
}

/**
 * Replaces a tag on all links that carry it; links that carry both keep the other. Each link gets an audit entry with
 * its previous tags.
 */
export function replaceTag(
  workspaceId: number,
  actor: string,
  from: TagRef,
  to: TagRef,
  at: number,
): Statement[] {
  const change = JSON.stringify({ tag_id: from.public_id, into: to.public_id });
  const carriesFrom = sql`own.workspace_id = ${workspaceId} and own.tag_id = ${from.id}`;
  const carriesBoth = (linkId: SQL) =>
    sql`exists (select 1 from ${linkTags} as other where other.link_id = ${linkId} and other.tag_id = ${to.id})`;
  return [
    run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, before, change, at)
      select ${from.public_id} || '.' || ${links.public_id}, ${workspaceId}, ${actor}, 'link.merge_tag', ${links.public_id},
        (select json_object('tag_ids', json_group_array(${tags.public_id})) from ${linkTags} as carried
          join ${tags} on ${tags.id} = carried.tag_id where carried.link_id = ${links.id}), ${change}, ${at}
      from ${linkTags} as own cross join ${links} where ${carriesFrom} and ${links.id} = own.link_id`),
    run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
      select ${workspaceId}, 'tag', ${String(to.id)}, sum(1 - own.link_archived), sum(own.link_archived)
      from ${linkTags} as own where ${carriesFrom} and not ${carriesBoth(sql`own.link_id`)} having count(*) > 0
      on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
    run(sql`update ${links} set version = version + 1
      where id in (select own.link_id from ${linkTags} as own where ${carriesFrom})`),
    run(sql`update ${linkTags} as own set tag_id = ${to.id}
      where ${carriesFrom} and not ${carriesBoth(sql`own.link_id`)}`),
  ];
}
