import { getWorkspace } from "../../access/service";
import type { ServiceContext } from "../../context";
import { MINUTE_MS } from "../../lib/time";
import { continueImport, ROWS_PER_RUN, STATEMENTS_OF_RUN } from "./continue";
import { selectRunningImports } from "./repository";

/**
 * Imports the next rows of one running import. Workspaces take turns from minute to minute, so an import that fails does
 * not stop the others. An import waits if the person who started it may no longer edit links.
 */
export async function continueImports(ctx: ServiceContext) {
  if (ctx.db.statementsLeft() < STATEMENTS_OF_RUN) return { running: 0 };
  const [running] = await ctx.db.read(selectRunningImports());
  const next = running[Math.floor(ctx.now() / MINUTE_MS) % running.length];
  if (next === undefined) return { running: 0 };
  const workspace = await getWorkspace(ctx, next.workspace);
  // The entries of the audit log name the person who started the import.
  const outcome = await continueImport({ ...ctx, actor: next.actor, workspace }, next.id, ROWS_PER_RUN);
  return { running: running.length, import: next.id, done: "done" in outcome && outcome.done };
}
