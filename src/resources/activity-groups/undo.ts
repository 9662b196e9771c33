import type { Context } from "../../context";
import { invalid } from "../../errors";
import { parseObject } from "../audit/field-changes";
import { selectAuditEntry, selectNextChange } from "../audit/statements";
import { updateActivityGroup } from "./manage";
import type { ChangedActivityGroup } from "./schema";
import type { ManagedActivityGroup } from "./service";

/**
 * Gives a group the fields that it had before a change, by the rules of an update. Undefined if the operation has changed no
 * group; 422 if the group has changed since.
 */
export async function undoGroupChange(
  ctx: Context,
  operation: string,
): Promise<ManagedActivityGroup | undefined> {
  const workspaceId = ctx.workspace.rowId;
  const [[entry], [later]] = await ctx.db.read(
    selectAuditEntry(workspaceId, operation),
    selectNextChange(workspaceId, operation),
  );
  if (entry?.action !== "group.update") return undefined;
  if (later !== undefined) {
    const message = "The Activity Group has changed since, so nothing was undone.";
    throw invalid([{ field: "operation", message, code: "state" }]);
  }
  const before = parseObject(entry.before);
  const fields = Object.keys(parseObject(entry.change)).filter((field) => field in before);
  // The snapshot has the fields of an update, as they are stored.
  const previous: ChangedActivityGroup = Object.fromEntries(fields.map((field) => [field, before[field]]));
  return updateActivityGroup(ctx, entry.subject, previous);
}
