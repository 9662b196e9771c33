import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type BoundList, fromList, listed } from "../../db/list";
import { orm, prepared } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";

/** Lists leave out the note. */
export type ActivityGroupRow = Omit<typeof activityGroups.$inferSelect, "note"> & { note?: string | null };

/** The group with this public id, or else with this slug. */
export const selectGroupByIdOrSlug = prepared((workspaceId: number, id: string, slug: string) =>
  orm
    .select()
    .from(activityGroups)
    .where(and(eq(activityGroups.public_id, id), sql`+${activityGroups.workspace_id} = ${workspaceId}`))
    .unionAll(
      orm
        .select()
        .from(activityGroups)
        .where(and(eq(activityGroups.workspace_id, workspaceId), eq(activityGroups.slug, slug))),
    )
    .limit(1),
);

/** The groups that [id, slug] pairs name, each with the slug of its pair as `named`. Those found by id come first. */
export const selectGroupsByIdOrSlug = prepared((workspaceId: number, names: BoundList) => {
  const columns = { ...getTableColumns(activityGroups), named: sql<string>`${listed(1)}`.as("named") };
  return orm
    .select(columns)
    .from(fromList(names))
    .crossJoin(activityGroups)
    .where(
      and(sql`+${activityGroups.workspace_id} = ${workspaceId}`, eq(activityGroups.public_id, listed(0))),
    )
    .unionAll(
      orm
        .select(columns)
        .from(fromList(names))
        .crossJoin(activityGroups)
        .where(and(eq(activityGroups.workspace_id, workspaceId), eq(activityGroups.slug, listed(1)))),
    );
});

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
