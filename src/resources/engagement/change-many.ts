import { auditEntry, type Context } from "../../context";
import { notFound, retryLostRaces } from "../../errors";
import { storedId } from "../../lib/ulid-text";
import { ensureAssetsUnchanged } from "./guards";
import { selectAssetsByIds, updateStatuses } from "./repository";
import type { ChangedStatuses } from "./schema";
import { statusProblem } from "./update";

/**
 * Retires assets or sets them live, all that can be in one batch. The others stay as they are: drafts are not retired, and
 * an asset of a deleted link does not go live. 404 if the workspace has none of them.
 */
export const changeStatuses = (
  ctx: Context,
  { ids, status }: ChangedStatuses,
): Promise<{ changed: number; left: number }> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows] = await ctx.db.read(selectAssetsByIds(workspaceId, ids.map(storedId)));
    if (rows.length === 0) throw notFound("Offline Engagement asset");
    const changed = rows.filter(
      (row) =>
        row.status !== status &&
        // The page of a draft retires it: in a list it is more likely a slip.
        !(status === "retired" && row.status === "draft") &&
        statusProblem(row, status, false) === undefined,
    );
    const [first, ...others] = changed.map((row) => ({
      subject: row.public_id,
      before: JSON.stringify({ status: row.status, link: row.link.public_id }),
      change: { status },
    }));
    if (first === undefined) return { changed: 0, left: rows.length };
    const at = ctx.now();
    await ctx.db.write(
      {
        ...auditEntry(ctx, "asset.update", first.subject, at),
        ...first,
        guards: [
          ensureAssetsUnchanged(
            workspaceId,
            changed.map((row) => [row.public_id, row.status, row.link.id]),
            status === "live",
          ),
        ],
        others,
      },
      [
        updateStatuses(
          workspaceId,
          changed.map((row) => row.public_id),
          status,
          at,
        ),
      ],
    );
    return { changed: changed.length, left: rows.length - changed.length };
  });
