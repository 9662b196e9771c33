import type { ServiceContext } from "../context";
import { selectWorkspaces } from "../workspaces/repository";
import {
  type Difference,
  deleteTotals,
  insertTotals,
  selectCodesOfLinks,
  selectWrongClaims,
  selectWrongCodes,
  selectWrongCopies,
  selectWrongTakedowns,
  selectWrongTotals,
  selectWrongWorkspaceTotals,
  updateCodes,
  updateCodesOfLinks,
  updateCopies,
  updateTakedowns,
  updateWorkspaceTotals,
} from "./repository";

interface Finding extends Difference {
  workspace: string;
}

/** Recounts the stored totals of every workspace and corrects wrong ones; returns what was wrong. */
export async function recountWorkspaces(
  ctx: ServiceContext,
): Promise<{ workspaces: number; repaired: Finding[] }> {
  const [workspaces] = await ctx.db.read(selectWorkspaces());
  const repaired: Finding[] = [];
  for (const { id, slug } of workspaces) {
    const found = (
      await ctx.db.read(
        selectWrongWorkspaceTotals(id),
        selectWrongTotals(id),
        selectWrongCopies(id),
        selectWrongClaims(id),
        selectWrongTakedowns(id),
        selectCodesOfLinks(id),
        selectWrongCodes(id),
      )
    ).flat();
    if (found.length === 0) continue;
    // The batch recounts by itself, because links may change between the read and the repair.
    const at = ctx.now();
    await ctx.db.write(
      {
        workspaceId: id,
        actor: ctx.actor,
        action: "workspace.recount",
        subject: slug,
        at,
        change: { found },
      },
      [
        updateCodesOfLinks(id, at),
        updateCopies(id),
        deleteTotals(id),
        insertTotals(id),
        updateWorkspaceTotals(id),
        updateCodes(id, at),
        updateTakedowns(id),
      ],
    );
    repaired.push(...found.map((difference) => ({ workspace: slug, ...difference })));
  }
  return { workspaces: workspaces.length, repaired };
}
