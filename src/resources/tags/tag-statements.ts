import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import { type BoundList, fromList, listed } from "../../db/bound-list";
import type { Guard } from "../../db/client";
import { whereOwn } from "../../db/columns";
import { orm, prepared } from "../../db/prepared";
import { tags } from "../../db/schema/tags";

export type TagRow = typeof tags.$inferSelect;

export const selectTags = prepared((workspaceId: number) =>
  orm
    .select()
    .from(tags)
    .where(and(eq(tags.workspace_id, workspaceId), isNull(tags.replaced_by))),
);

export const selectTag = prepared((workspaceId: number, id: string) =>
  orm
    .select()
    .from(tags)
    .where(whereOwn(tags, workspaceId, id)),
);

/** Selects tags by distinct keys. */
function selectAmong(where: (workspaceId: number) => SQL | undefined) {
  const select = prepared((workspaceId: number, keys: BoundList) =>
    orm.select(getTableColumns(tags)).from(fromList(keys)).crossJoin(tags).where(where(workspaceId)),
  );
  return (workspaceId: number, keys: readonly string[]) => select(workspaceId, [...new Set(keys)]);
}

/** The tags with these ids. The unary plus prevents an index by workspace: a few tags are found by id. */
export const selectTagsByIds = selectAmong((workspaceId) => whereOwn(tags, workspaceId, listed()));

/** The tags with these folded names. */
export const selectTagsByNames = selectAmong((workspaceId) =>
  and(eq(tags.workspace_id, workspaceId), eq(tags.name_key, listed())),
);

/** True while the tag exists, with the given version if there is one. */
export const ensureTagExists = (workspaceId: number, id: string, version?: number): Guard =>
  abortUnless(sql`exists (select 1 from ${tags} where ${whereOwn(tags, workspaceId, id)}
    ${version === undefined ? sql.empty() : sql`and ${tags.version} = ${version}`})`);

export const selectTagSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${tags.name}, 'slug', ${tags.slug}, 'colour', ${tags.colour},
    'description', ${tags.description}) from ${tags} where ${whereOwn(tags, workspaceId, id)})`;

/** The row ids of the tag whose links show the tag with this row id: its own, and those of tags that are being merged into it. */
export const selectRowsOfTag = (tagId: SQL): SQL =>
  sql`select ${tagId} union all select merged.id from ${tags} as merged where merged.replaced_by = ${tagId}`;

/** A row if links of the workspace wait for the merge of their tag. */
export const selectIsMerging = prepared((workspaceId: number) =>
  orm.all<{ is_merging: 1 }>(sql`select 1 as is_merging from ${tags}
        where ${tags.replaced_by} > 0 and +${tags.workspace_id} = ${workspaceId} limit 1`),
);
