import { and, asc, count, eq, lte, min, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { links, slugs, workspaces } from "../db/schema";
import { type SlugTargetRow, targetColumns } from "./repository";

export interface DuePosition {
  push_at: number;
  key: string;
}

/** A workspace with slugs to push, and behind which of its rows the next ones stand. */
export interface Turn {
  workspaceId: number;
  after: DuePosition;
}

/** Without statistics the planner may choose an index that also has the rows which need no push. */
const PUSH_INDEX = sql.raw("indexed by slugs_workspace_push");

/** The highest row id of a workspace with booked pushes; null where there is none. */
export const lastWorkspaceToPush = (): Statement<{ last: number | null }[]> => (orm) =>
  orm.all<{ last: number | null }>(
    sql`select max(workspace_id) as last from slugs ${PUSH_INDEX} where push_at is not null`,
  );

export interface WorkspaceToPush {
  workspace_id: number;
  /** When the first of its pushes is due. */
  oldest: number;
}

/** The first `limit` workspaces with booked pushes by row id, from `from` on and below `before`. */
export const workspacesToPush =
  (from: number, before: number, limit: number): Statement<WorkspaceToPush[]> =>
  (orm) =>
    orm.all<WorkspaceToPush>(sql`with recursive booked(workspace_id) as (
      select * from (select workspace_id from slugs ${PUSH_INDEX}
        where push_at is not null and workspace_id >= ${from} order by workspace_id limit 1)
      union all
      select (select slugs.workspace_id from slugs ${PUSH_INDEX}
        where push_at is not null and slugs.workspace_id > booked.workspace_id order by slugs.workspace_id limit 1)
        from booked where booked.workspace_id < ${before}
      limit ${limit})
      select workspace_id, (select push_at from slugs ${PUSH_INDEX}
          where push_at is not null and slugs.workspace_id = booked.workspace_id order by push_at limit 1) as oldest
        from booked where workspace_id < ${before}`);

/** The oldest rows of each workspace whose push is due, behind its position: at most `limit` of each, the oldest first. */
export const dueSlugs =
  (
    dueAt: number,
    turns: readonly Turn[],
    limit: number,
  ): Statement<(SlugTargetRow & { workspace_id: number })[]> =>
  (orm) => {
    const ofTurn = sql`(select due.key from slugs as due ${PUSH_INDEX}
      where due.workspace_id = json_extract(turn.value, '$.workspaceId') and due.push_at <= ${dueAt} and due.push_at is not null
        and (due.push_at, due.key) > (json_extract(turn.value, '$.after.push_at'), json_extract(turn.value, '$.after.key'))
      order by due.push_at, due.key limit ${limit})`;
    return orm
      .select({ ...targetColumns, workspace_id: slugs.workspace_id })
      .from(sql`json_each(${JSON.stringify(turns)}) as turn`)
      .crossJoin(slugs)
      .innerJoin(workspaces, eq(workspaces.id, slugs.workspace_id))
      .leftJoin(links, and(eq(links.workspace_id, slugs.workspace_id), eq(links.id, slugs.link_id)))
      .where(sql`${slugs.key} in ${ofTurn}`)
      .orderBy(asc(slugs.push_at), asc(slugs.key));
  };

/** How many pushes are due, counted up to `limit`, and since when the oldest is. */
export const backlog =
  (dueAt: number, limit: number): Statement<{ due: number; oldest: number | null }[]> =>
  (orm) => {
    const due = orm
      .select({ push_at: slugs.push_at })
      .from(slugs)
      .where(lte(slugs.push_at, dueAt))
      .orderBy(asc(slugs.push_at))
      .limit(limit)
      .as("due");
    return orm.select({ due: count(), oldest: min(due.push_at) }).from(due);
  };

/**
 * What a push of revision `rev`, read at `readAt`, leaves in its row. The first push of a revision books a second, and
 * only one that was read when that was due counts as it: another late first push does not.
 */
const afterPush = (rev: number | SQL, readAt: number, secondPushAt: number) => ({
  push_at: sql`case when ${slugs.pushed_rev} <> ${rev} then ${secondPushAt}
    when ${slugs.push_at} > ${readAt} then ${slugs.push_at} end`,
  pushed_rev: rev,
});

/** Records a push where the row is still at the revision that was pushed. */
export const settleSlug = prepared(
  (key: string, rev: number, readAt: number, secondPushAt: number): Statement =>
    (orm) =>
      orm
        .update(slugs)
        .set(afterPush(rev, readAt, secondPushAt))
        .where(and(eq(slugs.key, key), eq(slugs.rev, rev))),
);

const PUSHED_KEY = sql`json_extract(pushed.value, '$[0]')`;
const PUSHED_REV = sql`json_extract(pushed.value, '$[1]')`;

/** The same for many pushes in one statement, which reads four rows for each where the other reads one. */
export const settleSlugs =
  (pushed: readonly Pick<SlugTargetRow, "key" | "rev">[], readAt: number, secondPushAt: number): Statement =>
  (orm) =>
    orm
      .update(slugs)
      .set(afterPush(PUSHED_REV, readAt, secondPushAt))
      .from(sql`json_each(${JSON.stringify(pushed.map(({ key, rev }) => [key, rev]))}) as pushed`)
      .where(and(eq(slugs.key, PUSHED_KEY), eq(slugs.rev, PUSHED_REV)));
