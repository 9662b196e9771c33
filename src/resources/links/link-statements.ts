import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { ensureRow } from "../../db/audit";
import { boundList, fromList, inList, listed } from "../../db/bound-list";
import { orm, prepared } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { links, linkTotals } from "../../db/schema/links";
import type { tags } from "../../db/schema/tags";

export const joinGroup = and(
  eq(activityGroups.workspace_id, links.workspace_id),
  eq(activityGroups.id, links.activity_group_id),
);

export const whereIds = (workspaceId: number, ids: readonly string[]): SQL =>
  sql`where ${links.public_id} in ${inList(boundList(ids))} and +${links.workspace_id} = ${workspaceId}
    and ${links.deleted_at} is null`;

export const selectLastLinkId = () =>
  orm.all<{ last: number }>(sql`select coalesce(max(id), 0) as last from ${links}`);

export const LINK_COUNTS = {
  active_links: sql<number>`coalesce(${linkTotals.active}, 0)`.as("active_links"),
  archived_links: sql<number>`coalesce(${linkTotals.archived}, 0)`.as("archived_links"),
};

export const joinLinkTotals = (kind: "tag" | "group", owner: typeof tags | typeof activityGroups) =>
  and(
    eq(linkTotals.workspace_id, owner.workspace_id),
    eq(linkTotals.kind, kind),
    sql`${linkTotals.key} = cast(${owner.id} as text)`,
  );

const whereExternalId = (workspaceId: number, externalId: string | SQL): SQL | undefined =>
  and(
    eq(links.workspace_id, workspaceId),
    sql`${links.external_id} = ${externalId}`,
    isNull(links.deleted_at),
  );

export const selectExternalIdOwner = prepared((workspaceId: number, externalId: string) =>
  orm.select({ id: links.public_id }).from(links).where(whereExternalId(workspaceId, externalId)),
);

export const selectExternalIdOwners = (workspaceId: number, externalIds: readonly string[]) =>
  orm.all<{
    id: string;
    external_id: string;
  }>(sql`select ${links.public_id} as id, ${links.external_id} as external_id
      from ${fromList(boundList(externalIds))} cross join ${links} where ${whereExternalId(workspaceId, listed())}`);

export interface LinkThere {
  url: string;
  id: string;
  slug: string;
  created_at: number;
}

/** The oldest link that leads exactly to each of these destinations, an active one where there is one. */
export const selectLinksTo = (workspaceId: number, urls: readonly string[]) =>
  orm.all<LinkThere>(sql`select ${links.destination_url} as url, ${links.public_id} as id, ${links.slug} as slug,
        ${links.created_at} as created_at
      from ${fromList(boundList(urls))} cross join ${links} where ${links.id} = (select one.id from ${links} as one
        where one.destination_url = ${listed()} and one.workspace_id = ${workspaceId} and one.deleted_at is null
        order by one.archived, one.public_id limit 1)`);

export const selectLinkStates = (workspaceId: number, ids: readonly string[]) =>
  orm
    .select({ id: links.public_id, slug: links.slug, domain: links.domain, archived_at: links.archived_at })
    .from(links)
    .where(
      and(
        sql`${links.public_id} in ${inList(boundList(ids))} and +${links.workspace_id} = ${workspaceId}`,
        isNull(links.deleted_at),
      ),
    );

export const selectConventions = (workspaceId: number) =>
  orm.select({ conventions: workspaces.conventions }).from(workspaces).where(eq(workspaces.id, workspaceId));

export const ensureConventionsUnchanged = (workspaceId: number, stored: string | null) =>
  ensureRow(workspaces, { id: workspaceId, conventions: stored });

/** Stores the convention of one field, so that people who change others do not lose theirs. */
export const updateConvention = (workspaceId: number, field: string, convention: string, at: number) =>
  orm
    .update(workspaces)
    .set({
      conventions: sql`json_set(coalesce(${workspaces.conventions}, '{}'), ${`$.${field}`}, json(${convention}))`,
      updated_at: at,
    })
    .where(eq(workspaces.id, workspaceId));

export const selectConventionBefore = (workspaceId: number, field: string): SQL =>
  sql`(select json_object('conventions', json_object(${field}, ${workspaces.conventions} -> ${`$.${field}`}))
    from ${workspaces} where ${workspaces.id} = ${workspaceId})`;
