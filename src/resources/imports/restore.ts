import type { Context } from "../../context";
import { invalid, notFound } from "../../errors";
import { storedId } from "../../lib/ulid-text";
import { type UndoneOperation, type UndoProgress, undoOperation } from "../links/revert/undo";
import { selectImport, updateRestored } from "./repository";
import { readAbout } from "./undo";

/**
 * Restores the links that the undo of an import has archived, as far as nobody has changed them since. `progress` is where
 * the next call goes on. After the last one the import is finished again.
 */
export async function restoreImport(
  ctx: Context,
  path: string,
  progress: UndoProgress,
): Promise<UndoneOperation> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [[file]] = await ctx.db.read(selectImport(workspaceId, id));
  if (file === undefined) throw notFound("Import");
  const { undo } = readAbout(file);
  if (file.undone_at === null || undo === undefined || undo.archived + (undo.reverted ?? 0) === 0) {
    const message = "The undo of this import has changed no link that could be restored.";
    throw invalid([{ field: "import", message, code: "format" }]);
  }
  const result = await undoOperation(ctx, undo.batch, progress);
  if (result.next === null) {
    await ctx.db.writeUnaudited(updateRestored(workspaceId, id));
  }
  return result;
}
