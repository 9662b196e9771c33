import { and, eq, getTableColumns, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { fromList, item, type List } from "../db/list";
import { prepared } from "../db/prepared";
import { auditLog, links, linkTags, linkTotals, tags } from "../db/schema";

export type TagRow = typeof tags.$inferSelect;

export const tagsOfWorkspace = prepared(
  (workspaceId: number): Statement<TagRow[]> =>
    (orm) =>
      orm.select().from(tags).where(eq(tags.workspace_id, workspaceId)),
);

export interface TagTotals {
  active_links: number;
  archived_links: number;
}

/** Every tag of the workspace with how many links carry it. */
export const tagsWithTotals =
  (workspaceId: number): Statement<(TagRow & TagTotals)[]> =>
  (orm) =>
    orm
      .select({
        ...getTableColumns(tags),
        active_links: sql<number>`coalesce(${linkTotals.active}, 0)`.as("active_links"),
        archived_links: sql<number>`coalesce(${linkTotals.archived}, 0)`.as("archived_links"),
      })
      .from(tags)
      .leftJoin(
        linkTotals,
        and(
          eq(linkTotals.workspace_id, tags.workspace_id),
          eq(linkTotals.kind, "tag"),
          eq(linkTotals.key, sql`cast(${tags.id} as text)`),
        ),
      )
      .where(eq(tags.workspace_id, workspaceId));

export const tagById = prepared(
  (workspaceId: number, id: string): Statement<TagRow[]> =>
    (orm) =>
      orm
        .select()
        .from(tags)
        .where(and(eq(tags.workspace_id, workspaceId), eq(tags.public_id, id))),
);

/** The tags with these ids, each named once. */
export const tagsByIds = (workspaceId: number, ids: readonly string[]): Statement<TagRow[]> =>
  tagsAmong(workspaceId, [...new Set(ids)]);

const tagsAmong = prepared(
  (workspaceId: number, ids: List): Statement<TagRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(tags))
        .from(fromList(ids))
        .crossJoin(tags)
        // The unary plus keeps the workspace out of the choice of an index: a few tags are found by id.
        .where(and(sql`+${tags.workspace_id} = ${workspaceId}`, eq(tags.public_id, item()))),
);

/** The tags that stand in the way of a name, or of a slug and the numbered ones behind it. */
export const tagsLike =
  (
    workspaceId: number,
    nameKey: string,
    slug: string,
  ): Statement<{ id: string; name_key: string; slug: string }[]> =>
  (orm) =>
    orm
      .select({ id: tags.public_id, name_key: tags.name_key, slug: tags.slug })
      .from(tags)
      .where(
        and(
          eq(tags.workspace_id, workspaceId),
          or(
            eq(tags.name_key, nameKey),
            eq(tags.slug, slug),
            // "." is the character after "-".
            and(gte(tags.slug, `${slug}-`), lt(tags.slug, `${slug}.`)),
          ),
        ),
      );

export const insertTag = prepared(
  (row: typeof tags.$inferInsert): Statement =>
    (orm) =>
      orm.insert(tags).values(row),
);

/** Creates tags, with an operation of its own each in the audit log. */
export const insertTags = (
  workspaceId: number,
  actor: string,
  made: readonly (Pick<TagRow, "public_id" | "name" | "name_key" | "slug"> & {
    operation_id: string;
    change: object;
  })[],
  at: number,
): Statement[] => {
  const rows = JSON.stringify(
    made.map((tag) => [
      tag.operation_id,
      JSON.stringify(tag.change),
      tag.public_id,
      tag.name,
      tag.name_key,
      tag.slug,
    ]),
  );
  return [
    (orm) =>
      orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, change, at)
        select value ->> 0, ${workspaceId}, ${actor}, 'tag.create', value ->> 2, value ->> 1, ${at} from json_each(${rows})`),
    (orm) =>
      orm.run(sql`insert into ${tags} (workspace_id, public_id, name, name_key, slug, created_at, updated_at)
        select ${workspaceId}, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ${at}, ${at} from json_each(${rows})`),
  ];
};

const thisTag = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(tags.workspace_id, workspaceId), eq(tags.public_id, id));

export const updateTagRow =
  (workspaceId: number, id: string, fields: Partial<typeof tags.$inferInsert>): Statement =>
  (orm) =>
    orm
      .update(tags)
      .set({ ...fields, version: sql`${tags.version} + 1` })
      .where(thisTag(workspaceId, id));

/** Holds while the tag is there and, where a version is given, unchanged since it was read. */
export const tagIsThere = (workspaceId: number, id: string, version?: number): Guard =>
  sql`exists (select 1 from ${tags} where ${thisTag(workspaceId, id)}
    ${version === undefined ? sql.empty() : sql`and ${tags.version} = ${version}`})`;

/** The tag's state for the audit log. */
export const tagSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${tags.name}, 'slug', ${tags.slug}, 'colour', ${tags.colour},
    'description', ${tags.description}) from ${tags} where ${thisTag(workspaceId, id)})`;

const tagRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${tags.id} from ${tags} where ${thisTag(workspaceId, id)})`;

/** Raises the version of every link that carries the tag: a change of one that has read it before must not commit. */
export const outdateLinksWith =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm.run(sql`update ${links} set version = version + 1 where id in (select ${linkTags.link_id} from ${linkTags}
      where ${linkTags.workspace_id} = ${workspaceId} and ${linkTags.tag_id} = ${tagRowId(workspaceId, id)})`);

const detachEverywhere =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm
      .delete(linkTags)
      .where(and(eq(linkTags.workspace_id, workspaceId), eq(linkTags.tag_id, tagRowId(workspaceId, id))));

const deleteTagTotal =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm
      .delete(linkTotals)
      .where(
        and(
          eq(linkTotals.workspace_id, workspaceId),
          eq(linkTotals.kind, "tag"),
          sql`${linkTotals.key} = cast(${tagRowId(workspaceId, id)} as text)`,
        ),
      );

const deleteTagRow =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm.delete(tags).where(thisTag(workspaceId, id));

/** Ends a tag: takes it off all links, forgets how many they were, then itself. */
export const removeTag = (workspaceId: number, id: string): Statement[] => [
  detachEverywhere(workspaceId, id),
  deleteTagTotal(workspaceId, id),
  deleteTagRow(workspaceId, id),
];
