import type { Context, ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { within } from "../lib/within";
import { writeEntry } from "./cache";
import { entryOf } from "./claim";
import { caughtUp, forget, isolateOf } from "./isolate";
import { dueSlugs, type SlugTargetRow, settleSlug } from "./repository";

const SECOND_PUSH_MS = 35_000;
const PUSH_WAIT_MS = 1_000;
const SWEEP_ROWS = 100;
const SWEEP_MS = 25_000;
const SWEEP_PUT_MS = 5_000;

type Pusher = Pick<ServiceContext, "db" | "kv" | "now">;

/** Writes a row read no earlier than `readAt` to KV; the statement that settles it, if it still is at its revision. */
async function push(ctx: Pusher, row: SlugTargetRow, readAt: number): Promise<Statement> {
  await writeEntry(ctx.kv, row.key, entryOf(row, readAt));
  return settleSlug(row.key, row.rev, readAt, ctx.now() + SECOND_PUSH_MS);
}

/** Settles what was written. What fails here, or was not written, stays due. */
async function settle(ctx: Pusher, outcomes: readonly PromiseSettledResult<Statement>[]): Promise<number> {
  const written = outcomes.filter((outcome) => outcome.status === "fulfilled");
  await ctx.db.note(...written.map((outcome) => outcome.value)).catch(() => undefined);
  return written.length;
}

/**
 * Brings a committed change of slugs to KV: the rows as they stood right after the batch, `readAt` from before it.
 * Waits for at most a second and never fails: what is not settled stays due.
 */
export async function pushTargets(
  ctx: Pusher & Pick<Context, "later">,
  rows: readonly SlugTargetRow[],
  readAt: number,
): Promise<void> {
  if (rows.length === 0) return;
  const isolate = isolateOf(ctx.kv);
  const written = Promise.allSettled(
    rows.map(async (row) => {
      const change = forget(isolate, row.key, readAt);
      const settling = await push(ctx, row, readAt);
      caughtUp(isolate, row.key, change);
      return settling;
    }),
  );
  ctx.later(written.then((outcomes) => settle(ctx, outcomes)));
  await within(written, PUSH_WAIT_MS).catch(() => undefined);
}

/** Pushes every row whose time has come, the oldest first, until none is left or its own time is up. */
export async function sweep(ctx: Pusher): Promise<{ pushed: number; failed: number }> {
  const startedAt = ctx.now();
  const isolate = isolateOf(ctx.kv);
  let pushed = 0;
  let failed = 0;
  let after = { push_at: -1, key: "" };
  while (ctx.now() - startedAt < SWEEP_MS) {
    const readAt = ctx.now();
    const { changes } = isolate;
    const [rows] = await ctx.db.read(dueSlugs(startedAt, after, SWEEP_ROWS));
    const outcomes = await Promise.allSettled(
      rows.map(async (row) => {
        const settling = await within(push(ctx, row, readAt), SWEEP_PUT_MS);
        caughtUp(isolate, row.key, changes);
        return settling;
      }),
    );
    const settled = await settle(ctx, outcomes);
    pushed += settled;
    failed += rows.length - settled;
    const last = rows.at(-1);
    if (last === undefined || rows.length < SWEEP_ROWS) break;
    after = { push_at: last.push_at ?? 0, key: last.key };
  }
  return { pushed, failed };
}
