import type { ServiceContext } from "../context";
import { allWorkspaces } from "../workspaces/repository";
import {
  type Difference,
  deleteTotals,
  recountTotals,
  recountWorkspace,
  renewCopies,
  renewTakedowns,
  wrongClaims,
  wrongCopies,
  wrongTakedowns,
  wrongTotals,
  wrongWorkspaceTotals,
} from "./repository";

export interface Finding extends Difference {
  workspace: string;
}

/** Counts again what every workspace keeps, and repairs what is wrong; returns what was. */
export async function examine(ctx: ServiceContext): Promise<{ workspaces: number; repaired: Finding[] }> {
  const [workspaces] = await ctx.db.read(allWorkspaces());
  const repaired: Finding[] = [];
  for (const { id, slug } of workspaces) {
    const found = (
      await ctx.db.read(
        wrongWorkspaceTotals(id),
        wrongTotals(id),
        wrongCopies(id),
        wrongClaims(id),
        wrongTakedowns(id),
      )
    ).flat();
    if (found.length === 0) continue;
    // Recounted in the batch itself: links go on changing between a look and a repair.
    await ctx.db.write(
      {
        workspaceId: id,
        actor: ctx.actor,
        action: "workspace.recount",
        subject: slug,
        at: ctx.now(),
        change: { found },
      },
      [renewCopies(id), deleteTotals(id), recountTotals(id), recountWorkspace(id), renewTakedowns(id)],
    );
    repaired.push(...found.map((difference) => ({ workspace: slug, ...difference })));
  }
  return { workspaces: workspaces.length, repaired };
}
