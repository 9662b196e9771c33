import { eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { links, linkTags, linkTotals, offlineAssets, slugs, tags, workspaces } from "../db/schema";

// Stored totals and copies, compared with what they are computed from. Each statement reads one workspace.

/** A stored value that is wrong; null if one side has no row. */
export interface Difference {
  kept: string;
  of: string;
  is: number | null;
  should_be: number | null;
}

const linksCounted = (workspaceId: number, archived: 0 | 1): SQL =>
  sql`(select count(*) from ${links} where ${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
    and ${links.archived} = ${archived})`;

const tagsCounted = (workspaceId: number): SQL =>
  sql`(select count(*) from ${tags} where ${tags.workspace_id} = ${workspaceId})`;

const slugsCounted = (workspaceId: number): SQL =>
  sql`(select count(*) from ${slugs} where ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.asset} is null)`;

/** The wrong totals in the workspace's own row. */
export const selectWrongWorkspaceTotals =
  (workspaceId: number): Statement<Difference[]> =>
  (orm) =>
    orm.all<Difference>(sql`select * from (
      select 'active links' as kept, slug as "of", active_links as "is", ${linksCounted(workspaceId, 0)} as should_be
        from ${workspaces} where id = ${workspaceId}
      union all select 'archived links', slug, archived_links, ${linksCounted(workspaceId, 1)}
        from ${workspaces} where id = ${workspaceId}
      union all select 'tags', slug, tag_count, ${tagsCounted(workspaceId)}
        from ${workspaces} where id = ${workspaceId}) where "is" <> should_be`);

export const updateWorkspaceTotals =
  (workspaceId: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({
        active_links: linksCounted(workspaceId, 0),
        archived_links: linksCounted(workspaceId, 1),
        tag_count: tagsCounted(workspaceId),
        slug_claims: slugsCounted(workspaceId),
      })
      .where(eq(workspaces.id, workspaceId));

const recounted = (workspaceId: number): SQL => sql`
  select 'tag' as kind, cast(${linkTags.tag_id} as text) as key, sum(1 - ${links.archived}) as active,
      sum(${links.archived}) as archived
    from ${linkTags} join ${links} on ${links.id} = ${linkTags.link_id}
    where ${linkTags.workspace_id} = ${workspaceId} group by ${linkTags.tag_id}
  union all select 'group', cast(activity_group_id as text), sum(1 - archived), sum(archived) from ${links}
    where workspace_id = ${workspaceId} and deleted_at is null and activity_group_id is not null
    group by activity_group_id
  union all select 'channel', channel, sum(1 - archived), sum(archived) from ${links}
    where workspace_id = ${workspaceId} and deleted_at is null and channel is not null group by channel`;

const kept = (workspaceId: number): SQL =>
  sql`select kind, key, active, archived from ${linkTotals} where workspace_id = ${workspaceId} and active + archived > 0`;

/** The wrong totals of tags, groups and channels, active and archived links together. */
export const selectWrongTotals =
  (workspaceId: number): Statement<Difference[]> =>
  (orm) =>
    orm.all<Difference>(sql`select 'links of a ' || kind as kept, key as "of",
        sum("is") as "is", sum(should_be) as should_be from (
      select kind, key, active + archived as "is", null as should_be
        from (${kept(workspaceId)} except select * from (${recounted(workspaceId)}))
      union all select kind, key, null, active + archived
        from (select * from (${recounted(workspaceId)}) except ${kept(workspaceId)}))
      group by kind, key order by kind, key`);

export const deleteTotals =
  (workspaceId: number): Statement =>
  (orm) =>
    orm.delete(linkTotals).where(eq(linkTotals.workspace_id, workspaceId));

export const insertTotals =
  (workspaceId: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
      select ${workspaceId}, kind, key, active, archived from (${recounted(workspaceId)})`);

/** The rows of tags whose copy of a link's status or id is wrong, counted by tag. */
export const selectWrongCopies =
  (workspaceId: number): Statement<Difference[]> =>
  (orm) =>
    orm.all<Difference>(sql`select 'links listed wrongly' as kept, ${tags.slug} as "of", count(*) as "is", 0 as should_be
      from ${linkTags} join ${links} on ${links.id} = ${linkTags.link_id} join ${tags} on ${tags.id} = ${linkTags.tag_id}
      where ${linkTags.workspace_id} = ${workspaceId}
        and (${linkTags.link_archived} <> ${links.archived} or ${linkTags.link_public_id} <> ${links.public_id})
      group by ${tags.id}`);

export const updateCopies =
  (workspaceId: number): Statement =>
  (orm) =>
    orm.run(sql`update ${linkTags} set link_archived = own.archived, link_public_id = own.public_id
      from (select id as own_id, archived, public_id from ${links} where workspace_id = ${workspaceId}) as own
      where workspace_id = ${workspaceId} and link_id = own_id
        and (link_archived <> own.archived or link_public_id <> own.public_id)`);

/**
 * The workspace's number of slug claims if it is wrong. Older releases may not have counted them.
 */
export const selectWrongClaims =
  (workspaceId: number): Statement<Difference[]> =>
  (orm) =>
    orm.all<Difference>(sql`select * from (
      select 'slugs' as kept, slug as "of", slug_claims as "is", ${slugsCounted(workspaceId)} as should_be
        from ${workspaces} where id = ${workspaceId}) where "is" <> should_be`);

/** Slugs that lack the takedown mark of their link, counted by link. Older releases did not set it. */
export const selectWrongTakedowns =
  (workspaceId: number): Statement<Difference[]> =>
  (orm) =>
    orm.all<Difference>(sql`select 'slugs not taken down with their link' as kept, ${links.slug} as "of", count(*) as "is",
        0 as should_be
      from ${links} join ${slugs} on ${slugs.workspace_id} = ${links.workspace_id} and ${slugs.link_id} = ${links.id}
      where ${links.workspace_id} = ${workspaceId} and ${links.taken_down_by} = 'operator' and ${slugs.taken_down_at} is null
      group by ${links.id}`);

export const updateTakedowns =
  (workspaceId: number): Statement =>
  (orm) =>
    orm.run(sql`update ${slugs} set taken_down_at = own.taken_down_at
      from (select id as own_id, taken_down_at from ${links}
        where workspace_id = ${workspaceId} and taken_down_by = 'operator') as own
      where workspace_id = ${workspaceId} and link_id = own_id and ${slugs.taken_down_at} is null`);

/** Codes that are the slug of a link. A release without codes could make one while the next one rolled out. */
const whereCodeIsSlug = (workspaceId: number): SQL =>
  sql`${slugs.asset} is not null and ${slugs.workspace_id} = ${links.workspace_id} and ${slugs.key} = ${links.slug_key}
    and ${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`;

export const selectCodesOfLinks =
  (workspaceId: number): Statement<Difference[]> =>
  (orm) =>
    orm.all<Difference>(sql`select 'codes that are the slug of a link' as kept, ${links.slug} as "of", 1 as "is", 0 as should_be
      from ${links} cross join ${slugs} where ${whereCodeIsSlug(workspaceId)}`);

/** Makes them slugs that open their links. Their assets get other codes by the daily job. */
export const updateCodesOfLinks =
  (workspaceId: number, at: number): Statement =>
  (orm) =>
    orm.run(sql`update ${slugs} set asset = null, link_id = ${links.id}, rev = rev + 1, push_at = ${at}
      from ${links} where ${whereCodeIsSlug(workspaceId)}`);

/** The link that an asset's code must open: that of the asset, unless it is deleted. */
const assetLinks = (workspaceId: number): SQL =>
  sql`select ${offlineAssets.public_id} as asset, ${offlineAssets.name} as name,
      case when ${links.deleted_at} is null then ${links.id} end as link
    from ${offlineAssets} join ${links} on ${links.id} = ${offlineAssets.link_id}
    where ${offlineAssets.workspace_id} = ${workspaceId}`;

/** Codes that open another link than that of their asset. An asset without a code is no fault: the daily job gives it one. */
export const selectWrongCodes =
  (workspaceId: number): Statement<Difference[]> =>
  (orm) =>
    orm.all<Difference>(sql`select 'codes that open another link' as kept, own.name as "of", count(*) as "is", 0 as should_be
      from (${assetLinks(workspaceId)}) as own join ${slugs} on ${slugs.asset} = own.asset
      where ${slugs.link_id} is not own.link group by own.asset`);

export const updateCodes =
  (workspaceId: number, at: number): Statement =>
  (orm) =>
    orm.run(sql`update ${slugs} set link_id = own.link, rev = rev + 1, push_at = ${at}
      from (${assetLinks(workspaceId)}) as own
      where +workspace_id = ${workspaceId} and ${slugs.asset} = own.asset and link_id is not own.link`);
