import { z } from "zod";
import { writeWithinLimit } from "../../access/room";
import { auditEntry, type Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { alreadyTaken, invalid } from "../../field-errors";
import { newId } from "../../lib/ids";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { text } from "../../lib/validation";
import { deleteView, ensureViewExists, insertView, selectViews } from "./view-repository";

/** A name for filters and an order of the list of links, as the normalised query of its address. */
export const savedViewInput = z.object({
  name: text(100),
  query: z.string().max(2_000, "The list has too many filters to be saved."),
});

export async function listViews(ctx: Context) {
  const [rows] = await ctx.db.read(selectViews(ctx.workspace.rowId));
  return rows;
}

export type SavedView = Awaited<ReturnType<typeof listViews>>[number];

/** Saves a view. 422 if its name is taken, or the workspace has 50 of them. */
export const createView = (ctx: Context, input: z.output<typeof savedViewInput>): Promise<void> =>
  retryLostRaces(async () => {
    const name_key = fold(input.name);
    if ((await listViews(ctx)).some(({ name }) => fold(name) === name_key))
      throw invalid([alreadyTaken("name")]);
    const at = ctx.now();
    const id = newId(at);
    const row = { ...input, name_key, public_id: id, workspace_id: ctx.workspace.rowId, created_at: at };
    const change = { ...auditEntry(ctx, "view.create", id, at), change: input };
    await writeWithinLimit(ctx, ["view", 1], change, [insertView(row)]);
  });

/** Throws 404. */
export const removeView = (ctx: Context, path: string): Promise<SavedView> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const found = (await listViews(ctx)).find((one) => one.id === storedId(path));
    const view = assertFound(found, "Saved view");
    const { id, ...before } = view;
    const entry = {
      ...auditEntry(ctx, "view.delete", id, ctx.now()),
      space: "frees" as const,
      guards: [ensureViewExists(workspaceId, id)],
    };
    await ctx.db.write({ ...entry, before: JSON.stringify(before) }, [deleteView(workspaceId, id)]);
    return view;
  });
