import type { AuditRow } from "./audit-statements";
import { parseObject } from "./field-changes";

const REVERTIBLE: ReadonlySet<string> = new Set([
  "link.update",
  "link.update_by_import",
  "link.revert",
  "link.attach_tags",
  "link.detach_tag",
]);

export const isRevertible = (action: string): boolean => REVERTIBLE.has(action);

type FirstEntry = Pick<AuditRow, "action" | "batch" | "operation_id">;

/** Whether an entry is the first of links that were created together. An import has an entry of its own before them. */
export const isCreation = ({ action, batch, operation_id: operation }: FirstEntry): boolean =>
  action === "link.create" && batch === operation;

export const isBatchUndoable = (entry: FirstEntry): boolean =>
  isRevertible(entry.action) || isCreation(entry) || entry.action === "asset.update";

type OwnEntry = Pick<AuditRow, "operation_id" | "change">;

/** Whether an entry undid a change. The undo of an undo made it again. */
export function isUndo({ change }: Pick<OwnEntry, "change">): boolean {
  const { reverted, again } = parseObject(change);
  return typeof reverted === "string" && again !== true;
}

/** What an entry says of the one that it takes back. */
export const takesBack = (entry: OwnEntry) => ({
  reverted: entry.operation_id,
  ...(isUndo(entry) && { again: true }),
});
