import { and, asc, count, eq, getTableColumns, gt, gte, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Guard, Orm, Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { activityGroups, linkTotals } from "../db/schema";
import type { GroupStatus } from "../lib/group-status";

export type ActivityGroupRow = typeof activityGroups.$inferSelect;

export interface GroupFilter {
  id: string | undefined;
  slug: string | undefined;
  /** Folded text that the name, slug or description contains. */
  search: string | undefined;
  type: ActivityGroupRow["type"] | undefined;
  status: GroupStatus | undefined;
}

export interface GroupPosition {
  nameKey: string;
  id: string;
}

const whereMatching = (workspaceId: number, filter: GroupFilter): SQL | undefined =>
  and(
    eq(activityGroups.workspace_id, workspaceId),
    filter.id === undefined ? undefined : eq(activityGroups.public_id, filter.id),
    filter.slug === undefined ? undefined : eq(activityGroups.slug, filter.slug),
    filter.type === undefined ? undefined : eq(activityGroups.type, filter.type),
    filter.status === undefined ? undefined : eq(activityGroups.status, filter.status),
    filter.search === undefined ? undefined : sql`instr(${activityGroups.search_text}, ${filter.search}) > 0`,
  );

export const countGroups =
  (workspaceId: number, filter: GroupFilter): Statement<{ total: number }[]> =>
  (orm) =>
    orm.select({ total: count() }).from(activityGroups).where(whereMatching(workspaceId, filter));

export interface GroupPage {
  after: GroupPosition | undefined;
  offset: number;
  limit: number;
}

const ORDER = [asc(activityGroups.name_key), asc(activityGroups.public_id)];

const whereAfter = ({ after }: GroupPage): SQL | undefined =>
  after === undefined
    ? undefined
    : or(
        gt(activityGroups.name_key, after.nameKey),
        and(eq(activityGroups.name_key, after.nameKey), gt(activityGroups.public_id, after.id)),
      );

const skipped = ({ after, offset }: GroupPage): number => (after === undefined ? offset : 0);

/** A page by name, then id: the rows after `after`, or those after the first `offset`. */
export const selectGroupPage =
  (workspaceId: number, filter: GroupFilter, page: GroupPage): Statement<ActivityGroupRow[]> =>
  (orm) =>
    orm
      .select()
      .from(activityGroups)
      .where(and(whereMatching(workspaceId, filter), whereAfter(page)))
      .orderBy(...ORDER)
      .limit(page.limit)
      .offset(skipped(page));

export type CountedGroupRow = ActivityGroupRow & { active_links: number; archived_links: number };

const selectCounted = (orm: Orm) =>
  orm
    .select({
      ...getTableColumns(activityGroups),
      active_links: sql<number>`coalesce(${linkTotals.active}, 0)`.as("active_links"),
      archived_links: sql<number>`coalesce(${linkTotals.archived}, 0)`.as("archived_links"),
    })
    .from(activityGroups)
    .leftJoin(
      linkTotals,
      and(
        eq(linkTotals.workspace_id, activityGroups.workspace_id),
        eq(linkTotals.kind, "group"),
        sql`${linkTotals.key} = cast(${activityGroups.id} as text)`,
      ),
    )
    .$dynamic();

export const selectCountedGroupPage =
  (workspaceId: number, filter: GroupFilter, page: GroupPage): Statement<CountedGroupRow[]> =>
  (orm) =>
    selectCounted(orm)
      .where(and(whereMatching(workspaceId, filter), whereAfter(page)))
      .orderBy(...ORDER)
      .limit(page.limit)
      .offset(skipped(page));

const whereGroup = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(activityGroups.workspace_id, workspaceId), eq(activityGroups.public_id, id));

export const selectCountedGroup = prepared(
  (workspaceId: number, id: string): Statement<CountedGroupRow[]> =>
    (orm) =>
      selectCounted(orm).where(whereGroup(workspaceId, id)),
);

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

export const whereGroupUnchanged = (workspaceId: number, id: string, version: number): Guard =>
  sql`exists (select 1 from ${activityGroups} where ${whereGroup(workspaceId, id)}
    and ${activityGroups.version} = ${version})`;

export const selectGroupSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${activityGroups.name}, 'slug', ${activityGroups.slug}, 'type', ${activityGroups.type},
    'description', ${activityGroups.description}, 'status', ${activityGroups.status},
    'default_utm_campaign', ${activityGroups.default_utm_campaign}, 'starts_at', ${activityGroups.starts_at},
    'ends_at', ${activityGroups.ends_at}, 'ended_url', ${activityGroups.ended_url},
    'ends_links', json(iif(${activityGroups.ends_links} = 1, 'true', 'false'))) from ${activityGroups} where ${whereGroup(workspaceId, id)})`;
