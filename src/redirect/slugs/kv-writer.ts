import type { Context, ServiceContext } from "../../context";
import { slugOfKey } from "../../lib/slug-text";
import { DAY_MS } from "../../lib/time";
import { withTimeout } from "../../lib/with-timeout";
import { type Cache, deleteEntry, isTooOld, writeEntry } from "./cache";
import { type DoubtKind, listChange, listWideChange } from "./doubts";
import { toCacheEntry } from "./lookup";
import { type Doubt, slugMemoryOf } from "./slug-memory";
import { clearDoubts, deleteWritten } from "./statements/doubt-statements";
import { MAX_WRITES_OF_REQUEST } from "./statements/marks";
import { selectDue, updateWritten } from "./statements/outbox";
import { type SettingsRow, type SlugTargetRow, selectTargets } from "./statements/targets";
import { markChunk, selectUnmarked } from "./statements/wide";

/** Later than any write of others that was read before: after 10 s they are dropped, and the platform ends them after 30 s. */
const SECOND_WRITE_MS = 45_000;
/** KV shows a write everywhere after a minute or a little more. */
const SPREAD_MS = 120_000;
const REQUEST_MS = 1_000;
const JOB_MS = 25_000;
const PUT_MS = 5_000;
const CHUNK = 100;
/** The platform allows 1,000 KV operations per invocation. A chunk of refused writes takes 200. */
const MAX_OPERATIONS = 800;
const STATEMENTS_PER_CHUNK = 4;
const MARKING_MS = 10_000;
const STATEMENTS_PER_MARK = 3;
/** How long /health counts what was outdated. */
const OUTDATED_MS = 7 * DAY_MS;

type Writer = Pick<ServiceContext, "db" | "kv" | "config" | "now">;
type Requester = Writer & Pick<Context, "backgroundDb" | "meter" | "waitUntil">;
type WrittenRow = SlugTargetRow | SettingsRow;

const cacheIn = ({ kv, config }: Writer): Cache => ({ kv, epoch: config.cacheEpoch });

/** Writes a row to KV, or removes what KV does not replace. Returns the number of operations; throws if KV has the old value. */
async function write(ctx: Writer, row: WrittenRow, readAt: number): Promise<number> {
  const cache = cacheIn(ctx);
  const entry = toCacheEntry(row, readAt);
  if (isTooOld(entry, ctx.now())) throw new Error("The read is too old to be written.");
  try {
    await writeEntry(cache, row.key, entry);
    return 1;
  } catch {
    await deleteEntry(cache, row.key);
    return 2;
  }
}

/** Records the successful writes and returns their number. The others stay due. */
async function record(
  ctx: Writer,
  rows: readonly WrittenRow[],
  outcomes: readonly PromiseSettledResult<unknown>[],
  readAt: number,
): Promise<number> {
  const written = rows.filter((_, index) => outcomes[index]?.status === "fulfilled");
  if (written.length === 0) return 0;
  const now = ctx.now();
  const times = { readAt, secondAt: now + SECOND_WRITE_MS, doubtUntil: now + SPREAD_MS };
  const revisions = written.map(({ key, rev }) => [key, rev] as const);
  await ctx.db.writeGuarded([updateWritten(revisions, times)]).catch(() => undefined);
  return written.length;
}

/** What visitors see of a slug without D1. Of settings only D1 knows. */
function stateOf(row: WrittenRow): Doubt["state"] {
  if (!("is_served" in row) || slugOfKey(row.key) === "") return null;
  if (row.is_served === 0 || row.link === null) return "gone";
  return row.taken_down === 1 ? "taken_down" : null;
}

/**
 * Writes a committed change to KV. `rows` are the slugs after the batch, `readAt` is a time before it. Writes up to 20 of
 * them, slugs before codes, and leaves the rest to the job. This instance serves the new state of all at once. Waits at most a
 * second, never throws.
 */
