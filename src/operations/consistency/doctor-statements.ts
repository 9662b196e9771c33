// Stored totals and copies, compared with what they are computed from. Each statement reads one workspace.

import { eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { domains } from "../../db/schema/domains";
import { links, linkTotals, slugs, TOTAL_KINDS } from "../../db/schema/links";
import { linkTags, tags } from "../../db/schema/tags";
import { VALUE_FIELD_NAMES } from "../../lib/link-fields";

export const updateWorkspaceTotals = (workspaceId: number) =>
  orm
    .update(workspaces)
    .set({
      active_links: linksCounted(workspaceId, 0),
      archived_links: linksCounted(workspaceId, 1),
      tag_count: tagsCounted(workspaceId),
      // A claim is for ever. If rows are missing, the number says so.
      slug_claims: sql`max(slug_claims, ${slugsCounted(workspaceId)})`,
    })
    .where(eq(workspaces.id, workspaceId));

/** Those of a later release are left alone. */
const KNOWN_KINDS = sql.raw(`kind in (${TOTAL_KINDS.map((kind) => `'${kind}'`).join(", ")})`);

const deleteTotals = (workspaceId: number) =>
  orm.run(sql`delete from ${linkTotals} where workspace_id = ${workspaceId} and ${KNOWN_KINDS}`);

const insertTotals = (workspaceId: number) =>
  orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
    select ${workspaceId}, kind, key, active, archived from (${recounted(workspaceId)})`);

const updateCopies = (workspaceId: number) =>
  orm.run(sql`update ${linkTags} set link_archived = own.archived, link_public_id = own.public_id
    from (select id as own_id, archived, public_id from ${links} where workspace_id = ${workspaceId}) as own
    where workspace_id = ${workspaceId} and link_id = own_id
      and (link_archived <> own.archived or link_public_id <> own.public_id)`);

export const recountStatements = (workspaceId: number): Statement[] => [
  updateCopies(workspaceId),
  deleteTotals(workspaceId),
  insertTotals(workspaceId),
  updateWorkspaceTotals(workspaceId),
];

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
  sql`(select count(*) from ${tags} where ${tags.workspace_id} = ${workspaceId} and ${tags.replaced_by} is null)`;

const slugsCounted = (workspaceId: number): SQL =>
  sql`(select count(*) from ${slugs} where ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.asset} is null and ${slugs.slug} <> '' and (${slugs.domain} = '' or ${slugs.domain} in
      (select ${domains.host} from ${domains} where ${domains.workspace_id} = ${workspaceId} and ${domains.state} <> 'pending')))`;

export const selectWrongWorkspaceTotals = (workspaceId: number) =>
  orm.all<Difference>(sql`select * from (
    select 'active links' as kept, slug as "of", active_links as "is", ${linksCounted(workspaceId, 0)} as should_be
      from ${workspaces} where id = ${workspaceId}
    union all select 'archived links', slug, archived_links, ${linksCounted(workspaceId, 1)}
      from ${workspaces} where id = ${workspaceId}
    union all select 'tags', slug, tag_count, ${tagsCounted(workspaceId)}
      from ${workspaces} where id = ${workspaceId}
    union all select 'slugs', slug, slug_claims, ${slugsCounted(workspaceId)}
      from ${workspaces} where id = ${workspaceId}) where "is" <> should_be`);

/** D1 allows five terms in a compound select, so each half of the fields of values is one of its own. */
const HALF = Math.ceil(VALUE_FIELD_NAMES.length / 2);
const valuesCounted = (workspaceId: number, fields: typeof VALUE_FIELD_NAMES): SQL =>
  sql.join(
    fields.map((field) => {
      const name = sql.raw(field);
      return sql`select '${name}' as kind, ${name} as key, sum(1 - archived) as active, sum(archived) as archived
        from ${links} where workspace_id = ${workspaceId} and deleted_at is null and ${name} is not null group by ${name}`;
    }),
    sql` union all `,
  );

const recounted = (workspaceId: number): SQL => sql`
  select 'tag' as kind, cast(tag as text) as key, sum(1 - archived) as active, sum(archived) as archived
    from (select distinct ${links.id}, ${links.archived} as archived, coalesce(${tags.replaced_by}, ${tags.id}) as tag
      from ${linkTags} join ${links} on ${links.id} = ${linkTags.link_id} join ${tags} on ${tags.id} = ${linkTags.tag_id}
      where ${linkTags.workspace_id} = ${workspaceId} and ${tags.replaced_by} is not 0) group by tag
  union all select 'group', cast(activity_group_id as text), sum(1 - archived), sum(archived) from ${links}
    where workspace_id = ${workspaceId} and deleted_at is null and activity_group_id is not null
    group by activity_group_id
  union all select * from (${valuesCounted(workspaceId, VALUE_FIELD_NAMES.slice(0, HALF))})
  union all select * from (${valuesCounted(workspaceId, VALUE_FIELD_NAMES.slice(HALF))})
  union all select 'domain', domain, sum(1 - archived), sum(archived) from ${links}
    where workspace_id = ${workspaceId} and deleted_at is null and domain is not null group by domain`;

const kept = (workspaceId: number): SQL =>
  sql`select kind, key, active, archived from ${linkTotals} where workspace_id = ${workspaceId} and active + archived > 0
    and ${KNOWN_KINDS}`;

/** The wrong totals of tags, groups, values and domains, active and archived links together. */
export const selectWrongTotals = (workspaceId: number) =>
  orm.all<Difference>(sql`select 'links of a ' || kind as kept, key as "of",
      sum("is") as "is", sum(should_be) as should_be from (
    select kind, key, active + archived as "is", null as should_be
      from (${kept(workspaceId)} except select * from (${recounted(workspaceId)}))
    union all select kind, key, null, active + archived
      from (select * from (${recounted(workspaceId)}) except ${kept(workspaceId)}))
    group by kind, key order by kind, key`);

/** The rows of tags whose copy of a link's status or id is wrong, counted by tag. */
export const selectWrongCopies = (workspaceId: number) =>
  orm.all<Difference>(sql`select 'links listed wrongly' as kept, ${tags.slug} as "of", count(*) as "is", 0 as should_be
    from ${linkTags} join ${links} on ${links.id} = ${linkTags.link_id} join ${tags} on ${tags.id} = ${linkTags.tag_id}
    where ${linkTags.workspace_id} = ${workspaceId}
      and (${linkTags.link_archived} <> ${links.archived} or ${linkTags.link_public_id} <> ${links.public_id})
    group by ${tags.id}`);
