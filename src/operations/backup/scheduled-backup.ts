import { selectWorkspaces } from "../../access/workspace-statements";
import type { ServiceContext } from "../../context";
import { sha256Hex } from "../../lib/hash";
import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS } from "../../lib/time";
import { queueAlerts } from "../alerts/queue-alerts";
import { readMigrations } from "../applied-migrations";
import { beginBackup, readStep, statementsOf, toIds } from "./back-up";
import {
  encode,
  forgetRunning,
  joined,
  type Running,
  type RunningBackup,
  readRunning,
  removeOldBackups,
  writeRunning,
} from "./backup-bucket";
import { rowCounter, sealedLine } from "./backup-format";
import { selectLastAuditId } from "./backup-repository";
import { backupName, isOld, lastBackup } from "./last-backup";

// Writes a backup into R2, a chunk a run: a run has few statements and little memory.

/** R2 wants parts of the same size, but for the last. */
const PART_BYTES = 5 * 2 ** 20;
/** Of the statements of an invocation, since each reads and writes out 500 rows. */
const SHARE_OF_STATEMENTS = 0.1;
const MAX_RUN_MS = 20 * SECOND_MS;
/** Longer than a run takes. A run that was ended leaves its claim. */
const CLAIM_MS = 5 * MINUTE_MS;
/** R2 keeps an upload for seven days. */
const MAX_DURATION_MS = 3 * DAY_MS;

type Writer = Pick<ServiceContext, "db" | "config" | "now" | "backups">;

const hashOf = (lines: readonly string[]): Promise<string> =>
  sha256Hex(lines.map((line) => `${line}\n`).join(""));

/** Tells that the last backup is old. A bucket without one is new. */
async function tellOldBackup(ctx: Writer, bucket: R2Bucket): Promise<void> {
  const last = await lastBackup(bucket);
  if (last === undefined || !isOld(last, ctx.now())) return;
  const at = isoTime(last.at);
  const text = `The last scheduled backup is of ${at.slice(0, 16).replace("T", " ")} UTC.`;
  const alert = {
    key: `backup.old:${at}`,
    kind: "backup.old" as const,
    text,
    facts: { name: last.name, at },
  };
  await ctx.db.writeOnce(...queueAlerts(ctx, [alert]));
}

/** Begins a backup, unless one is being written. The runs of every minute go on with it. */
export async function startBackup(ctx: Writer): Promise<{ started: boolean }> {
  const { backups: bucket } = ctx;
  if (bucket === undefined) return { started: false };
  await tellOldBackup(ctx, bucket);
  if ((await readRunning(bucket)) !== undefined) return { started: false };
  const { head, progress } = await beginBackup(ctx);
  const name = backupName(head.at);
  const multipart = await bucket.createMultipartUpload(name);
  const first = JSON.stringify(head);
  const sealed = sealedLine(await hashOf([first]));
  const backup: RunningBackup = {
    ...{ name, upload: multipart.uploadId, schema: head.schema, begun_at: ctx.now(), claimed_until: 0 },
    ...{ parts: [], rows: {}, sealed, progress },
  };
  const started = (await writeRunning(bucket, { backup, rest: encode([first, sealed]) })) !== undefined;
  // Another run was first.
  if (!started) await multipart.abort();
  return { started };
}

/** Uploads the whole parts of the rest, or all of it. */
async function upload(bucket: R2Bucket, { backup, rest }: Running, isAll: boolean): Promise<Running> {
  const parts = [...backup.parts];
  const multipart = bucket.resumeMultipartUpload(backup.name, backup.upload);
  let left = rest;
  while (left.length >= PART_BYTES || (isAll && left.length > 0)) {
    parts.push(await multipart.uploadPart(parts.length + 1, left.slice(0, PART_BYTES)));
    left = left.subarray(PART_BYTES);
  }
  return { backup: { ...backup, parts }, rest: left };
}

