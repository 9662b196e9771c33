import type { Context } from "../../context";
import { invalid, notFound, retryLostRaces } from "../../errors";
import { newId } from "../../lib/ids";
import { storedId } from "../../lib/ulid-text";
import { archiveUnchanged } from "../links/archive-unchanged";
import { MAX_LINKS_PER_COMMIT } from "../links/batch";
import { previousStates } from "../links/revert/undo";
import type { PlannedUpdate } from "./file";
import type { ForAll } from "./for-all";
import { selectImport, updateUndo, updateUndone } from "./repository";
import { selectImportedLinks } from "./rows-repository";

/** With what it reads, a request takes at most 50 D1 queries, which is all that the free plan has. */
const COMMITS_PER_REQUEST = 2;
/** The rows that are named; further ones are counted. */
const MAX_NAMED_ROWS = 100;

/** How far the undo of an import is. */
export interface Undo {
  /** Id of the change in the audit trail. */
  batch: string;
  /** The number of the last row that was looked at. */
  after: number;
  archived: number;
  /** Links that have their values from before the import again. */
  reverted?: number;
  /** Links that stay as they are, since somebody has changed them. */
  changed: number;
  /** The first of their rows. */
  rows: readonly number[];
  /** Whether its links were restored. It is not undone again then, since they have changed. */
  restored?: boolean;
}

/** What is stored about a file. */
export interface AboutImport {
  /** Names of columns that were ignored. */
  ignored: readonly string[];
  /** Names of tags that did not exist at the check. */
  tags: readonly string[];
  /** Undefined if nothing was chosen for every new link. */
  forAll?: ForAll;
  /** Undefined if no undo has begun. */
  undo?: Undo;
}

const changesLink = (updates: string | null): boolean => {
  const update: PlannedUpdate | null = JSON.parse(updates ?? "null");
  return update !== null && update.fields.length > 0;
};

export const readAbout = ({ about }: { about: string }): AboutImport => JSON.parse(about);

/**
 * Archives the links that a finished import has made and gives those that it has updated their values from before, where nobody
 * has changed them since, up to 500 a call; `done` is true after the last. Repeated and concurrent calls archive each link once, and the undo is one change in the audit trail.
 */
export const undoImport = (ctx: Context, path: string): Promise<{ done: boolean; undo: Undo }> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const id = storedId(path);
    let commits = 0;
    for (;;) {
      const [[file]] = await ctx.db.read(selectImport(workspaceId, id));
      if (file === undefined) throw notFound("Import");
      if (file.started_at === null || file.finished_at === null) {
        const message = "An import can be undone once it has finished.";
        throw invalid([{ field: "import", message, code: "format" }]);
      }
      const { undo } = readAbout(file);
      if (undo === undefined) {
        const fresh: Undo = { batch: newId(ctx.now()), after: 0, archived: 0, changed: 0, rows: [] };
        await ctx.db.writeUnaudited(updateUndo(workspaceId, id, undefined, JSON.stringify(fresh)));
        continue;
      }
      if (undo.restored === true) {
        const message = "The links of this import were restored. Archive them in the list of links.";
        throw invalid([{ field: "import", message, code: "format" }]);
      }
      if (file.undone_at !== null) return { done: true, undo };
      const [rows] = await ctx.db.read(
        selectImportedLinks(workspaceId, id, undo.after, MAX_LINKS_PER_COMMIT),
      );
      const last = rows.at(-1);
      if (last === undefined) {
        await ctx.db.writeUnaudited(updateUndone(workspaceId, id, ctx.now()));
        continue;
      }
      if (commits === COMMITS_PER_REQUEST) return { done: false, undo };
      commits++;
      const made = rows.filter(({ updates }) => updates === null);
      const updated = rows.filter(({ updates }) => changesLink(updates));
      const { links, changes: reverted } = await previousStates(
        ctx,
        updated.map(({ number }) => `${id}.${number}`),
      );
      const back = new Set(reverted.map(({ was }) => was.public_id));
      const kept = new Set(links.flatMap(({ public_id: link }) => (back.has(link) ? [] : link)));
      const ids = made.map(({ link }) => link);
      const batch = { id: undo.batch, isStarted: undo.archived + (undo.reverted ?? 0) > 0 };
      const record = ({ archived, changed }: { archived: number; changed: ReadonlySet<string> }) => {
        const changedRows = [
          ...made.filter(({ link }) => changed.has(link)),
          ...updated.filter(({ link }) => kept.has(link)),
        ]
          .map(({ number }) => number)
          .sort((one, other) => one - other);
        const next: Undo = {
          ...undo,
          after: last.number,
          archived: undo.archived + archived,
          reverted: (undo.reverted ?? 0) + reverted.length,
          changed: undo.changed + changedRows.length,
          rows: [...undo.rows, ...changedRows].slice(0, MAX_NAMED_ROWS),
        };
        return updateUndo(workspaceId, id, undo.after, JSON.stringify(next));
      };
      await archiveUnchanged(ctx, ids, batch, record, reverted);
    }
  });
