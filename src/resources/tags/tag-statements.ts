import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import { type BoundList, boundList, fromList, listed } from "../../db/bound-list";
import type { Guard } from "../../db/client";
import { whereOwn } from "../../db/columns";
import { orm, prepared } from "../../db/prepared";
import { linkTotals } from "../../db/schema/links";
import { tags } from "../../db/schema/tags";
import { namesOf } from "../../lib/link-fields";
import { joinLinkTotals, LINK_COUNTS } from "../links/link-statements";
import { tagTexts } from "./tag-schema";

export type TagRow = typeof tags.$inferSelect;

const SHOWN_COLUMNS = ["name", "slug", ...namesOf(tagTexts)] as const;

export type ShownTag = Pick<TagRow, "public_id" | (typeof SHOWN_COLUMNS)[number]>;

/** What a tag shows besides its id, as arguments of `json_object`. */
export const tagJson = (column: (name: (typeof SHOWN_COLUMNS)[number]) => SQL): SQL =>
  sql.join(
    SHOWN_COLUMNS.map((name) => sql`${sql.raw(`'${name}'`)}, ${column(name)}`),
    sql`, `,
  );

const isOf = (workspaceId: number) => and(eq(tags.workspace_id, workspaceId), isNull(tags.replaced_by));

export const selectTags = prepared((workspaceId: number) => orm.select().from(tags).where(isOf(workspaceId)));

export const selectTagsWithTotals = (workspaceId: number) =>
  orm
    .select({ ...getTableColumns(tags), ...LINK_COUNTS })
    .from(tags)
    .leftJoin(linkTotals, joinLinkTotals("tag", tags))
    .where(isOf(workspaceId));

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

const NEW_COLUMNS = ["public_id", "name_key", ...SHOWN_COLUMNS] as const;

export type NewTagRow = Pick<TagRow, (typeof NEW_COLUMNS)[number]>;

export const insertTags = (workspaceId: number, made: readonly NewTagRow[], at: number) => {
  const rows = boundList(made.map((tag) => NEW_COLUMNS.map((column) => tag[column])));
  const values = sql.join(
    NEW_COLUMNS.map((_, index) => listed(index)),
    sql`, `,
  );
  return orm.run(sql`insert into ${tags} (workspace_id, ${sql.raw(NEW_COLUMNS.join(", "))}, created_at, updated_at)
      select ${workspaceId}, ${values}, ${at}, ${at} from ${fromList(rows)}`);
};

export const updateTagRow = (workspaceId: number, id: string, fields: Partial<typeof tags.$inferInsert>) =>
  orm
    .update(tags)
    .set({ ...fields, version: sql`${tags.version} + 1` })
    .where(whereOwn(tags, workspaceId, id));

/** True while the tag exists, with the given version if there is one. */
export const ensureTagExists = (workspaceId: number, id: string, version?: number): Guard =>
  abortUnless(sql`exists (select 1 from ${tags} where ${whereOwn(tags, workspaceId, id)}
    ${version === undefined ? sql.empty() : sql`and ${tags.version} = ${version}`})`);

/** The row ids of the tag whose links show the tag with this row id: its own, and those of tags that are being merged into it. */
export const selectRowsOfTag = (tagId: SQL): SQL =>
  sql`select ${tagId} union all select merged.id from ${tags} as merged where merged.replaced_by = ${tagId}`;

/** A row if links of the workspace wait for the merge of their tag. */
export const selectIsMerging = prepared((workspaceId: number) =>
  orm.all<{ is_merging: 1 }>(sql`select 1 as is_merging from ${tags}
        where ${tags.replaced_by} > 0 and +${tags.workspace_id} = ${workspaceId} limit 1`),
);
