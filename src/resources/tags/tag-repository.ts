import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/bound-list";
import { whereOwn } from "../../db/columns";
import { orm } from "../../db/prepared";
import { linkTotals } from "../../db/schema/links";
import { tags } from "../../db/schema/tags";
import { joinLinkTotals, LINK_COUNTS } from "../links/link-statements";
import type { TagRow } from "./tag-statements";

export const selectTagsWithTotals = (workspaceId: number) =>
  orm
    .select({
      ...getTableColumns(tags),
      ...LINK_COUNTS,
    })
    .from(tags)
    .leftJoin(linkTotals, joinLinkTotals("tag", tags))
    .where(and(eq(tags.workspace_id, workspaceId), isNull(tags.replaced_by)));

export type NewTagRow = Pick<TagRow, "public_id" | "name" | "name_key" | "slug" | "colour" | "description">;

export const insertTags = (workspaceId: number, made: readonly NewTagRow[], at: number) => {
  const values = made.map((tag) => [
    ...[tag.public_id, tag.name, tag.name_key, tag.slug],
    ...[tag.colour, tag.description],
  ]);
  return orm.run(sql`insert into ${tags}
      (workspace_id, public_id, name, name_key, slug, colour, description, created_at, updated_at)
      select ${workspaceId}, ${listed(0)}, ${listed(1)}, ${listed(2)}, ${listed(3)}, ${listed(4)}, ${listed(5)}, ${at}, ${at}
      from ${fromList(boundList(values))}`);
};

export const updateTagRow = (workspaceId: number, id: string, fields: Partial<typeof tags.$inferInsert>) =>
  orm
    .update(tags)
    .set({ ...fields, version: sql`${tags.version} + 1` })
    .where(whereOwn(tags, workspaceId, id));
