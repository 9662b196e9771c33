import type { Context, ServiceContext } from "../context";
import { within } from "../lib/within";
import { writeEntry } from "./cache";
import { entryOf } from "./claim";
import { dueSlugs, lastWorkspaceToPush, settleSlug, settleSlugs, type Turn, workspacesToPush } from "./due";
import { caughtUp, forget, isolateOf } from "./isolate";
import type { SlugTargetRow } from "./repository";
import { afterRound, planRound } from "./turns";

const SECOND_PUSH_MS = 35_000;
const PUSH_WAIT_MS = 1_000;
/** What a link with a hundred slugs, or a change of many links, costs the request: the sweep has a budget of its own. */
const MAX_PUSHES_OF_REQUEST = 20;
const SWEEP_ROWS = 100;
const SWEEP_MS = 25_000;
const SWEEP_PUT_MS = 5_000;
/** An invocation has 50 statements of D1 and 1,000 operations of KV on the free plan; removal in the same one takes 24. */
const MAX_SWEEP_PUSHES = 900;
const MAX_SWEEP_STATEMENTS = 24;
const MAX_SWEEP_WORKSPACES = 1_000;
const STATEMENTS_TO_FIND_WORKSPACES = 3;
const STATEMENTS_A_ROUND = 2;

type Pusher = Pick<ServiceContext, "db" | "kv" | "now">;

/** Writes a row read no earlier than `readAt` to KV. */
async function push(ctx: Pusher, row: SlugTargetRow, readAt: number): Promise<SlugTargetRow> {
  await writeEntry(ctx.kv, row.key, entryOf(row, readAt));
  return row;
}

/** Settles what was written and returns how many slugs that is. What fails here, or was not written, stays due. */
async function settle(
  ctx: Pusher,
  outcomes: readonly PromiseSettledResult<SlugTargetRow>[],
  readAt: number,
): Promise<number> {
  const written = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const [first, ...others] = written;
  if (first === undefined) return 0;
  const secondPushAt = ctx.now() + SECOND_PUSH_MS;
  const statement =
    others.length === 0
      ? settleSlug(first.key, first.rev, readAt, secondPushAt)
      : settleSlugs(written, readAt, secondPushAt);
  await ctx.db.writeUnaudited(statement).catch(() => undefined);
  return written.length;
}

/**
 * Brings a committed change of slugs to KV: the rows as they stood right after the batch, `readAt` from before it. Writes
 * at most 20 of them, and leaves the others to the sweep; this instance shows the change of all of them at once. Waits
 * for at most a second and never fails: what is not settled stays due.
 */
export async function pushTargets(
  ctx: Pusher & Pick<Context, "backgroundDb" | "waitUntil">,
  rows: readonly SlugTargetRow[],
  readAt: number,
): Promise<void> {
  if (rows.length === 0) return;
  const isolate = isolateOf(ctx.kv);
  const changed = rows.map((row) => ({ row, change: forget(isolate, row.key, readAt) }));
  const written = Promise.allSettled(
    changed.slice(0, MAX_PUSHES_OF_REQUEST).map(async ({ row, change }) => {
      await push(ctx, row, readAt);
      caughtUp(isolate, row.key, change);
      return row;
    }),
  );
  const behind = { ...ctx, db: ctx.backgroundDb ?? ctx.db };
  ctx.waitUntil(written.then((outcomes) => settle(behind, outcomes, readAt)));
  await within(written, PUSH_WAIT_MS).catch(() => undefined);
}

/** The workspaces whose pushes are due, the one that has waited longest first. */
async function workspacesInTurn(ctx: Pusher, dueAt: number): Promise<Turn[]> {
  const [[found]] = await ctx.db.read(lastWorkspaceToPush());
  if (found?.last == null) return [];
  // Where there are more than are looked at, each has its chance: the first is chosen at random.
  const first = Math.floor(Math.random() * (found.last + 1));
  const half = MAX_SWEEP_WORKSPACES / 2;
  const [above, below] = await ctx.db.read(
    workspacesToPush(first, found.last + 1, half),
    workspacesToPush(0, first, half),
  );
  return [...above, ...below]
    .filter(({ oldest }) => oldest <= dueAt)
    .toSorted((one, other) => one.oldest - other.oldest)
    .map(({ workspace_id: workspaceId }) => ({ workspaceId, after: { push_at: -1, key: "" } }));
}

/**
 * Pushes rows whose time has come, workspace by workspace in turn and the oldest of each first, until none is left or it
 * has used up its time, its statements or its writes of KV. What it leaves stays due.
 */
export async function sweep(ctx: Pusher): Promise<{ pushed: number; failed: number }> {
  const startedAt = ctx.now();
  const isolate = isolateOf(ctx.kv);
  let pushed = 0;
  let failed = 0;
  let statements = STATEMENTS_TO_FIND_WORKSPACES;
  let queue = await workspacesInTurn(ctx, startedAt);
  while (queue.length > 0 && ctx.now() - startedAt < SWEEP_MS) {
    const round = planRound(queue, Math.min(SWEEP_ROWS, MAX_SWEEP_PUSHES - pushed - failed));
    statements += STATEMENTS_A_ROUND;
    if (round.rowsEach === 0 || statements > MAX_SWEEP_STATEMENTS) break;
    const readAt = ctx.now();
    const { changes } = isolate;
    const [rows] = await ctx.db.read(dueSlugs(startedAt, round.turns, round.rowsEach));
    const outcomes = await Promise.allSettled(
      rows.map(async (row) => {
        await within(push(ctx, row, readAt), SWEEP_PUT_MS);
        caughtUp(isolate, row.key, changes);
        return row;
      }),
    );
    const settled = await settle(ctx, outcomes, readAt);
    pushed += settled;
    failed += rows.length - settled;
    queue = afterRound(queue, round, rows);
  }
  return { pushed, failed };
}
