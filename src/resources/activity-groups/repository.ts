import { and, eq, getTableColumns, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { abortUnless } from "../../db/audit";
import type { Guard, Statement } from "../../db/client";
import { type BoundList, fromList, listed } from "../../db/list";
import { prepared } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";

export type ActivityGroupRow = typeof activityGroups.$inferSelect;

const whereGroup = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(activityGroups.workspace_id, workspaceId), eq(activityGroups.public_id, id));

/** The group with this public id, or else with this slug. */
export const selectGroupByIdOrSlug = prepared(
  (workspaceId: number, id: string, slug: string): Statement<ActivityGroupRow[]> =>
    (orm) =>
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
export const selectGroupsByIdOrSlug = prepared(
  (workspaceId: number, names: BoundList): Statement<(ActivityGroupRow & { named: string })[]> =>
    (orm) => {
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
    },
);

/** A group that a text names: the index of the text, and `by` as 0 for id, 1 for slug, 2 for name. */
interface NamedGroup {
  text: number;
  by: number;
  id: string;
}

/** The groups with these ids, slugs or names. `texts` is a JSON list of [id, slug, folded name]. */
export const selectGroupsByText =
  (workspaceId: number, texts: string): Statement<NamedGroup[]> =>
  (orm) => {
    const named = (
      by: number,
      column: SQLiteColumn,
    ) => sql`select wanted.key as text, ${sql.raw(String(by))} as by,
      ${activityGroups.public_id} as id from json_each(${texts}) as wanted cross join ${activityGroups}
      where ${activityGroups.workspace_id} = ${workspaceId} and ${column} = wanted.value ->> ${sql.raw(String(by))}`;
    return orm.all<NamedGroup>(sql`${named(0, activityGroups.public_id)} union all ${named(1, activityGroups.slug)}
      union all ${named(2, activityGroups.name_key)}`);
  };

export const selectGroup = prepared(
  (workspaceId: number, id: string): Statement<ActivityGroupRow[]> =>
    (orm) =>
      orm.select().from(activityGroups).where(whereGroup(workspaceId, id)),
);

export const selectOtherGroupWithSlug = prepared(
  (workspaceId: number, id: string, slug: string): Statement<{ id: string }[]> =>
    (orm) =>
      orm
        .select({ id: activityGroups.public_id })
        .from(activityGroups)
        .where(
          and(
            eq(activityGroups.workspace_id, workspaceId),
            eq(activityGroups.slug, slug),
            ne(activityGroups.public_id, id),
          ),
        ),
);

/** The slugs that start with this one, which a new or numbered slug may collide with. */
export const selectSimilarSlugs = prepared(
  (workspaceId: number, slug: string): Statement<{ slug: string }[]> =>
    (orm) =>
      orm
        .select({ slug: activityGroups.slug })
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

export const insertGroup = prepared(
  (row: typeof activityGroups.$inferInsert): Statement =>
    (orm) =>
      orm.insert(activityGroups).values(row),
);

export const updateGroupRow =
  (workspaceId: number, id: string, fields: Partial<typeof activityGroups.$inferInsert>): Statement =>
  (orm) =>
    orm
      .update(activityGroups)
      .set({ ...fields, version: sql`${activityGroups.version} + 1` })
      .where(whereGroup(workspaceId, id));

export const ensureGroupUnchanged = (workspaceId: number, id: string, version: number): Guard =>
  abortUnless(sql`exists (select 1 from ${activityGroups} where ${whereGroup(workspaceId, id)}
    and ${activityGroups.version} = ${version})`);

export const selectGroupSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${activityGroups.name}, 'slug', ${activityGroups.slug}, 'type', ${activityGroups.type},
    'description', ${activityGroups.description}, 'status', ${activityGroups.status},
    'default_utm_campaign', ${activityGroups.default_utm_campaign}, 'starts_at', ${activityGroups.starts_at},
    'ends_at', ${activityGroups.ends_at}, 'ended_url', ${activityGroups.ended_url},
    'ends_links', json(iif(${activityGroups.ends_links} = 1, 'true', 'false')),
    'follows_dates', json(iif(${activityGroups.follows_dates} = 1, 'true', 'false'))) from ${activityGroups} where ${whereGroup(workspaceId, id)})`;
