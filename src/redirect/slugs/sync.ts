import type { Context, ServiceContext } from "../../context";
import type { SlugKey } from "../../lib/slug-text";
import { withTimeout } from "../../lib/with-timeout";
import { writeEntry } from "./cache";
import { toCacheEntry } from "./lookup";
import { markChanged, markPushed, slugMemoryOf } from "./memory";
import { selectDueOfEachWorkspace, selectOldestDue, updatePushedSlugs } from "./push-queue";
import { type SlugTargetRow, selectTargetsOfSlugs } from "./statements/targets";

const SECOND_PUSH_MS = 35_000;
const PUSH_WAIT_MS = 1_000;
/** A change can affect many slugs. The sweep pushes the rest. */
const MAX_PUSHES_OF_REQUEST = 20;
/** Of slugs that a link had before. Most links have fewer. */
const MAX_OLD_PUSHES_OF_REQUEST = 4;
const SWEEP_ROWS = 100;
const SWEEP_MS = 25_000;
const SWEEP_PUT_MS = 5_000;
/** The platform allows 1,000 KV operations per invocation. */
const MAX_SWEEP_PUSHES = 900;
const STATEMENTS_PER_CHUNK = 2;

type Pusher = Pick<ServiceContext, "db" | "kv" | "now">;

/** Writes a row that was read after `readAt` to KV. */
async function push(ctx: Pusher, row: SlugTargetRow, readAt: number): Promise<SlugTargetRow> {
  await writeEntry(ctx.kv, row.key, toCacheEntry(row, readAt));
  return row;
}

/** Records the successful pushes and returns their number. The others stay due. */
async function recordPushes(
  ctx: Pusher,
  outcomes: readonly PromiseSettledResult<SlugTargetRow>[],
  readAt: number,
): Promise<number> {
  const pushed = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  if (pushed.length === 0) return 0;
  const secondPushAt = ctx.now() + SECOND_PUSH_MS;
  const revisions = pushed.map(({ key, rev }) => [key, rev]);
  await ctx.db.writeGuarded([updatePushedSlugs(revisions, readAt, secondPushAt)]).catch(() => undefined);
  return pushed.length;
}

/**
 * Pushes a committed change to KV. `rows` are the slugs after the batch, `readAt` is a time before it. Pushes up to 20 of
 * them, slugs before codes, four old slugs at most, and leaves the rest to the sweep. This instance serves the new state of all at
 * once. Waits at most a second, never throws.
 */
export async function pushTargets(
  ctx: Pusher & Pick<Context, "backgroundDb" | "meter" | "waitUntil">,
  rows: readonly SlugTargetRow[],
  readAt: number,
): Promise<void> {
  if (rows.length === 0) return;
  const memory = slugMemoryOf(ctx.kv);
  const slugsFirst = rows.toSorted((one, other) => Number(one.asset !== null) - Number(other.asset !== null));
  const changed = slugsFirst.map((row) => ({ row, change: markChanged(memory, row, readAt) }));
  const old = changed.filter(({ row }) => row.is_old === 1).slice(0, MAX_OLD_PUSHES_OF_REQUEST);
  const first = [...changed.filter(({ row }) => row.is_old === 0), ...old].slice(0, MAX_PUSHES_OF_REQUEST);
  if (ctx.meter !== undefined) ctx.meter.kvWrites += first.length;
  const written = Promise.allSettled(
    first.map(async ({ row, change }) => {
      await push(ctx, row, readAt);
      markPushed(memory, row, change);
      return row;
    }),
  );
  const background = { ...ctx, db: ctx.backgroundDb ?? ctx.db };
  ctx.waitUntil(written.then((outcomes) => recordPushes(background, outcomes, readAt)));
  await withTimeout(written, PUSH_WAIT_MS).catch(() => undefined);
}

/** The slugs of a sweep. Half of the places are shared equally between workspaces, so that none waits for another's many slugs. */
async function listDueSlugs(ctx: Pusher, dueAt: number): Promise<SlugKey[]> {
  const [ofEach, oldest] = await ctx.db.read(
    selectDueOfEachWorkspace(dueAt, MAX_SWEEP_PUSHES / 2),
    selectOldestDue(dueAt, MAX_SWEEP_PUSHES),
  );
  const keys = new Set([...ofEach, ...oldest].map(({ key }) => key));
  return [...keys].slice(0, MAX_SWEEP_PUSHES);
}

/** Pushes due slugs in chunks. Stops at its limit of time, statements or KV writes. The rest stays due. */
export async function sweep(ctx: Pusher): Promise<{ pushed: number; failed: number }> {
  const startedAt = ctx.now();
  const memory = slugMemoryOf(ctx.kv);
  let pushed = 0;
  let failed = 0;
  const due = await listDueSlugs(ctx, startedAt);
  for (let start = 0; start < due.length; start += SWEEP_ROWS) {
    if (ctx.now() - startedAt >= SWEEP_MS || ctx.db.statementsLeft() < STATEMENTS_PER_CHUNK) break;
    const readAt = ctx.now();
    const { changes } = memory;
    const [rows] = await ctx.db.read(selectTargetsOfSlugs(due.slice(start, start + SWEEP_ROWS)));
    const outcomes = await Promise.allSettled(
      rows.map(async (row) => {
        await withTimeout(push(ctx, row, readAt), SWEEP_PUT_MS);
        markPushed(memory, row, changes);
        return row;
      }),
    );
    const recorded = await recordPushes(ctx, outcomes, readAt);
    pushed += recorded;
    failed += rows.length - recorded;
  }
  return { pushed, failed };
}
