import { asc, eq, sql } from "drizzle-orm";
import { ensureRow } from "../../db/audit";
import { whereOwn } from "../../db/columns";
import { orm } from "../../db/prepared";
import { savedChannels } from "../../db/schema/channels";

export type SavedChannelRow = typeof savedChannels.$inferSelect;

export const selectSavedChannels = (workspaceId: number) =>
  orm
    .select()
    .from(savedChannels)
    .where(eq(savedChannels.workspace_id, workspaceId))
    .orderBy(asc(savedChannels.name_key));

export const insertSavedChannel = (row: typeof savedChannels.$inferInsert) =>
  orm.insert(savedChannels).values(row);

export const updateSavedChannel = (
  workspaceId: number,
  id: string,
  fields: Omit<SavedChannelRow, "id" | "public_id" | "workspace_id" | "created_at">,
) =>
  orm
    .update(savedChannels)
    .set(fields)
    .where(whereOwn(savedChannels, workspaceId, id));

/** True while a saved channel is as it was read. */
export const ensureChannelUnchanged = (row: SavedChannelRow) => ensureRow(savedChannels, row);

export const deleteSavedChannel = (workspaceId: number, id: string) =>
  orm.delete(savedChannels).where(whereOwn(savedChannels, workspaceId, id));

/** Gives the saved channels that have a tag the one that it is merged into, once. Both are public ids. */
export const replaceTagOfChannels = (workspaceId: number, from: string, into: string) =>
  orm.run(sql`update ${savedChannels} set tag_ids =
      (select json_group_array(id) from (select distinct iif(value = ${from}, ${into}, value) as id from json_each(tag_ids)))
    where workspace_id = ${workspaceId} and exists (select 1 from json_each(tag_ids) where value = ${from})`);
