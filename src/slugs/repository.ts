import { and, asc, count, eq, lte, min, type SQL, sql } from "drizzle-orm";
import { isBlocked } from "../db/blocked-host";
import type { Guard, Orm, Statement } from "../db/client";
import { WANTED, wantedIn } from "../db/json";
import { prepared } from "../db/prepared";
import { links, slugs, workspaces } from "../db/schema";

/** A slug's row with everything that decides what a visitor sees. */
export interface SlugTargetRow {
  key: string;
  rev: number;
  push_at: number | null;
  /** Public id of the link; empty where the operator took the slug down and its link is gone. */
  link: string | null;
  destination_url: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  /** 1 where the workspace is suspended, the link or the slug taken down, or the destination's host blocked. */
  taken_down: number;
}

const targetColumns = {
  key: slugs.key,
  rev: slugs.rev,
  push_at: slugs.push_at,
  link: sql<
    string | null
  >`coalesce(${links.public_id}, case when ${slugs.taken_down_at} is not null then '' end)`.as("link"),
  destination_url: links.destination_url,
  utm_source: links.utm_source,
  utm_medium: links.utm_medium,
  utm_campaign: links.utm_campaign,
  taken_down: sql<number>`${workspaces.suspended_at} is not null or ${links.taken_down_at} is not null
    or ${slugs.taken_down_at} is not null or ${isBlocked(sql`${links.destination_host}`)}`,
};

const selectTargets = (orm: Orm) =>
  orm
    .select(targetColumns)
    .from(slugs)
    .innerJoin(workspaces, eq(workspaces.id, slugs.workspace_id))
    .leftJoin(links, and(eq(links.workspace_id, slugs.workspace_id), eq(links.id, slugs.link_id)))
    .$dynamic();

const slugTargets =
  (where: SQL | undefined): Statement<SlugTargetRow[]> =>
  (orm) =>
    selectTargets(orm).where(where);

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

/** What a visitor of this slug sees, in whatever workspace: a visitor names none. */
export const targetOfSlug = prepared(
  (key: string): Statement<SlugTargetRow[]> => slugTargets(eq(slugs.key, key)),
);

export const rowIdOfLink = (workspaceId: number, linkId: string): SQL =>
  sql`(select ${links.id} from ${links} where ${links.workspace_id} = ${workspaceId} and ${links.public_id} = ${linkId})`;

export const slugsOfLink = prepared(
  (workspaceId: number, linkId: string): Statement<{ key: string }[]> =>
    (orm) =>
      orm
        .select({ key: slugs.key })
        .from(slugs)
        .where(and(eq(slugs.workspace_id, workspaceId), eq(slugs.link_id, rowIdOfLink(workspaceId, linkId)))),
);

/** Those of these slugs that open nothing. */
export const tombstonesOfSlugs = (workspaceId: number, keys: readonly string[]): Statement<SlugTargetRow[]> =>
  tombstonesOfSlugsJson(workspaceId, JSON.stringify(keys));

const tombstonesOfSlugsJson = prepared(
  (workspaceId: number, keys: string): Statement<SlugTargetRow[]> =>
    (orm) =>
      orm
        .select({
          key: slugs.key,
          rev: slugs.rev,
          push_at: slugs.push_at,
          link: sql<string | null>`case when ${slugs.taken_down_at} is not null then '' end`.as("link"),
          destination_url: sql<null>`null`.as("destination_url"),
          utm_source: sql<null>`null`.as("utm_source"),
          utm_medium: sql<null>`null`.as("utm_medium"),
          utm_campaign: sql<null>`null`.as("utm_campaign"),
          taken_down: sql<number>`0`.as("taken_down"),
        })
        .from(wantedIn(keys))
        .crossJoin(slugs)
        // The unary plus keeps a column out of the choice of an index: a link's few slugs are found by key.
        .where(
          and(
            sql`+${slugs.workspace_id} = ${workspaceId}`,
            eq(slugs.key, WANTED),
            sql`+${slugs.link_id} is null`,
          ),
        ),
);

/** The slugs of a link whose KV value a batch has just made outdated. */
export const slugsToPush = prepared(
  (workspaceId: number, linkId: string): Statement<SlugTargetRow[]> =>
    (orm) =>
      orm
        .select(targetColumns)
        .from(links)
        .innerJoin(workspaces, eq(workspaces.id, links.workspace_id))
        .innerJoin(slugs, and(eq(slugs.workspace_id, links.workspace_id), eq(slugs.link_id, links.id)))
        .where(
          and(
            eq(links.public_id, linkId),
            sql`+${links.workspace_id} = ${workspaceId} and +${slugs.push_at} is not null and ${slugs.pushed_rev} <> ${slugs.rev}`,
          ),
        ),
);

/** Those of these slugs whose KV value a batch has just made outdated. */
export const slugsToPushAmong = (workspaceId: number, keys: readonly string[]): Statement<SlugTargetRow[]> =>
  slugTargets(
    sql`+${slugs.workspace_id} = ${workspaceId} and ${slugs.key} in (select value from json_each(${JSON.stringify(keys)}))
      and +${slugs.push_at} is not null and ${slugs.pushed_rev} <> ${slugs.rev}`,
  );

