import type { AuditRow } from "./audit-statements";

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
