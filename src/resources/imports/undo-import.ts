import type { Context } from "../../context";
import { AlreadyDone, LostRace, notFound, retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import type { Encoding } from "../../lib/file-text";
import { storedId } from "../../lib/ulid-text";
import { selectAuditEntry, selectEntriesOfImport } from "../audit/audit-statements";
import type { BulkResult, ChangeProgress } from "../links/bulk-change";
import { undoEntries } from "../links/revert/undo-changes";
import type { ForAll } from "./for-all";
import { selectImport, updateRestored, updateUndone } from "./import-repository";
import type { Reading } from "./row-cells";

/** What is stored about a file. */
export interface AboutImport {
  /** Names of columns that were ignored. */
  ignored: readonly string[];
  /** Names of tags that did not exist at the check. */
  tags: readonly string[];
  /** Undefined if nothing was chosen for every new link. */
  forAll?: ForAll;
  reading: Reading;
  encoding: Encoding;
  /** How many links it would make or update whose end was in the past at the check. */
  ended: number;
  /** Whether it was undone, and its links were restored. It is not undone again then, since they have changed. */
  restored?: boolean;
}

export const readAbout = ({ about }: { about: string }): AboutImport => JSON.parse(about);

const refuse = (message: string) => invalid([{ field: "import", message, code: "state" }]);

/**
 * Archives the links that a finished import has made and gives those that it has updated their values from before, where
 * nobody has changed them since. The batch has the id of the import, so all calls are one change in the audit trail, also
 * those of another person or after an interruption: links that are undone already stay as they are.
 */
export const undoImport = (
  ctx: Context,
  path: string,
  { after = "" }: Pick<ChangeProgress, "after"> = {},
): Promise<BulkResult> =>
  retryLostRaces(() =>
    undoOnce(ctx, path, after).catch((error: unknown) => {
      // Another request has begun the batch. Read again, this one goes on with it.
      throw error instanceof AlreadyDone ? new LostRace() : error;
    }),
  );

async function undoOnce(ctx: Context, path: string, after: string): Promise<BulkResult> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [[file], [begun]] = await ctx.db.read(
    selectImport(workspaceId, id),
    selectAuditEntry(workspaceId, id),
  );
  if (file === undefined) throw notFound("Import");
  if (file.started_at === null || file.finished_at === null)
    throw refuse("An import can be undone once it has finished.");
  if (readAbout(file).restored === true)
    throw refuse("The links of this import were restored. Archive them in the list of links.");
  const select = (most: number, behind = after) => selectEntriesOfImport(workspaceId, id, behind, most);
  // Its batch has the id of the import, in place of the operation of the form.
  const undone = await undoEntries({ ...ctx, operation: undefined }, select, {
    id,
    isStarted: begun !== undefined,
  });
  if (undone.batch !== null && undone.next === null)
    await ctx.db.writeGuarded([updateUndone(workspaceId, id, ctx.now())]);
  return undone;
}

/** Stores that the undo of an import, whose batch has its id, was itself undone. Does nothing for another batch. */
export const finishAgain = (ctx: Context, batch: string): Promise<unknown> =>
  ctx.db.writeGuarded([updateRestored(ctx.workspace.rowId, batch)]);
