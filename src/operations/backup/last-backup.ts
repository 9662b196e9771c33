import type { ServiceContext } from "../../context";
import { HOUR_MS, isoTime } from "../../lib/time";

// The whole backups in R2.

const BACKUPS = "backups/";
const OLD_MS = 30 * HOUR_MS;

/** The name of a backup's object, which sorts by time. */
export const backupName = (at: string): string => `${BACKUPS}${at.replaceAll(":", "-")}.backup`;

/** The whole backups, the newest first. */
export async function listBackups(bucket: R2Bucket) {
  const { objects } = await bucket.list({ prefix: BACKUPS });
  return objects
    .map(({ key, size, uploaded }) => ({ name: key, bytes: size, at: uploaded.getTime() }))
    .toSorted((one, other) => (one.name < other.name ? 1 : -1));
}

/** The newest whole backup; undefined if there is none. */
export const lastBackup = async (bucket: R2Bucket) => (await listBackups(bucket))[0];

export const isOld = ({ at }: { at: number }, now: number): boolean => now - at >= OLD_MS;

/** What `/health` says: the last whole backup, and whether it is old; null if there is none yet. */
export async function describeLastBackup({ backups: bucket, now }: Pick<ServiceContext, "backups" | "now">) {
  const last = bucket && (await lastBackup(bucket));
  return last === undefined ? null : { ...last, at: isoTime(last.at), is_old: isOld(last, now()) };
}
