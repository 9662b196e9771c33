import type { Context } from "../context";
import { type CacheEntry, leased, writeEntry } from "./cache";
import { entryOf } from "./claim";
import { type SlugTargetRow, settleSlug } from "./repository";

const SECOND_PUSH_SECONDS = 35;
const PUSH_WAIT_MS = 1000;

/** Brings a committed change of slugs to KV. Waits for at most a second and never fails: what is not settled stays due. */
async function push(
  ctx: Context,
  entries: readonly (readonly [key: string, entry: CacheEntry])[],
): Promise<void> {
  if (entries.length === 0) return;
  const writes = entries.map(async ([key, entry]) => {
    await writeEntry(ctx.kv, key, entry);
    return settleSlug(key, entry.rev, ctx.now() + SECOND_PUSH_SECONDS * 1000);
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

/** Pushes the slugs of a link as they stood right after the batch that changed them; `readAt` is from before it. */
export const pushTargets = (ctx: Context, rows: readonly SlugTargetRow[], readAt: number): Promise<void> =>
  push(
    ctx,
    rows.map((row) => [row.key, entryOf(row, readAt)] as const),
  );

/** Pushes the tombstones of a deleted link's slugs. */
export const pushTombstones = (
  ctx: Context,
  rows: readonly { key: string; rev: number }[],
  readAt: number,
): Promise<void> =>
  push(
    ctx,
    rows.map((row) => [row.key, leased({ rev: row.rev, target: null, link: null }, readAt)] as const),
  );
