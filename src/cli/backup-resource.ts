import type { Unstable_RawConfig } from "wrangler";
import type { Wrangler } from "./cloudflare-resources";
import { messageOf } from "./run";

// The R2 bucket of scheduled backups, which a deployment creates and binds with `--backups`.

export const BACKUPS_BINDING = "BACKUPS";

type Buckets = NonNullable<Unstable_RawConfig["r2_buckets"]>;

/** The binding of the bucket. */
export const toBackupBuckets = (name: string, jurisdiction: string | undefined): Buckets => [
  {
    binding: BACKUPS_BINDING,
    bucket_name: name,
    ...(jurisdiction !== undefined && { jurisdiction }),
    remote: true,
  },
];

const findIn = (config: Unstable_RawConfig | undefined) =>
  config?.r2_buckets?.find(({ binding }) => binding === BACKUPS_BINDING);

/** The name of the bucket that the Worker gets; undefined for none. Without an option it has what it had. */
export function backupBucketName(
  worker: string,
  wanted: boolean | undefined,
  last: Unstable_RawConfig | undefined,
): string | undefined {
  const before = findIn(last)?.bucket_name;
  if (wanted === undefined) return before;
  return wanted ? (before ?? `${worker}-backups`) : undefined;
}

/** Creates the bucket, unless the account has it in this jurisdiction. */
export async function createBackupBucket(
  wrangler: Wrangler,
  name: string,
  jurisdiction: string | undefined,
): Promise<void> {
  const placed = jurisdiction === undefined ? [] : ["--jurisdiction", jurisdiction];
  await wrangler(["r2", "bucket", "create", name, ...placed]).catch((error: unknown) => {
    if (!/already exists/i.test(messageOf(error))) throw error;
  });
}
