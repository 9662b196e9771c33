import type { Database } from "../db/client";
import { type FieldError, SLUG_TAKEN, SLUG_TAKEN_DOWN } from "../errors";
import { composeTarget } from "../lib/target";
import { type CacheEntry, leased } from "./cache";
import type { SlugClaimRow } from "./claims";
import { type SlugTargetRow, targetOfSlug } from "./repository";

/** The refusal where a slug belongs to another workspace, is taken down, or opens a link other than `linkId`. */
export const slugProblem = (
  claims: readonly SlugClaimRow[],
  linkId: string | null,
): FieldError | undefined => {
  const claim = claims[0];
  if (claim === undefined) return undefined;
  // Another workspace learns nothing of a takedown.
  if (claim.own !== 1) return SLUG_TAKEN;
  if (claim.taken_down === 1) return SLUG_TAKEN_DOWN;
  return claim.link === null || claim.link === linkId ? undefined : SLUG_TAKEN;
};

/** What KV shall hold for a slug whose row was read no earlier than `readAt`; `before` is the entry that it refreshes. */
export function entryOf(row: SlugTargetRow, readAt: number, before?: CacheEntry): CacheEntry {
  const target =
    row.destination_url === null || row.taken_down === 1 ? null : composeTarget(row.destination_url, row);
  return leased({ rev: row.rev, target, link: row.link }, readAt, before);
}

/** What D1 says of a slug, read after `readAt`: an entry, or undefined where nobody ever claimed it. */
export async function findTarget(
  db: Database,
  key: string,
  readAt: number,
  before?: CacheEntry,
): Promise<CacheEntry | undefined> {
  const [rows] = await db.read(targetOfSlug(key));
  const row = rows[0];
  return row === undefined ? undefined : entryOf(row, readAt, before);
}
