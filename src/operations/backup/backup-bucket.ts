import type { Progress } from "./back-up";
import type { Seal } from "./backup-format";
import { listBackups } from "./last-backup";

// The R2 bucket of scheduled backups. It has them, and how far the running one is. R2 is consistent, so that what was
// written is read.

const RUNNING = "running";
const MAX_BACKUPS = 30;

/** A backup that is being written, without the bytes that fill no part yet. */
export interface RunningBackup {
  name: string;
  upload: string;
  schema: string;
  begun_at: number;
  /** Until then no other run goes on with it. */
  claimed_until: number;
  parts: R2UploadedPart[];
  rows: Seal["rows"];
  /** The line after the last chunk. */
  sealed: string | null;
  progress: Progress;
}

export interface Running {
  backup: RunningBackup;
  rest: Uint8Array;
}

const LINE_FEED = 10;

export const encode = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));

export function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** Stores it. Returns its etag, or undefined if another run has begun one, or replaced what has this `etag`. */
export async function writeRunning(
  bucket: R2Bucket,
  { backup, rest }: Running,
  etag?: string,
): Promise<string | undefined> {
  const value = joined(encode([JSON.stringify(backup)]), rest);
  const onlyIf = etag === undefined ? { etagDoesNotMatch: "*" } : { etagMatches: etag };
  return (await bucket.put(RUNNING, value, { onlyIf }))?.etag;
}

export async function readRunning(bucket: R2Bucket): Promise<(Running & { etag: string }) | undefined> {
  const object = await bucket.get(RUNNING);
  if (object === null) return undefined;
  const bytes = new Uint8Array(await object.arrayBuffer());
  const end = bytes.indexOf(LINE_FEED);
  const backup = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as RunningBackup;
  return { backup, rest: bytes.subarray(end + 1), etag: object.etag };
}

export const forgetRunning = (bucket: R2Bucket): Promise<void> => bucket.delete(RUNNING);

/** Deletes all but the newest. */
export async function removeOldBackups(bucket: R2Bucket): Promise<void> {
  const old = (await listBackups(bucket)).slice(MAX_BACKUPS);
  if (old.length > 0) await bucket.delete(old.map(({ name }) => name));
}
