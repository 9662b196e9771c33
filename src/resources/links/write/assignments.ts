import { sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { type BoundList, fromList, inList, listed } from "../../../db/list";
import { orm, prepared } from "../../../db/prepared";
import { activityGroupItems, links } from "../../../db/schema/links";
import type { LinkChange } from "./state";

// The history of a link's Activity Groups. The open item with role `primary` is the current assignment.

const openItems = (workspaceId: number, ids: BoundList) =>
  sql`workspace_id = ${workspaceId} and link_id in ${inList(ids)}
    and role = 'primary' and ended_at is null`;

const endItems = prepared((workspaceId: number, ids: BoundList, at: number) =>
  orm.run(sql`update ${activityGroupItems} set ended_at = ${at} where ${openItems(workspaceId, ids)}`),
);

const setChannels = prepared((workspaceId: number, ids: BoundList) =>
  orm.run(sql`update ${activityGroupItems}
        set channel = (select channel from ${links} where ${links.id} = link_id) where ${openItems(workspaceId, ids)}`),
);

const beginItems = prepared((workspaceId: number, publicIds: BoundList, at: number) =>
  orm.run(sql`insert into ${activityGroupItems} (workspace_id, link_id, activity_group_id, role, channel, started_at, visits_before)
        select ${links.workspace_id}, ${links.id}, ${links.activity_group_id}, 'primary', ${links.channel}, ${at}, ${links.visits}
        from ${fromList(publicIds)} cross join ${links}
        where ${links.public_id} = ${listed()} and +${links.workspace_id} = ${workspaceId}`),
);

/** Ends, starts and updates assignments. Runs after the statements of the links' own rows. */
export function assignmentStatements(
  workspaceId: number,
  changes: readonly LinkChange[],
  at: number,
): Statement[] {
  const ended: number[] = [];
  const begun: string[] = [];
  const renamed: number[] = [];
  for (const { was, will } of changes) {
    const before = was?.group.id ?? null;
    const after = will?.group.id ?? null;
    if (was !== undefined && before !== null && before !== after) ended.push(was.id);
    if (will !== undefined && after !== null && before !== after) begun.push(will.public_id);
    const stays = was !== undefined && after !== null && before === after;
    if (stays && was.channel !== will?.channel) renamed.push(was.id);
  }
  return [
    ...(ended.length === 0 ? [] : [endItems(workspaceId, ended, at)]),
    ...(begun.length === 0 ? [] : [beginItems(workspaceId, begun, at)]),
    ...(renamed.length === 0 ? [] : [setChannels(workspaceId, renamed)]),
  ];
}
