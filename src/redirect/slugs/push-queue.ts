import { and, eq, sql } from "drizzle-orm";
import { type BoundList, fromList, listed } from "../../db/list";
import { orm, prepared } from "../../db/prepared";
import { slugs } from "../../db/schema/links";
import type { SlugKey } from "../../lib/slug-text";

/** Without statistics SQLite may choose an index that includes rows without a push. */
const PUSH_INDEX = sql.raw("indexed by slugs_workspace_push");

/** Bounds what a sweep reads of workspaces whose pushes are not due. */
const MAX_QUEUED_WORKSPACES = 5_000;

/**
 * Up to `limit` due slugs, equally many of each workspace that has some: the first of every workspace, then the second ones, and
 * so on. Of more than `limit` workspaces it takes random ones. `due.key` is the place of a slug among those of its workspace.
 * The share is cast, because D1 binds numbers as reals.
 */
export const selectDueOfEachWorkspace = prepared((dueAt: number, limit: number) =>
  orm.all<{ key: SlugKey }>(sql`with recursive queued(workspace_id) as (
      select min(workspace_id) from slugs ${PUSH_INDEX} where push_at is not null
      union all
      select (select min(slugs.workspace_id) from slugs ${PUSH_INDEX}
          where push_at is not null and slugs.workspace_id > queued.workspace_id)
        from queued where queued.workspace_id is not null
      limit ${MAX_QUEUED_WORKSPACES}),
    waiting(workspace_id) as materialized (
      select workspace_id from queued where exists (select 1 from slugs ${PUSH_INDEX}
          where slugs.workspace_id = queued.workspace_id and push_at is not null and push_at <= ${dueAt})
        order by random() limit ${limit})
    select due.value as key from waiting, json_each((select json_group_array(key) from (
        select key from slugs ${PUSH_INDEX}
          where workspace_id = waiting.workspace_id and push_at is not null and push_at <= ${dueAt}
          order by push_at, key
          limit (select cast(${limit} / max(1, count(*)) as integer) from waiting)))) as due
      order by due.key limit ${limit}`),
);

/** Up to `limit` due slugs of any workspace, longest waiting first. */
export const selectOldestDue = prepared((dueAt: number, limit: number) =>
  orm.all<{ key: SlugKey }>(
    sql`select key from slugs where push_at <= ${dueAt} order by push_at limit ${limit}`,
  ),
);

/**
 * Records pushes, each a slug and its pushed revision, of rows that still have it. They were read at `readAt`. The first push
 * of a revision queues a second one. Only a push that was read after the second became due completes it, so a late first
 * push does not.
 */
export const updatePushedSlugs = prepared((pushed: BoundList, readAt: number, secondPushAt: number) =>
  orm
    .update(slugs)
    .set({
      push_at: sql`case when ${slugs.pushed_rev} <> ${slugs.rev} then ${secondPushAt}
        when ${slugs.push_at} > ${readAt} then ${slugs.push_at} end`,
      pushed_rev: sql`${slugs.rev}`,
    })
    .from(fromList(pushed))
    .where(and(eq(slugs.key, listed()), eq(slugs.rev, listed(1)))),
);
