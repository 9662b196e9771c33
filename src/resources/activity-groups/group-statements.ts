import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type BoundList, fromList, listed } from "../../db/bound-list";
import { whereOwn } from "../../db/columns";
import { orm, prepared } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
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
  name == null ? undefined : selectByIdOrSlug(workspaceId, storedId(name), name);

const selectByIdsOrSlugs = prepared((workspaceId: number, names: BoundList) => {
  const columns = { ...getTableColumns(activityGroups), named: sql<string>`${listed(1)}`.as("named") };
  const groups = (where: SQL | undefined) =>
    orm.select(columns).from(fromList(names)).crossJoin(activityGroups).where(where);
  return groups(whereOwn(activityGroups, workspaceId, listed(0))).unionAll(
    groups(whereSlug(workspaceId, listed(1))),
  );
});

/** The groups that ids or slugs name, each with its name as `named`. Those found by id come first. */
export const selectGroupsNamed = (workspaceId: number, names: Iterable<string | null | undefined>) => {
  const distinct = [...new Set(names)].filter((name) => name != null);
  if (distinct.length === 0) return undefined;
  return selectByIdsOrSlugs(
    workspaceId,
    distinct.map((name) => [storedId(name), name]),
  );
};

/** A group that a text names, and `by` as 0 for id, 1 for slug, 2 for name. */
interface NamedGroup {
  text: string;
  by: number;
  id: string;
}

/** The groups with these ids, slugs or names. `texts` is a JSON list of [id, slug, folded name]. */
export const selectGroupsByText = (workspaceId: number, texts: string) => {
  const named = (
    by: number,
    column: SQLiteColumn,
  ) => sql`select wanted.value ->> 1 as text, ${sql.raw(String(by))} as by,
      ${activityGroups.public_id} as id from json_each(${texts}) as wanted cross join ${activityGroups}
      where ${activityGroups.workspace_id} = ${workspaceId} and ${column} = wanted.value ->> ${sql.raw(String(by))}`;
  return orm.all<NamedGroup>(sql`${named(0, activityGroups.public_id)} union all ${named(1, activityGroups.slug)}
      union all ${named(2, activityGroups.name_key)}`);
};

/** Activity Groups that are neither completed nor archived, although they ended before a time. */
export const wherePastEnd = (at: number): SQL =>
  sql`${activityGroups.status} in ('draft', 'scheduled', 'active')
    and ${activityGroups.ends_at} is not null and ${activityGroups.ends_at} < ${at}`;
