import { and, asc, eq, getTableColumns, gte, isNotNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { abortUnless } from "../../db/audit";
import { boundList, fromList, listed } from "../../db/bound-list";
import type { Guard } from "../../db/client";
import { whereOwn } from "../../db/columns";
import { orm, prepared } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import type { GroupStatus } from "../../lib/group-status";

export const selectGroup = prepared((workspaceId: number, id: string) =>
  orm
    .select()
    .from(activityGroups)
    .where(whereOwn(activityGroups, workspaceId, id)),
);

/** The groups whose slugs start with this one, which a new or numbered slug may collide with. */
export const selectSimilarSlugs = prepared((workspaceId: number, slug: string) =>
  orm
    .select({ id: activityGroups.public_id, slug: activityGroups.slug })
    .from(activityGroups)
    .where(
      and(
        eq(activityGroups.workspace_id, workspaceId),
        gte(activityGroups.slug, slug),
        // "." is the character after "-", the first that can follow the slug.
        lt(activityGroups.slug, sql`${slug} || '.'`),
      ),
    ),
);

export const insertGroup = prepared((row: typeof activityGroups.$inferInsert) =>
  orm.insert(activityGroups).values(row),
);

export const updateGroupRow = (
  workspaceId: number,
  id: string,
  fields: Partial<typeof activityGroups.$inferInsert>,
) =>
  orm
    .update(activityGroups)
    .set({ ...fields, version: sql`${activityGroups.version} + 1` })
    .where(whereOwn(activityGroups, workspaceId, id));

const { id, public_id, workspace_id, version, status, starts_at, ends_at } = getTableColumns(activityGroups);

/** The groups in the partial index of `where` whose time has come, in turns of workspaces, the earliest first. */
const selectDue = (time: SQLiteColumn, where: SQL, now: number, limit: number) =>
  orm
    .select({ id, public_id, workspace_id, version, status, starts_at, ends_at })
    .from(activityGroups)
    .where(and(sql`follows_dates = 1`, where, isNotNull(time), lte(time, now)))
    .orderBy(sql`row_number() over (partition by ${workspace_id} order by ${time})`, asc(time))
    .limit(limit);

export const selectStartedGroups = (now: number, limit: number) =>
  selectDue(starts_at, sql`status in ('draft', 'scheduled')`, now, limit);

export const selectEndedGroups = (now: number, limit: number) =>
  selectDue(ends_at, sql`status in ('draft', 'scheduled', 'active')`, now, limit);

export const ensureGroupsUnchanged = (groups: readonly (readonly [id: string, version: number])[]): Guard =>
  abortUnless(sql`(select count(*) from ${fromList(boundList(groups))} cross join ${activityGroups}
    on ${activityGroups.public_id} = ${listed(0)} and ${version} = ${listed(1)}) = ${groups.length}`);

export const updateStatuses = (groups: readonly (readonly [id: string, status: GroupStatus])[], at: number) =>
  orm.run(sql`update ${activityGroups} set status = ${listed(1)}, version = version + 1, updated_at = ${at}
      from ${fromList(boundList(groups))} where ${public_id} = ${listed(0)}`);

export const selectGroupSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${activityGroups.name}, 'slug', ${activityGroups.slug}, 'type', ${activityGroups.type},
    'description', ${activityGroups.description}, 'note', ${activityGroups.note}, 'status', ${activityGroups.status},
    'default_utm_campaign', ${activityGroups.default_utm_campaign}, 'starts_at', ${activityGroups.starts_at},
    'ends_at', ${activityGroups.ends_at}, 'ended_url', ${activityGroups.ended_url},
    'ends_links', json(iif(${activityGroups.ends_links} = 1, 'true', 'false')),
    'follows_dates', json(iif(${activityGroups.follows_dates} = 1, 'true', 'false')))
    from ${activityGroups} where ${whereOwn(activityGroups, workspaceId, id)})`;
