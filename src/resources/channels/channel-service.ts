import { writeWithinLimit } from "../../access/room";
import { auditEntry, type Context } from "../../context";
import { assertFound, changedMeanwhile, retryLostRaces } from "../../errors";
import { alreadyTaken, invalid } from "../../field-errors";
import { isMatched } from "../../lib/etag";
import { newId } from "../../lib/ids";
import { eachField, UTM_FIELDS } from "../../lib/link-fields";
import { sortNaturally } from "../../lib/natural-order";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { toConform } from "../links/link-conventions";
import type { SavedChannelInput } from "./channel-schema";
import {
  deleteSavedChannel,
  ensureChannelUnchanged,
  insertSavedChannel,
  type SavedChannelRow,
  selectSavedChannels,
  updateSavedChannel,
} from "./channel-statements";

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

const readRows = async ({ db, workspace }: Context): Promise<SavedChannelRow[]> =>
  (await db.read(selectSavedChannels(workspace.rowId)))[0];

/** The saved channels of the workspace, by name. */
export const listSavedChannels = async (ctx: Context): Promise<SavedChannel[]> =>
  sortNaturally((await readRows(ctx)).map(toSavedChannel));

const findIn = (all: readonly SavedChannelRow[], path: string): SavedChannelRow =>
  assertFound(
    all.find(({ public_id: id }) => id === storedId(path)),
    "Saved channel",
  );

/** Throws 404. */
export const getSavedChannel = async (ctx: Context, path: string): Promise<SavedChannel> =>
  toSavedChannel(findIn(await readRows(ctx), path));

/** Throws 422 if one of the others has the name. */
function assertFreeName(others: readonly SavedChannelRow[], name: string): void {
  if (others.some((other) => other.name_key === fold(name))) throw invalid([alreadyTaken("name")]);
}

/** Saves a channel. 422 if its name is taken, or the workspace has 100 of them. */
export const createSavedChannel = (ctx: Context, input: SavedChannelInput): Promise<void> =>
  retryLostRaces(async () => {
    assertFreeName(await readRows(ctx), input.name);
    const at = ctx.now();
    const id = newId(at);
    const row = { ...toFields(input), public_id: id, workspace_id: ctx.workspace.rowId, created_at: at };
    const change = { ...auditEntry(ctx, "channel.create", id, at), change: input };
    await writeWithinLimit(ctx, ["channel", 1], change, [insertSavedChannel(row)]);
  });

/**
 * Throws 404, 412 if `If-Match` is not that of the saved channel, and 422 if another has the name or the conventions do not allow a
 * value that it did not have.
 */
export const changeSavedChannel = (ctx: Context, path: string, input: SavedChannelInput): Promise<void> =>
  retryLostRaces(async () => {
    const all = await readRows(ctx);
    const own = findIn(all, path);
    const { id, ...was } = toSavedChannel(own);
    if (!(await isMatched(ctx.ifMatch, { id, ...was }))) throw changedMeanwhile("saved channel");
    assertFreeName(
      all.filter((one) => one !== own),
      input.name,
    );
    const change = await toConform(ctx, input, was);
    const fields = toFields(change);
    if (Object.entries(fields).every(([name, value]) => own[name as keyof typeof fields] === value)) return;
    const entry = {
      ...auditEntry(ctx, "channel.update", id, ctx.now()),
      guards: [ensureChannelUnchanged(own)],
    };
    await ctx.db.write({ ...entry, before: JSON.stringify(was), change }, [
      updateSavedChannel(ctx.workspace.rowId, id, fields),
    ]);
  });

/** Throws 404. */
export const removeSavedChannel = (ctx: Context, path: string): Promise<void> =>
  retryLostRaces(async () => {
    const own = findIn(await readRows(ctx), path);
    const { public_id: id, name } = own;
    const entry = {
      ...auditEntry(ctx, "channel.delete", id, ctx.now()),
      space: "frees" as const,
      guards: [ensureChannelUnchanged(own)],
    };
    await ctx.db.write({ ...entry, change: { name } }, [deleteSavedChannel(ctx.workspace.rowId, id)]);
  });
