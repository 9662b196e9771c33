import {
  selectWrongCopies,
  selectWrongTotals,
  selectWrongWorkspaceTotals,
} from "../../src/operations/consistency/doctor-statements";
import type { TestWorkspace } from "../harness";

/** The doctor's findings for a workspace. */
export async function stateOf({ ctx }: TestWorkspace) {
  const { rowId } = ctx.workspace;
  return (
    await ctx.db.read(selectWrongWorkspaceTotals(rowId), selectWrongTotals(rowId), selectWrongCopies(rowId))
  ).flat();
}