async function complete(bucket: R2Bucket, { name, upload, parts }: RunningBackup): Promise<void> {
  try {
    await bucket.resumeMultipartUpload(name, upload).complete(parts);
  } catch (error) {
    // Its answer may have been lost.
    if ((await bucket.head(name)) === null) throw error;
  }
}

async function giveUp(bucket: R2Bucket, { name, upload }: RunningBackup, reason: unknown): Promise<never> {
  await bucket
    .resumeMultipartUpload(name, upload)
    .abort()
    .catch(() => undefined);
  await forgetRunning(bucket);
  throw new Error(`The backup ${name} was given up. The next daily run begins another one.`, {
    cause: reason,
  });
}

/** Whether the database is not the one that the backup was begun of: it was upgraded, or went back in time. */
async function readIds(ctx: Writer, { schema, progress }: RunningBackup) {
  const [workspaces, [audit]] = await ctx.db.read(selectWorkspaces(), selectLastAuditId());
  const isSame = (await readMigrations(ctx.db)).at(-1) === schema && (audit?.last ?? 0) >= progress.seen;
  return isSame ? toIds(workspaces) : undefined;
}

/** Reads the next chunk, and adds its lines to the rest. */
async function readChunk(ctx: Writer, { backup, rest }: Running, ids: ReturnType<typeof toIds>) {
  const startedAt = ctx.now();
  const maxSteps = Math.floor(ctx.config.maxStatements * SHARE_OF_STATEMENTS);
  const rows = { ...backup.rows };
  const lines: string[] = [];
  let size = 0;
  let next: RunningBackup["progress"] | undefined = backup.progress;
  for (let steps = 0; next !== undefined && steps < maxSteps && size < PART_BYTES; steps++) {
    if (ctx.db.statementsLeft() < statementsOf(next) || ctx.now() - startedAt > MAX_RUN_MS) break;
    const step: Awaited<ReturnType<typeof readStep>> = await readStep(ctx, ids, next);
    for (const line of step.lines) size += line.length;
    lines.push(...step.lines);
    next = step.next;
  }
  lines.forEach(rowCounter(rows));
  const hash = await hashOf(backup.sealed === null ? lines : [backup.sealed, ...lines]);
  const sealed = next === undefined ? JSON.stringify({ rows, sha256: hash }) : sealedLine(hash);
  const progress = next ?? backup.progress;
  const running = {
    backup: { ...backup, rows, sealed, progress },
    rest: joined(rest, encode([...lines, sealed])),
  };
  return { running, isWhole: next === undefined };
}

/** Goes on with the backup that is being written, if there is one that no other run has claimed. */
export async function continueBackup(ctx: Writer): Promise<{ backup: string | null }> {
  const { backups: bucket } = ctx;
  const found = bucket && (await readRunning(bucket));
  if (bucket === undefined || found === undefined || found.backup.claimed_until > ctx.now())
    return { backup: null };
  const { name } = found.backup;
  const claimed = { ...found.backup, claimed_until: ctx.now() + CLAIM_MS };
  const etag = await writeRunning(bucket, { ...found, backup: claimed }, found.etag);
  if (etag === undefined) return { backup: null };
  if ((await bucket.head(name)) === null) {
    if (ctx.now() - claimed.begun_at > MAX_DURATION_MS) await giveUp(bucket, claimed, "It took too long.");
    const ids = await readIds(ctx, claimed);
    if (ids === undefined) return giveUp(bucket, claimed, "The database is another one.");
    const { running, isWhole } = await readChunk(ctx, { ...found, backup: claimed }, ids);
    const uploaded = await upload(bucket, running, isWhole);
    if (!isWhole) {
      await writeRunning(bucket, { ...uploaded, backup: { ...uploaded.backup, claimed_until: 0 } }, etag);
      return { backup: name };
    }
    await complete(bucket, uploaded.backup).catch((error) => giveUp(bucket, claimed, error));
  }
  await forgetRunning(bucket);
  await removeOldBackups(bucket);
  return { backup: name };
}
