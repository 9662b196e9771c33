import type { Context } from "../../context";
import { invalid } from "../../errors";
import { parseObject } from "../audit/field-changes";
import { type AuditRow, selectNextChange } from "../audit/statements";
import { updateActivityGroup } from "./manage";
import type { ChangedActivityGroup } from "./schema";
import type { ManagedActivityGroup } from "./service";

/** Gives a group the fields that it had before a change, by the rules of an update. 422 if it has changed since. */
export async function undoGroupChange(
  ctx: Context,
  { operation_id: operation, subject, before: written, change }: AuditRow,
): Promise<ManagedActivityGroup> {
  const [[later]] = await ctx.db.read(selectNextChange(ctx.workspace.rowId, operation));
  if (later !== undefined) {
    const message = "The Activity Group has changed since, so nothing was undone.";
    throw invalid([{ field: "operation", message, code: "state" }]);
  }
  const before = parseObject(written);
  const fields = Object.keys(parseObject(change)).filter((field) => field in before);
  // The snapshot has the fields of an update, as they are stored.
  const previous: ChangedActivityGroup = Object.fromEntries(fields.map((field) => [field, before[field]]));
  return updateActivityGroup(ctx, subject, previous);
}
