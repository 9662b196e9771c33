import { and, eq, getTableColumns, gte, lt, or, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { prepared } from "../../db/prepared";
import { auditLog } from "../../db/schema/audit";
import { links, linkTotals } from "../../db/schema/links";
import { linkTags, tags } from "../../db/schema/tags";
import type { TagRow } from "./statements";
import { selectTagRowId, whereTag } from "./statements";

interface TagTotals {
  active_links: number;
  archived_links: number;
}

export const selectTagsWithTotals =
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

/** The tags that have the name, the slug, or the slug with a number. */
export const selectSimilarTags =
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

/** Inserts tags and an audit entry for each. */
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

export const updateTagRow =
  (workspaceId: number, id: string, fields: Partial<typeof tags.$inferInsert>): Statement =>
  (orm) =>
    orm
      .update(tags)
      .set({ ...fields, version: sql`${tags.version} + 1` })
      .where(whereTag(workspaceId, id));

/** Raises the version of every link that carries the tag, so that a change which read the link before loses the race. */
export const updateVersionsOfTagged =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm.run(sql`update ${links} set version = version + 1 where id in (select ${linkTags.link_id} from ${linkTags}
      where ${linkTags.workspace_id} = ${workspaceId} and ${linkTags.tag_id} = ${selectTagRowId(workspaceId, id)})`);
