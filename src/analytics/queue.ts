import type { ServiceContext } from "../context";
import { isOfValues, isOvertakenRun } from "../db/failure";
import type { LiteralDatabase } from "../db/send";
import { timeOfId } from "../lib/ids";
import { perBinding } from "../lib/recent-map";
import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from "../lib/time";
import { withTimeout } from "../lib/with-timeout";
import { logLine } from "../log";
import { addCounts, selectOwners, selectTold, type Told } from "./apply-repository";
import { parseBatch } from "./batch";
import { groupByOwner, type ReadBatch } from "./owner-counts";
import { deleteBatches, insertRun, selectBatches } from "./queue-repository";
import { selectQueueState } from "./queue-statements";
import { LATE_MS } from "./report-limits";
import { isUnknownAddress } from "./unknown-address";
import { addUnknown } from "./unknown-repository";

// Instances write batches of counts to a queue, one row each. They are added up when somebody looks at figures, when many
// wait, or after an hour. So a visit apart from others writes a few rows.

type QueueContext = Pick<ServiceContext, "now"> & { db: LiteralDatabase };
type JobContext = Pick<ServiceContext, "db" | "now">;
type ReportContext = Pick<ServiceContext, "config" | "db" | "kv" | "now">;

/** D1 adds up so many in a tenth of a second, during which it answers nobody else. */
const MAX_LINKS = 1_000;
/** The counts of a link are written once a chunk, so that a busy service writes fewer rows with large ones. */
const MAX_READS = 12;
/** What a chunk of one read takes, 22, and then the other jobs of a minute. */
const MIN_STATEMENTS = 43;
const MAX_RUN_MS = 15 * SECOND_MS;

/** With so many waiting a page of figures would be slow, so they are added up before. */
const MANY_BATCHES = 500;
const MANY_WAIT_MS = 4.5 * MINUTE_MS;
const MAX_WAIT_MS = HOUR_MS;

interface Chunk {
  batches: readonly ReadBatch[];
  /** The time of the last run; null before the first. */
  lastRun: number | null;
  /** The receivers that hear of visits. */
  told: readonly Told[];
  hasMore: boolean;
}

/** Reads the first batches, as far as they and their links are few enough: at least one. */
async function readChunk(db: LiteralDatabase, maxReads: number, maxBatches: number): Promise<Chunk> {
  const links = new Set<string>();
  const batches: ReadBatch[] = [];
  const [first, told] = await db.read(selectBatches(""), selectTold());
  let rows = first;
  const chunk = { batches, lastRun: rows[0]?.last_run ?? null, told };
  for (let reads = 1; ; reads++) {
    for (const { batch, counts: text } of rows) {
      if (batches.length === maxBatches) return { ...chunk, hasMore: true };
      const counts = parseBatch(text);
      if (counts === undefined) logLine("clicks_dropped", { reason: "unreadable", clicks: 0 });
      for (const [link] of counts ?? []) links.add(link);
      if (links.size > MAX_LINKS && batches.length > 0) return { ...chunk, hasMore: true };
      batches.push({ batch, at: timeOfId(batch) ?? 0, counts: counts ?? [] });
    }
    const last = rows.at(-1);
    if (last === undefined || last.batch === last.last_batch) return { ...chunk, hasMore: false };
    if (reads === maxReads) return { ...chunk, hasMore: true };
    [rows] = await db.read(selectBatches(last.batch));
  }
}

/**
 * Adds up a chunk of the queue. Returns whether others wait. If another run was first, or this one was but its answer is
 * lost, nothing is written. If D1 refuses a chunk, its first batch is added up alone, and dropped if it is refused again.
 */
