import type { Context } from "../context";
import { writeEntry } from "./cache";
import { entryOf } from "./claim";
import { type SlugTargetRow, settleSlug } from "./repository";

const SECOND_PUSH_SECONDS = 35;
const PUSH_WAIT_MS = 1000;

/**
 * Brings a committed change of slugs to KV: the rows as they stood right after the batch, `readAt` from before it.
 * Waits for at most a second and never fails: what is not settled stays due.
 */
export async function pushTargets(
  ctx: Context,
  rows: readonly SlugTargetRow[],
  readAt: number,
): Promise<void> {
  if (rows.length === 0) return;
  const writes = rows.map(async (row) => {
    await writeEntry(ctx.kv, row.key, entryOf(row, readAt));
    return settleSlug(row.key, row.rev, ctx.now() + SECOND_PUSH_SECONDS * 1000);
  });
  const written = Promise.allSettled(writes);
  ctx.later(
    written.then(async (outcomes) => {
      const settled = outcomes.filter((outcome) => outcome.status === "fulfilled");
      await ctx.db.note(...settled.map((outcome) => outcome.value)).catch(() => undefined);
    }),
  );
  const waited = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PUSH_WAIT_MS);
    void written.then(() => clearTimeout(timer));
  });
  await Promise.race([written, waited]);
}
