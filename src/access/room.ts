import type { Context } from "../context";
import type { AuditedChange, ReadStatement, Results, Statement } from "../db/client";
import { LostRace } from "../errors";
import { invalid, limitReached } from "../field-errors";
import { ensureRoom, LIMITS, type Limited, selectRoom } from "./workspace-statements";

/** Throws 422 if the workspace has no room for `more`. */
async function assertRoom(ctx: Context, kind: Limited, more = 1): Promise<void> {
  const [[room]] = await ctx.db.read(selectRoom(ctx.workspace.rowId, kind, more, ctx.now()));
  const { max, noun } = LIMITS[kind];
  if (room?.has_room === 0) throw invalid([limitReached(kind, max, noun)]);
}

/** Writes what adds `more` to the workspace. If it loses the race since there is no room, it is 422. */
export async function writeWithinLimit<S extends readonly ReadStatement[]>(
  ctx: Context,
  [kind, more]: readonly [kind: Limited, more: number],
  change: AuditedChange,
  statements: readonly Statement[],
  ...reads: S
): Promise<Results<S>> {
  const guards = [...(change.guards ?? []), ensureRoom(ctx.workspace.rowId, kind, more, ctx.now())];
  try {
    return await ctx.db.write({ ...change, space: "takes", guards }, statements, ...reads);
  } catch (error) {
    if (error instanceof LostRace) await assertRoom(ctx, kind, more);
    throw error;
  }
}