export async function applyChunk(
  ctx: QueueContext,
  maxReads = 1,
  maxBatches = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { batches: chunk, lastRun, told, hasMore } = await readChunk(ctx.db, maxReads, maxBatches);
  if (chunk.length === 0) return false;
  const all = chunk.flatMap((batch) => batch.counts);
  const counts = all.filter(([link]) => !isUnknownAddress(link));
  const hours = counts.flatMap(([, own]) => own);
  const quarters = [
    ...new Set(
      counts.flatMap(([, own, origins]) => [...own.map((row) => row[1]), ...origins.map((row) => row[2])]),
    ),
  ].sort((one, other) => one - other);
  const times = chunk.map(({ at }) => at);
  const [links, assets, stored] = await ctx.db.read(
    ...selectOwners(
      [...new Set(counts.map(([link]) => link))],
      [...new Set(hours.flatMap(([asset]) => asset ?? []))],
      [quarters[0] ?? 0, quarters.at(-1) ?? 0],
      Math.min(...times),
    ),
  );
  const { owners, before } = groupByOwner(chunk, links, assets);
  const linkOf = new Map(links.map(({ id, link }) => [id, link]));
  const batches = chunk.map(({ batch }) => batch);
  const run = Math.max(ctx.now(), (lastRun ?? 0) + 1, ...times);
  try {
    await ctx.db.writeGuarded([
      insertRun(run, lastRun, batches),
      deleteBatches(batches),
      ...addCounts(owners, before, stored, { told, linkOf }),
      ...addUnknown(all, ctx.now()),
    ]);
  } catch (error) {
    if (isOvertakenRun(error)) return true;
    // A database without a migration refuses all batches, none of which must be lost.
    if (!isOfValues(error)) throw error;
    if (chunk.length > 1) return applyChunk(ctx, 1, 1);
    await ctx.db.writeGuarded([insertRun(run, lastRun, batches), deleteBatches(batches)]);
    const clicks = hours.flatMap((row) => row.slice(2, 6) as number[]).reduce((sum, one) => sum + one, 0);
    logLine("clicks_dropped", { reason: "refused", clicks });
  }
  return hasMore;
}

/** Adds up chunks while others wait, for some time, and as far as the statements of the context go. */
async function applyChunks({ db, now }: JobContext, maxMs: number, maxChunks = Number.POSITIVE_INFINITY) {
  const endAt = now() + maxMs;
  const ctx = { db: db.forEverybody(), now };
  for (
    let chunks = 0;
    chunks < maxChunks && now() <= endAt && db.statementsLeft() >= MIN_STATEMENTS;
    chunks++
  )
    if (!(await applyChunk(ctx, Math.min(MAX_READS, 1 + db.statementsLeft() - MIN_STATEMENTS)))) return;
}

export async function applyQueued(ctx: JobContext): Promise<void> {
  const now = ctx.now();
  const [[state]] = await ctx.db.read(selectQueueState(MANY_BATCHES));
  if (state === undefined || state.batch === null) return;
  const since = timeOfId(state.batch) ?? 0;
  if (since < now - LATE_MS) logLine("clicks_waiting", { oldest_at: isoTime(since) });
  if (since > now - (state.waiting < MANY_BATCHES ? MAX_WAIT_MS : MANY_WAIT_MS)) return;
  await applyChunks(ctx, MAX_RUN_MS);
}

/** Before a report that is no page: adds up all that waits. If that fails, its figures are a little older. */
export const applyBeforeJob = (ctx: JobContext): Promise<void> =>
  applyChunks(ctx, Number.POSITIVE_INFINITY).catch(() => undefined);

/** How long figures stay as they are on an instance. */
const PAUSE_MS = 3 * SECOND_MS;
/** How long a page waits for them, after which it is slow. */
const MAX_PAGE_MS = 2 * SECOND_MS;
/** The statements of an invocation for a chunk, so that a page has enough left for itself. */
const STATEMENTS_OF_CHUNK = 50;
/** A request that is cancelled stops, and its run never ends. */
const LOST_RUN_MS = 15 * SECOND_MS;

/** The run of an instance, and when it began, or the last one ended. */
const runOf = perBinding((_: KVNamespace) => ({ running: undefined as Promise<void> | undefined, at: 0 }));

/** Before figures are read: adds up what waits, for two seconds. If that fails, the figures are a little older. */
export async function applyBeforeReport(ctx: ReportContext): Promise<void> {
  const run = runOf(ctx.kv);
  const age = Math.abs(ctx.now() - run.at);
  if (run.running !== undefined && age < LOST_RUN_MS)
    return withTimeout(run.running, MAX_PAGE_MS).catch(() => undefined);
  if (run.running === undefined && age < PAUSE_MS) return;
  const maxChunks = Math.max(1, Math.floor(ctx.config.maxStatements / STATEMENTS_OF_CHUNK));
  const running = applyChunks(ctx, MAX_PAGE_MS, maxChunks)
    .catch(() => undefined)
    .finally(() => {
      if (run.running === running) Object.assign(run, { running: undefined, at: ctx.now() });
    });
  Object.assign(run, { running, at: ctx.now() });
  await running;
}

export async function applyAll(ctx: QueueContext): Promise<void> {
  while (await applyChunk(ctx, MAX_READS));
}
