import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import type { Guard, Statement } from "../../db/client";
import { type BoundList, fromList, listed } from "../../db/list";
import { prepared } from "../../db/prepared";
import { linkTotals } from "../../db/schema/links";
import { linkTags, tags } from "../../db/schema/tags";

export type TagRow = typeof tags.$inferSelect;

export const selectTags = prepared(
  (workspaceId: number): Statement<TagRow[]> =>
    (orm) =>
      orm.select().from(tags).where(eq(tags.workspace_id, workspaceId)),
);

export const selectTag = prepared(
  (workspaceId: number, id: string): Statement<TagRow[]> =>
    (orm) =>
      orm
        .select()
        .from(tags)
        .where(and(eq(tags.workspace_id, workspaceId), eq(tags.public_id, id))),
);

/** The tags with these ids, without duplicates. */
export const selectTagsByIds = (workspaceId: number, ids: readonly string[]): Statement<TagRow[]> =>
  selectTagsAmong(workspaceId, [...new Set(ids)]);

const selectTagsAmong = prepared(
  (workspaceId: number, ids: BoundList): Statement<TagRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(tags))
        .from(fromList(ids))
        .crossJoin(tags)
        // The unary plus prevents an index by workspace: a few tags are found by id.
        .where(and(sql`+${tags.workspace_id} = ${workspaceId}`, eq(tags.public_id, listed()))),
);

/** The tags with these folded names, without duplicates. */
export const selectTagsByNames = (workspaceId: number, names: readonly string[]): Statement<TagRow[]> =>
  selectTagsNamed(workspaceId, [...new Set(names)]);

const selectTagsNamed = prepared(
  (workspaceId: number, names: BoundList): Statement<TagRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(tags))
        .from(fromList(names))
        .crossJoin(tags)
        .where(and(eq(tags.workspace_id, workspaceId), eq(tags.name_key, listed()))),
);

/** True while the tag exists, with the given version if there is one. */
export const ensureTagExists = (workspaceId: number, id: string, version?: number): Guard =>
  abortUnless(sql`exists (select 1 from ${tags} where ${whereTag(workspaceId, id)}
    ${version === undefined ? sql.empty() : sql`and ${tags.version} = ${version}`})`);

export const selectTagSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${tags.name}, 'slug', ${tags.slug}, 'colour', ${tags.colour},
    'description', ${tags.description}) from ${tags} where ${whereTag(workspaceId, id)})`;

const detachEverywhere =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm
      .delete(linkTags)
      .where(
        and(eq(linkTags.workspace_id, workspaceId), eq(linkTags.tag_id, selectTagRowId(workspaceId, id))),
      );

const deleteTagTotal =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm
      .delete(linkTotals)
      .where(
        and(
          eq(linkTotals.workspace_id, workspaceId),
          eq(linkTotals.kind, "tag"),
          sql`${linkTotals.key} = cast(${selectTagRowId(workspaceId, id)} as text)`,
        ),
      );

const deleteTagRow =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm.delete(tags).where(whereTag(workspaceId, id));

/** Deletes a tag, its total and its rows on links. */
export const deleteTagRows = (workspaceId: number, id: string): Statement[] => [
  detachEverywhere(workspaceId, id),
  deleteTagTotal(workspaceId, id),
  deleteTagRow(workspaceId, id),
];

export const whereTag = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(tags.workspace_id, workspaceId), eq(tags.public_id, id));

export const selectTagRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${tags.id} from ${tags} where ${whereTag(workspaceId, id)})`;
