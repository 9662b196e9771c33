import type { Context } from "../context";
import type { Guard } from "../db/client";
import { invalid, LostRace, limitReached } from "../errors";
import { ensureRoom as ensureRoomFor, LIMITS, type Limited, selectRoom } from "./statements";

/** Throws 422 if the workspace has no room for `more`. */
export async function assertRoom(ctx: Context, kind: Limited, more = 1): Promise<void> {
  const [[room]] = await ctx.db.read(selectRoom(ctx.workspace.rowId, kind, more, ctx.now()));
  const { max, noun } = LIMITS[kind];
  if (room?.has_room === 0) throw invalid([limitReached(kind, max, noun)]);
}

/** Guards a write with `writeWithinLimit`. */
export const ensureRoom = ({ workspace, now }: Context, kind: Limited, more = 1): Guard =>
  ensureRoomFor(workspace.rowId, kind, more, now());

/** Runs a write whose guards include `ensureRoom`. If it loses the race since there is no room, it is 422. */
export async function writeWithinLimit<T>(
  ctx: Context,
  kind: Limited,
  more: number,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof LostRace) await assertRoom(ctx, kind, more);
    throw error;
  }
}
