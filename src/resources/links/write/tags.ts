import { sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { type BoundList, fromList, inList, listed } from "../../../db/list";
import { orm, prepared } from "../../../db/prepared";
import { links } from "../../../db/schema/links";
import { linkTags } from "../../../db/schema/tags";
import { isArchived, type LinkChange, tagDifference } from "./state";

// The tags of links. Each row copies the link's status and id, by which a tag's lists are sorted.

const attach = prepared((workspaceId: number, pairs: BoundList) =>
  orm.run(sql`insert into ${linkTags} (workspace_id, link_id, tag_id, link_archived, link_public_id)
        select ${links.workspace_id}, ${links.id}, ${listed(1)}, ${links.archived}, ${links.public_id}
        from ${fromList(pairs)} cross join ${links}
        where ${links.public_id} = ${listed(0)} and +${links.workspace_id} = ${workspaceId}`),
);

const detach = prepared((workspaceId: number, pairs: BoundList) =>
  orm.run(
    sql`delete from ${linkTags} where (link_id, tag_id) in ${inList(pairs, 2)} and +workspace_id = ${workspaceId}`,
  ),
);

const setStatus = prepared((workspaceId: number, ids: BoundList, archived: number) =>
  orm.run(sql`update ${linkTags} set link_archived = ${archived}
        where link_id in ${inList(ids)} and +workspace_id = ${workspaceId}`),
);

/** Row ids of links with tags whose status changes to this one. */
const moved = (changes: readonly LinkChange[], archived: boolean): number[] =>
  changes.flatMap(({ was, will }) => {
    const isMoved = was && will && isArchived(was) !== archived && isArchived(will) === archived;
    return isMoved && was.tags.length > 0 ? [was.id] : [];
  });

/**
 * Attaches and detaches tags. Runs after the statements of the links' own rows.
 */
export function tagStatements(workspaceId: number, changes: readonly LinkChange[]): Statement[] {
  const attached: [link: string, tag: number][] = [];
  const detached: [link: number, tag: number][] = [];
  for (const change of changes) {
    const { added, removed } = tagDifference(change);
    for (const tag of added) attached.push([change.will?.public_id ?? "", tag]);
    for (const { id, rows = [id] } of change.was?.tags ?? [])
      if (removed.includes(id))
        detached.push(...rows.map((row): [number, number] => [change.was?.id ?? 0, row]));
  }
  const archived = moved(changes, true);
  const active = moved(changes, false);
  return [
    ...(detached.length === 0 ? [] : [detach(workspaceId, detached)]),
    ...(archived.length === 0 ? [] : [setStatus(workspaceId, archived, 1)]),
    ...(active.length === 0 ? [] : [setStatus(workspaceId, active, 0)]),
    ...(attached.length === 0 ? [] : [attach(workspaceId, attached)]),
  ];
}
