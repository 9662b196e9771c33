import type { Context } from "../../context";
import { retryLostRaces } from "../../errors";
import { selectOperation, selectSubjectsOfBatch } from "./archive-repository";
import { type LinkRow, selectLinksByIds } from "./repository";
import { commitLinks } from "./write/commit";
import { nextState } from "./write/next-state";

/** The version of a link that nobody has changed since its creation. */
const FIRST_VERSION = 1;

/** What became of a link. */
export type ArchiveOutcome = "archived" | "was archived" | "changed" | "deleted";

/**
 * Archives those of the links that have not been changed since they were created. All calls with one `batch` are one
 * change in the audit trail. A repeated call changes nothing and returns the same.
 */
export const archiveUnchanged = (
  ctx: Context,
  ids: readonly string[],
  batch: string,
): Promise<ReadonlyMap<string, ArchiveOutcome>> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, done, started] = await ctx.db.read(
      selectLinksByIds(workspaceId, ids),
      selectSubjectsOfBatch(workspaceId, batch, ids),
      selectOperation(batch),
    );
    const rowOf = new Map(rows.map((row) => [row.public_id, row]));
    const ours = new Set(done.map(({ subject }) => subject));
    const at = ctx.now();
    const changes: { was: LinkRow; will: NonNullable<ReturnType<typeof nextState>> }[] = [];
    const archive = (was: LinkRow): ArchiveOutcome => {
      const will = nextState(was, { status: "archived" }, {}, at);
      if (will !== undefined) changes.push({ was, will });
      return "archived";
    };
    const outcomes = new Map(
      ids.map((id): [string, ArchiveOutcome] => {
        const was = rowOf.get(id);
        if (ours.has(id)) return [id, "archived"];
        if (was === undefined) return [id, "deleted"];
        if (was.version !== FIRST_VERSION) return [id, "changed"];
        return [id, was.archived_at === null ? archive(was) : "was archived"];
      }),
    );
    if (changes.length > 0) {
      await commitLinks(ctx, changes, {
        action: "link.update",
        input: { status: "archived" },
        batch: { id: batch, isStarted: started.length > 0 },
        at,
      });
    }
    return outcomes;
  });
