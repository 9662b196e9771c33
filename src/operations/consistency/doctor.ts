import { selectWorkspaces } from "../../access/workspace-statements";
import { selectStrayCounts, updateStrayCounts } from "../../analytics/count-statements";
import { applyAll } from "../../analytics/queue";
import { auditEntryIn, type ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import { findProblems, type Problem } from "./deep-check";
import { raiseTotals, type StoredObject, selectLowTotals } from "./deep-statements";
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

/** A workspace has claimed more slugs than it has rows. Rows are missing, which no recount brings back. */
const isMissingSlugs = ({ kept, is, should_be: counted }: Difference): boolean =>
  kept === "slugs" && (is ?? 0) > (counted ?? 0);

const toProblem = ({ of, is, should_be: counted }: Difference): Problem => ({
  problem: "slugs whose rows are missing",
  rows: (is ?? 0) - (counted ?? 0),
  such_as: of,
});

/**
 * Adds up clicks that wait, recounts the stored totals of every workspace, and corrects wrong ones. Returns what was wrong, and
 * what no recount can mend. With the schema that the database should have it looks at everything.
 */
export async function recountWorkspaces(ctx: ServiceContext, schema?: readonly StoredObject[]) {
  const deep = schema === undefined ? undefined : await findProblems(ctx, schema);
  const problems = deep?.problems ?? [];
  if (deep?.hasAllTables === false) return { workspaces: 0, repaired: [], problems };
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
    const [missing, wrong] = [true, false].map((is) =>
      totals.flat().filter((total) => isMissingSlugs(total) === is),
    );
    problems.push(...(missing ?? []).map(toProblem));
    repaired.push(...(await repair(ctx, workspace, wrong ?? [], recountStatements(id))));
    // Apart from the totals, since it reads all counts of the workspace and rarely finds something.
    const [stray] = await ctx.db.read(selectStrayCounts(slug, id));
    repaired.push(...(await repair(ctx, workspace, stray, updateStrayCounts(id))));
    if (deep === undefined) continue;
    const low = await ctx.db.read(...selectLowTotals(id));
    repaired.push(...(await repair(ctx, workspace, low.flat(), raiseTotals(id))));
  }
  return {
    workspaces: workspaces.length,
    repaired,
    ...((deep !== undefined || problems.length > 0) && { problems }),
  };
}
