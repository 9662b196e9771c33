import { and, asc, getTableColumns, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { abortUnless } from "../../db/audit";
import type { Guard } from "../../db/client";
import { boundList, fromList, listed } from "../../db/list";
import { orm } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import type { GroupStatus } from "../../lib/group-status";

const { id, public_id, workspace_id, version, status, starts_at, ends_at } = getTableColumns(activityGroups);

/** The groups in the partial index of `where` whose time has come, the earliest first. */
const selectDue = (time: SQLiteColumn, where: SQL, now: number, limit: number) =>
  orm
    .select({ id, public_id, workspace_id, version, status, starts_at, ends_at })
    .from(activityGroups)
    .where(and(sql`follows_dates = 1`, where, isNotNull(time), lte(time, now)))
    .orderBy(asc(time))
    .limit(limit);

/** The groups that follow their dates and have begun. */
export const selectStartedGroups = (now: number, limit: number) =>
  selectDue(starts_at, sql`status in ('draft', 'scheduled')`, now, limit);

/** The groups that follow their dates and have ended. */
export const selectEndedGroups = (now: number, limit: number) =>
  selectDue(ends_at, sql`status in ('draft', 'scheduled', 'active')`, now, limit);

/** True while all groups have their versions. */
export const ensureGroupsUnchanged = (groups: readonly (readonly [id: string, version: number])[]): Guard =>
  abortUnless(sql`(select count(*) from ${fromList(boundList(groups))} cross join ${activityGroups}
    on ${activityGroups.public_id} = ${listed(0)} and ${version} = ${listed(1)}) = ${groups.length}`);

export const updateStatuses = (groups: readonly (readonly [id: string, status: GroupStatus])[], at: number) =>
  orm.run(sql`update ${activityGroups} set status = ${listed(1)}, version = version + 1, updated_at = ${at}
      from ${fromList(boundList(groups))} where ${public_id} = ${listed(0)}`);
