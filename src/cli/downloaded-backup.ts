import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceContext } from "../context";
import { refusal } from "../operations/backup/backup-format";
import { listBackups } from "../operations/backup/last-backup";

const CHUNK_BYTES = 8 * 2 ** 20;
const LAST = "last";
const FIELD = "from_r2";

async function download(bucket: R2Bucket, name: string, bytes: number, path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (let offset = 0; offset < bytes; offset += CHUNK_BYTES) {
      const range = { offset, length: Math.min(CHUNK_BYTES, bytes - offset) };
      const part = await bucket.get(name, { range });
      if (part === null) throw refusal(`The backup ${name} is in R2 no more.`, FIELD);
      await file.writeFile(new Uint8Array(await part.arrayBuffer()));
    }
  } finally {
    await file.close();
  }
}

/** Downloads a scheduled backup, or the last one, and removes the file after its use. Throws 422 if it is not in R2. */
export async function withDownloadedBackup<T>(
  { backups: bucket }: Pick<ServiceContext, "backups">,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (bucket === undefined) {
    throw refusal(
      "No bucket is bound: npm run deploy -- --backups binds it, and the command needs --remote.",
      FIELD,
    );
  }
  const all = await listBackups(bucket);
  const found = name === LAST ? all[0] : all.find((one) => one.name === name);
  if (found === undefined) {
    const names = all.map((one) => one.name).join(", ") || "none";
    throw refusal(`There is no backup "${name}" in R2. There is: ${names}.`, FIELD);
  }
  const folder = await mkdtemp(join(tmpdir(), "waymark-"));
  try {
    const path = join(folder, "waymark.backup");
    await download(bucket, found.name, found.bytes, path);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
