import { and, eq, getTableColumns, gte, isNull, lt, or, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/list";
import { orm, prepared } from "../../db/prepared";
import { linkTotals } from "../../db/schema/links";
import { tags } from "../../db/schema/tags";
import type { TagRow } from "./statements";
import { whereTag } from "./statements";

export const selectTagsWithTotals = (workspaceId: number) =>
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
    .where(and(eq(tags.workspace_id, workspaceId), isNull(tags.replaced_by)));

/** The tags that have the name, the slug, or the slug with a number. */
export const selectSimilarTags = (workspaceId: number, nameKey: string, slug: string) =>
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

export const insertTag = prepared((row: typeof tags.$inferInsert) => orm.insert(tags).values(row));

export const insertTags = (
  workspaceId: number,
  made: readonly Pick<TagRow, "public_id" | "name" | "name_key" | "slug">[],
  at: number,
) => {
  const rows = boundList(made.map((tag) => [tag.public_id, tag.name, tag.name_key, tag.slug]));
  return orm.run(sql`insert into ${tags} (workspace_id, public_id, name, name_key, slug, created_at, updated_at)
      select ${workspaceId}, ${listed(0)}, ${listed(1)}, ${listed(2)}, ${listed(3)}, ${at}, ${at} from ${fromList(rows)}`);
};

export const updateTagRow = (workspaceId: number, id: string, fields: Partial<typeof tags.$inferInsert>) =>
  orm
    .update(tags)
    .set({ ...fields, version: sql`${tags.version} + 1` })
    .where(whereTag(workspaceId, id));
