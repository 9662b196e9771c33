import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import type { Guard } from "../../db/client";
import { orm, prepared } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";

const whereGroup = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(activityGroups.workspace_id, workspaceId), eq(activityGroups.public_id, id));

export const selectGroup = prepared((workspaceId: number, id: string) =>
  orm.select().from(activityGroups).where(whereGroup(workspaceId, id)),
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
    .where(whereGroup(workspaceId, id));

export const ensureGroupUnchanged = (workspaceId: number, id: string, version: number): Guard =>
  abortUnless(sql`exists (select 1 from ${activityGroups} where ${whereGroup(workspaceId, id)}
    and ${activityGroups.version} = ${version})`);

export const selectGroupSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${activityGroups.name}, 'slug', ${activityGroups.slug}, 'type', ${activityGroups.type},
    'description', ${activityGroups.description}, 'note', ${activityGroups.note}, 'status', ${activityGroups.status},
    'default_utm_campaign', ${activityGroups.default_utm_campaign}, 'starts_at', ${activityGroups.starts_at},
    'ends_at', ${activityGroups.ends_at}, 'ended_url', ${activityGroups.ended_url},
    'ends_links', json(iif(${activityGroups.ends_links} = 1, 'true', 'false')),
    'follows_dates', json(iif(${activityGroups.follows_dates} = 1, 'true', 'false'))) from ${activityGroups} where ${whereGroup(workspaceId, id)})`;
