import { selectWorkspaces } from "../../access/workspace-statements";
import { selectStrayCounts, updateStrayCounts } from "../../analytics/count-statements";
import { applyAll } from "../../analytics/queue";
import { auditEntryIn, type ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import {
  type Difference,
  recountStatements,
  selectWrongCopies,
  selectWrongTotals,
  selectWrongWorkspaceTotals,
} from "./doctor-statements";

type WrongTotal = Difference & { workspace: string };

/** Writes a repair with what was found. It recounts by itself, because rows may change between the read and the repair. */
async function repair(
  ctx: ServiceContext,
  { id, slug }: { id: number; slug: string },
  found: readonly Difference[],
  statements: readonly Statement[],
): Promise<WrongTotal[]> {
  if (found.length === 0) return [];
  const at = ctx.now();
  const entry = auditEntryIn(id, ctx, "workspace.recount", slug, at);
  await ctx.db.write({ ...entry, change: { found } }, statements);
  return found.map((difference) => ({ workspace: slug, ...difference }));
}

/** Adds up clicks that wait, recounts the stored totals of every workspace, and corrects wrong ones. Returns what was wrong. */
export async function recountWorkspaces(ctx: ServiceContext) {
  await applyAll(ctx);
  const [workspaces] = await ctx.db.read(selectWorkspaces());
  const repaired: WrongTotal[] = [];
  for (const workspace of workspaces) {
    const { id, slug } = workspace;
    const totals = await ctx.db.read(
      selectWrongWorkspaceTotals(id),
      selectWrongTotals(id),
      selectWrongCopies(id),
    );
    repaired.push(...(await repair(ctx, workspace, totals.flat(), recountStatements(id))));
    // Apart from the totals, since it reads all counts of the workspace and rarely finds something.
    const [stray] = await ctx.db.read(selectStrayCounts(slug, id));
    repaired.push(...(await repair(ctx, workspace, stray, updateStrayCounts(id))));
  }
  return { workspaces: workspaces.length, repaired };
}
