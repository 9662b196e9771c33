import type { Database } from "../../db/client";
import type { ActiveWindow } from "../../lib/active-window";
import type { SlugKey } from "../../lib/slug-text";
import { composeTarget, type Utm } from "../../lib/target";
import { type CacheEntry, leased } from "./cache";
import { type SlugTargetRow, selectTargetOfSlug } from "./statements/targets";

const NO_UTM: Utm = { utm_source: null, utm_medium: null, utm_campaign: null };

const windowOf = ({
  starts_at: startsAt,
  ends_at: endsAt,
  ended_url: endedUrl,
}: SlugTargetRow): ActiveWindow | null =>
  startsAt === null && endsAt === null
    ? null
    : { startsAt, endsAt, endedUrl: endedUrl === null ? null : composeTarget(endedUrl, NO_UTM) };

/** The KV entry of a row. `readAt` is a time before the row was read; `before` is the entry to refresh. */
export function toCacheEntry(row: SlugTargetRow, readAt: number, before?: CacheEntry): CacheEntry {
  const isOpen = row.is_served === 1 && row.taken_down === 0;
  const target = row.destination_url === null || !isOpen ? null : composeTarget(row.destination_url, row);
  const { rev, workspace_id: workspace, asset } = row;
  const link = row.is_served === 1 ? row.link : null;
  const notFound = row.not_found_url === null || !isOpen ? null : composeTarget(row.not_found_url, NO_UTM);
  const activeWindow = target === null ? null : windowOf(row);
  return leased({ rev, workspace, target, link, asset, activeWindow, notFound }, readAt, before);
}

/** Reads a slug from D1 after `readAt`. Returns undefined if no workspace owns it, or its domain is not served. */
export async function findTarget(
  db: Database,
  key: SlugKey,
  readAt: number,
  before?: CacheEntry,
): Promise<CacheEntry | undefined> {
  const [rows] = await db.read(selectTargetOfSlug(key));
  const row = rows[0];
  return row?.is_served === 1 ? toCacheEntry(row, readAt, before) : undefined;
}