export async function writeToKv(ctx: Requester, rows: readonly WrittenRow[], readAt: number): Promise<void> {
  if (rows.length === 0) return;
  const memory = slugMemoryOf(ctx.kv);
  for (const row of rows) listChange(memory, row, stateOf(row));
  const isCode = (row: WrittenRow) => Number("asset" in row && row.asset !== null);
  const first = rows.toSorted((one, other) => isCode(one) - isCode(other)).slice(0, MAX_WRITES_OF_REQUEST);
  if (ctx.meter !== undefined) ctx.meter.kvWrites += first.length;
  const written = Promise.allSettled(first.map((row) => write(ctx, row, readAt)));
  const background = { ...ctx, db: ctx.backgroundDb ?? ctx.db };
  ctx.waitUntil(written.then((outcomes) => record(background, first, outcomes, readAt)));
  await withTimeout(written, REQUEST_MS).catch(() => undefined);
}

/**
 * Puts a committed change of many slugs on this instance's list, marks them as far as it gets, and writes the first ones to KV.
 * `state` is what visitors see without D1. Never throws, since the job goes on.
 */
export async function writeWholeToKv(
  ctx: Requester,
  kind: DoubtKind,
  name: number | string,
  state: Doubt["state"],
): Promise<void> {
  listWideChange(slugMemoryOf(ctx.kv), kind, name, state);
  const work = markDoubts(ctx).then(() => writeDue(ctx, MAX_WRITES_OF_REQUEST));
  ctx.waitUntil(work.catch(() => undefined));
  await withTimeout(work, REQUEST_MS).catch(() => undefined);
}

/** Marks the slugs of what is in doubt as a whole, in chunks, and leaves half of the statements for writes. The next run goes on. */
async function markDoubts({ db, now }: Pick<Writer, "db" | "now">): Promise<void> {
  const startedAt = now();
  const least = Math.max(STATEMENTS_PER_MARK, db.statementsLeft() / 2);
  let [[wide]] = await db.read(selectUnmarked());
  while (wide && now() - startedAt < MARKING_MS && db.statementsLeft() >= least)
    [[wide]] = await db.writeGuarded(markChunk(wide, now()), selectUnmarked());
}

/** Writes due slugs in chunks. Stops at its limit of time, statements or KV operations, or where KV refuses a whole chunk. */
async function writeDue(ctx: Writer, most: number): Promise<{ pushed: number; failed: number }> {
  const startedAt = ctx.now();
  const [due] = await ctx.db.read(selectDue(startedAt, most));
  const keys = due.map(({ key }) => key);
  let [pushed, failed, operations] = [0, 0, 0];
  for (let start = 0; start < keys.length && operations < MAX_OPERATIONS; start += CHUNK) {
    if (ctx.now() - startedAt >= JOB_MS || ctx.db.statementsLeft() < STATEMENTS_PER_CHUNK) break;
    const readAt = ctx.now();
    const rows = (await ctx.db.read(...selectTargets(keys.slice(start, start + CHUNK)))).flat();
    const outcomes = await Promise.allSettled(
      rows.map((row) => withTimeout(write(ctx, row, readAt), PUT_MS)),
    );
    for (const outcome of outcomes) operations += outcome.status === "fulfilled" ? outcome.value : 2;
    const recorded = await record(ctx, rows, outcomes, readAt);
    pushed += recorded;
    failed += rows.length - recorded;
    if (recorded < rows.length && recorded === 0) break;
  }
  return { pushed, failed };
}

/** The job: marks what is in doubt as a whole, writes what is due to KV, and ends the doubts of what is written. */
export async function writeDueSlugs(ctx: Writer): Promise<{ pushed: number; failed: number }> {
  await markDoubts(ctx);
  const written = await writeDue(ctx, MAX_OPERATIONS);
  const now = ctx.now();
  if (ctx.db.statementsLeft() >= 2)
    await ctx.db.writeGuarded([clearDoubts(now), deleteWritten(now - OUTDATED_MS)]);
  return written;
}
