import type { Context } from "../../context";
import { selectBlockedAmong } from "./blocked-repository";

/** Ids of the links among these that are stopped, because the operator does not allow their destination's host. */
export async function findBlockedAmong(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectBlockedAmong(ctx.workspace.rowId, ids),
  );
  return new Set(rows.map(({ id }) => id));
}
