import {
  selectWrongCopies,
  selectWrongTotals,
  selectWrongWorkspaceTotals,
} from "../../../src/operations/consistency/statements";
import type { TestWorkspace } from "../../harness";

/** The wrong totals and copies of a workspace, as the doctor finds them. */
export async function brokenTotals({ ctx }: TestWorkspace) {
  const { rowId } = ctx.workspace;
  return (
    await ctx.db.read(selectWrongWorkspaceTotals(rowId), selectWrongTotals(rowId), selectWrongCopies(rowId))
  ).flat();
}
