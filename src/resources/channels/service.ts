import { writeWithinLimit } from "../../access/room";
import { auditEntry, type Context } from "../../context";
import { alreadyTaken, assertFound, invalid, retryLostRaces } from "../../errors";
import { newId } from "../../lib/ids";
import { eachField, UTM_FIELDS } from "../../lib/link-fields";
import { sortNaturally } from "../../lib/natural-order";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { toConform } from "../links/conventions";
import {
  deleteSavedChannel,
  insertSavedChannel,
  type SavedChannelRow,
  selectSavedChannels,
  updateSavedChannel,
} from "./repository";
import type { SavedChannelInput } from "./schema";

const toSavedChannel = (row: SavedChannelRow) => ({
  id: row.public_id,
  name: row.name,
  ...eachField(UTM_FIELDS, (name) => row[name]),
  channel: row.channel,
  tag_ids: JSON.parse(row.tag_ids) as string[],
  slug_pattern: row.slug_pattern,
});

export type SavedChannel = ReturnType<typeof toSavedChannel>;

const toFields = (input: SavedChannelInput) => ({
  name: input.name,
  name_key: fold(input.name),
  ...eachField(UTM_FIELDS, (name) => input[name] ?? null),
  channel: input.channel ?? null,
  tag_ids: JSON.stringify(input.tag_ids ?? []),
  slug_pattern: input.slug_pattern ?? null,
});

/** The saved channels of the workspace, by name. */
export async function listSavedChannels(ctx: Context): Promise<SavedChannel[]> {
  const [rows] = await ctx.db.read(selectSavedChannels(ctx.workspace.rowId));
  return sortNaturally(rows.map(toSavedChannel));
}

const findIn = (all: readonly SavedChannel[], path: string): SavedChannel =>
  assertFound(
    all.find(({ id }) => id === storedId(path)),
    "Saved channel",
  );

/** Throws 404. */
export const getSavedChannel = async (ctx: Context, path: string): Promise<SavedChannel> =>
  findIn(await listSavedChannels(ctx), path);

/** Throws 422 if one of the others has the name. */
function assertFreeName(others: readonly SavedChannel[], name: string): void {
  if (others.some((other) => fold(other.name) === fold(name))) throw invalid([alreadyTaken("name")]);
}

/** Saves a channel. 422 if its name is taken, or the workspace has 100 of them. */
export const createSavedChannel = (ctx: Context, input: SavedChannelInput): Promise<void> =>
  retryLostRaces(async () => {
    assertFreeName(await listSavedChannels(ctx), input.name);
    const at = ctx.now();
    const id = newId(at);
    const row = { ...toFields(input), public_id: id, workspace_id: ctx.workspace.rowId, created_at: at };
    const change = { ...auditEntry(ctx, "channel.create", id, at), change: input };
    await writeWithinLimit(ctx, ["channel", 1], change, [insertSavedChannel(row)]);
  });

/** Throws 404, and 422 if another saved channel has the name or the conventions do not allow a value that it did not have. */
export const changeSavedChannel = (ctx: Context, path: string, input: SavedChannelInput): Promise<void> =>
  retryLostRaces(async () => {
    const all = await listSavedChannels(ctx);
    const own = findIn(all, path);
    const others = all.filter((one) => one !== own);
    assertFreeName(others, input.name);
    const { id, ...was } = own;
    const change = await toConform(ctx, input, was);
    await ctx.db.write(
      { ...auditEntry(ctx, "channel.update", id, ctx.now()), before: JSON.stringify(was), change },
      [updateSavedChannel(ctx.workspace.rowId, id, toFields(change))],
    );
  });

/** Throws 404. */
export async function removeSavedChannel(ctx: Context, path: string): Promise<void> {
  const { id, name } = await getSavedChannel(ctx, path);
  await ctx.db.write({ ...auditEntry(ctx, "channel.delete", id, ctx.now()), change: { name } }, [
    deleteSavedChannel(ctx.workspace.rowId, id),
  ]);
}