export interface SlugClaimRow {
  /** 1 where the slug is this workspace's. */
  own: number;
  /** 1 where the operator took it down. */
  taken_down: number;
  /** Public id of the link that it opens. */
  link: string | null;
}

const claimColumns = (workspaceId: number) => ({
  own: sql<number>`${slugs.workspace_id} = ${workspaceId}`,
  taken_down: sql<number>`${slugs.taken_down_at} is not null`,
  link: links.public_id,
});

/** Who has this slug: no row, this workspace, or another one, of which nothing is told. */
export const claimOnSlug = prepared(
  (workspaceId: number, key: string): Statement<SlugClaimRow[]> =>
    (orm) =>
      orm
        .select(claimColumns(workspaceId))
        .from(slugs)
        .leftJoin(links, and(eq(links.workspace_id, workspaceId), eq(links.id, slugs.link_id)))
        .where(eq(slugs.key, key)),
);

/** The same of many slugs, each with its key. */
export const claimsOnSlugs =
  (workspaceId: number, keys: readonly string[]): Statement<(SlugClaimRow & { key: string })[]> =>
  (orm) =>
    orm
      .select({
        key: slugs.key,
        ...claimColumns(workspaceId),
      })
      .from(wantedIn(JSON.stringify(keys)))
      .crossJoin(slugs)
      .leftJoin(links, and(eq(links.workspace_id, workspaceId), eq(links.id, slugs.link_id)))
      .where(eq(slugs.key, WANTED));

/** Holds while no other workspace has the slug, it is not taken down and it opens no link but, at most, this one. */
export const slugIsFree = (workspaceId: number, key: string, linkId: string): Guard =>
  sql`not exists (select 1 from ${slugs} where ${slugs.key} = ${key} and (${slugs.workspace_id} <> ${workspaceId}
    or ${slugs.taken_down_at} is not null or ${slugs.link_id} <> coalesce(${rowIdOfLink(workspaceId, linkId)}, 0)))`;

/** Makes a slug open a link that has its row id. A slug that KV may know is marked for a push, a fresh one needs none. */
export const openSlugOfRow = prepared(
  (workspaceId: number, key: string, linkRowId: number, at: number): Statement =>
    opening(workspaceId, key, sql`${linkRowId}`, at),
);

/** Makes the slug open the link. */
export const openSlug = prepared(
  (workspaceId: number, key: string, linkId: string, at: number): Statement =>
    opening(workspaceId, key, rowIdOfLink(workspaceId, linkId), at),
);

const opening =
  (workspaceId: number, key: string, linkRowId: SQL, at: number): Statement =>
  (orm) =>
    orm
      .insert(slugs)
      .values({ key, workspace_id: workspaceId, link_id: linkRowId, created_at: at })
      .onConflictDoUpdate({
        target: slugs.key,
        set: { link_id: sql`excluded.link_id`, rev: sql`${slugs.rev} + 1`, push_at: at },
        setWhere: sql`${slugs.link_id} is not excluded.link_id`,
      });

/** For `outdateSlugs`: whatever the link is. */
export const always: SQL = sql`true`;

/** Marks every slug of a link, by its row id, for a push where `when` holds. */
export const outdateSlugs =
  (workspaceId: number, linkRowId: number, when: SQL, at: number): Statement =>
  (orm) =>
    orm
      .update(slugs)
      .set({ rev: sql`${slugs.rev} + 1`, push_at: at })
      .where(and(eq(slugs.workspace_id, workspaceId), eq(slugs.link_id, linkRowId), when));

/** Marks every slug of the links that a query gives for a push. */
export const outdateSlugsOfLinks =
  (workspaceId: number, linkRowIds: SQL, at: number): Statement =>
  (orm) =>
    orm
      .update(slugs)
      .set({ rev: sql`${slugs.rev} + 1`, push_at: at })
      .where(and(eq(slugs.workspace_id, workspaceId), sql`${slugs.link_id} in (${linkRowIds})`));

/** The slugs of links, by their row ids, whose KV value a batch has just made outdated. */
export const slugsToPushOfLinks = (
  workspaceId: number,
  linkRowIds: readonly number[],
): Statement<SlugTargetRow[]> =>
  slugTargets(
    and(
      eq(slugs.workspace_id, workspaceId),
      sql`${slugs.link_id} in (select value from json_each(${JSON.stringify(linkRowIds)}))
        and +${slugs.push_at} is not null and ${slugs.pushed_rev} <> ${slugs.rev}`,
    ),
  );

/** Frees every slug of a link, by its row id, for its own workspace. */
export const releaseSlugs = prepared(
  (workspaceId: number, linkRowId: number, at: number): Statement =>
    (orm) =>
      orm
        .update(slugs)
        .set({ link_id: null, rev: sql`${slugs.rev} + 1`, push_at: at })
        .where(and(eq(slugs.workspace_id, workspaceId), eq(slugs.link_id, linkRowId))),
);

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
