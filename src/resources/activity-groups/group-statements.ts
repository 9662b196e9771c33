import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { ensureZone } from "../../access/workspace-statements";
import { abortUnless } from "../../db/audit";
import { type BoundList, boundList, fromList, listedAs } from "../../db/bound-list";
import type { Guard, Statement } from "../../db/client";
import { whereOwn } from "../../db/columns";
import { orm, prepared } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { chunksBySize } from "../../lib/chunks";
import type { StoredDates } from "../../lib/days";
import { foldSlug } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";

/** Lists leave out the note. */
export type ActivityGroupRow = Omit<typeof activityGroups.$inferSelect, "note"> & { note?: string | null };

const whereSlug = (workspaceId: number, slug: string | SQL) =>
  and(eq(activityGroups.workspace_id, workspaceId), eq(activityGroups.slug, slug));

const selectByIdOrSlug = prepared((workspaceId: number, id: string, slug: string) => {
  const groups = (where: SQL | undefined) => orm.select().from(activityGroups).where(where);
  return groups(whereOwn(activityGroups, workspaceId, id))
    .unionAll(groups(whereSlug(workspaceId, slug)))
    .limit(1);
});

/** The group with this public id, or else with this slug, if one is named. */
export const selectGroupNamed = (workspaceId: number, name: string | null | undefined) =>
  name == null ? undefined : selectByIdOrSlug(workspaceId, storedId(name), foldSlug(name));

const selectByIdsOrSlugs = prepared((workspaceId: number, names: BoundList) => {
  const name = listedAs("id", "named", "slug");
  const columns = { ...getTableColumns(activityGroups), named: sql<string>`${name.named}`.as("named") };
  const groups = (where: SQL | undefined) =>
    orm.select(columns).from(fromList(names)).crossJoin(activityGroups).where(where);
  return groups(whereOwn(activityGroups, workspaceId, name.id)).unionAll(
    groups(whereSlug(workspaceId, name.slug)),
  );
});

/** The groups that ids or slugs name, each with its name as `named`. Those found by id come first. */
export const selectGroupsNamed = (workspaceId: number, names: Iterable<string | null | undefined>) => {
  const distinct = [...new Set(names)].filter((name) => name != null);
  if (distinct.length === 0) return undefined;
  return selectByIdsOrSlugs(
    workspaceId,
    distinct.map((name) => [storedId(name), name, foldSlug(name)]),
  );
};

/** The groups with these ids, slugs or names, and `by` which: 0, 1 or 2. `texts` is a JSON list of [id, slug, folded name, text]. */
export const selectGroupsByText = (workspaceId: number, texts: string) => {
  const named = (
    by: number,
    column: SQLiteColumn,
  ) => sql`select wanted.value ->> 3 as text, ${sql.raw(String(by))} as by,
      ${activityGroups.public_id} as id from json_each(${texts}) as wanted cross join ${activityGroups}
      where ${activityGroups.workspace_id} = ${workspaceId} and ${column} = wanted.value ->> ${sql.raw(String(by))}`;
  return orm.all<{
    text: string;
    by: number;
    id: string;
  }>(sql`${named(0, activityGroups.public_id)} union all ${named(1, activityGroups.slug)}
      union all ${named(2, activityGroups.name_key)}`);
};

/** Activity Groups that are neither completed nor archived, although they ended before a time. */
export const wherePastEnd = (at: number): SQL =>
  sql`${activityGroups.status} in ('draft', 'scheduled', 'active')
    and ${activityGroups.ends_at} is not null and ${activityGroups.ends_at} < ${at}`;

export const selectZone = prepared((workspaceId: number) =>
  orm.select({ time_zone: workspaces.time_zone }).from(workspaces).where(eq(workspaces.id, workspaceId)),
);

/** A group with days is written only while the workspace has the zone that they were read in. */
export const ensureZoneOf = (
  workspaceId: number,
  { starts_on, ends_on }: Pick<StoredDates, "starts_on" | "ends_on">,
  zone: string,
): Guard[] => (starts_on === null && ends_on === null ? [] : [ensureZone(workspaceId, zone)]);

export type DatedGroup = StoredDates &
  Pick<ActivityGroupRow, "id" | "public_id" | "version" | "name" | "ends_links">;

const whereDated = (workspaceId: number): SQL =>
  sql`${activityGroups.workspace_id} = ${workspaceId} and (starts_on is not null or ends_on is not null)`;

export const selectDatedGroups = (workspaceId: number) =>
  orm.all<DatedGroup>(sql`select id, public_id, version, name, ends_links, starts_at, ends_at, starts_on, ends_on
      from ${activityGroups} where ${whereDated(workspaceId)} order by name_key`);

/** True while the same groups have days, and none of them has changed. */
export const ensureDatedGroups = (workspaceId: number, groups: readonly DatedGroup[]): Guard => {
  const group = listedAs("id", "version");
  return abortUnless(sql`(select count(*) from ${activityGroups} where ${whereDated(workspaceId)}) = ${groups.length}
    and (select count(*) from ${fromList(boundList(groups.map(({ id, version }) => [id, version])))}
      cross join ${activityGroups} on ${activityGroups.id} = ${group.id} and version = ${group.version}
        and +${activityGroups.workspace_id} = ${workspaceId}) = ${groups.length}`);
};

export const updateGroupDates = (
  workspaceId: number,
  groups: readonly DatedGroup[],
  at: number,
): Statement[] => {
  const group = listedAs("id", "startsAt", "endsAt", "startsOn", "endsOn");
  return chunksBySize(
    groups.map((one) => [one.id, one.starts_at, one.ends_at, one.starts_on, one.ends_on] as const),
  ).map((chunk) =>
    orm.run(sql`update ${activityGroups} set starts_at = ${group.startsAt}, ends_at = ${group.endsAt}, starts_on = ${group.startsOn},
        ends_on = ${group.endsOn}, version = version + 1, updated_at = ${at}
      from ${fromList(boundList(chunk))} where ${activityGroups.id} = ${group.id}
        and +${activityGroups.workspace_id} = ${workspaceId}`),
  );
};
