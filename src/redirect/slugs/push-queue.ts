import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { orm, prepared } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { links, slugs } from "../../db/schema/links";
import type { SlugKey } from "../../lib/slug-text";
import { joinGroup, type SlugTargetRow, targetColumns } from "./statements/targets";

interface DuePosition {
  push_at: number;
  key: string;
}

/** A workspace with slugs to push. The next run starts after the position `after`. */
export interface QueuedWorkspace {
  workspaceId: number;
  after: DuePosition;
}

/** Without statistics SQLite may choose an index that includes rows without a push. */
const PUSH_INDEX = sql.raw("indexed by slugs_workspace_push");

/** The highest row id of a workspace with queued pushes, or null. */
export const selectLastQueuedWorkspace = () =>
  orm.all<{ last: number | null }>(
    sql`select max(workspace_id) as last from slugs ${PUSH_INDEX} where push_at is not null`,
  );

interface WorkspaceToPush {
  workspace_id: number;
  /** Due time of its first push. */
  oldest: number;
}

/** Up to `limit` workspaces with queued pushes, by row id from `from` to below `before`. */
export const selectQueuedWorkspaces = (from: number, before: number, limit: number) =>
  orm.all<WorkspaceToPush>(sql`with recursive queued_workspaces(workspace_id) as (
      select * from (select workspace_id from slugs ${PUSH_INDEX}
        where push_at is not null and workspace_id >= ${from} order by workspace_id limit 1)
      union all
      select (select slugs.workspace_id from slugs ${PUSH_INDEX}
        where push_at is not null and slugs.workspace_id > queued_workspaces.workspace_id order by slugs.workspace_id limit 1)
        from queued_workspaces where queued_workspaces.workspace_id < ${before}
      limit ${limit})
      select workspace_id, (select push_at from slugs ${PUSH_INDEX}
          where push_at is not null and slugs.workspace_id = queued_workspaces.workspace_id order by push_at limit 1) as oldest
        from queued_workspaces where workspace_id < ${before}`);

/** Up to `limit` due rows per workspace after its position, oldest first. */
export const selectDuePushes = (dueAt: number, queue: readonly QueuedWorkspace[], limit: number) => {
  const dueKeys = sql`(select due.key from slugs as due ${PUSH_INDEX}
      where due.workspace_id = json_extract(queued.value, '$.workspaceId') and due.push_at <= ${dueAt} and due.push_at is not null
        and (due.push_at, due.key) > (json_extract(queued.value, '$.after.push_at'), json_extract(queued.value, '$.after.key'))
      order by due.push_at, due.key limit ${limit})`;
  return orm
    .select(targetColumns)
    .from(sql`json_each(${JSON.stringify(queue)}) as queued`)
    .crossJoin(slugs)
    .innerJoin(workspaces, eq(workspaces.id, slugs.workspace_id))
    .leftJoin(links, and(eq(links.workspace_id, slugs.workspace_id), eq(links.id, slugs.link_id)))
    .leftJoin(activityGroups, joinGroup)
    .where(sql`${slugs.key} in ${dueKeys}`)
    .orderBy(asc(slugs.push_at), asc(slugs.key));
};

/**
 * The row after a push of revision `rev`, read at `readAt`. The first push of a revision queues a second one. Only a push
 * that was read after the second became due completes it, so a late first push does not.
 */
const afterPush = (rev: number | SQL, readAt: number, secondPushAt: number) => ({
  push_at: sql`case when ${slugs.pushed_rev} <> ${rev} then ${secondPushAt}
    when ${slugs.push_at} > ${readAt} then ${slugs.push_at} end`,
  pushed_rev: rev,
});

/** Records a push if the row still has the pushed revision. */
export const updatePushedSlug = prepared((key: SlugKey, rev: number, readAt: number, secondPushAt: number) =>
  orm
    .update(slugs)
    .set(afterPush(rev, readAt, secondPushAt))
    .where(and(eq(slugs.key, key), eq(slugs.rev, rev))),
);
const PUSHED_KEY = sql`json_extract(pushed.value, '$[0]')`;
const PUSHED_REV = sql`json_extract(pushed.value, '$[1]')`;

/** Records many pushes in one statement. It reads four rows per push; `updatePushedSlug` reads one. */
export const updatePushedSlugs = (
  pushed: readonly Pick<SlugTargetRow, "key" | "rev">[],
  readAt: number,
  secondPushAt: number,
) =>
  orm
    .update(slugs)
    .set(afterPush(PUSHED_REV, readAt, secondPushAt))
    .from(sql`json_each(${JSON.stringify(pushed.map(({ key, rev }) => [key, rev]))}) as pushed`)
    .where(and(eq(slugs.key, PUSHED_KEY), eq(slugs.rev, PUSHED_REV)));
