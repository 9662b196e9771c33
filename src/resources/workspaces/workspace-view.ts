import { nearlyFull } from "../../access/workspace";
import type { WorkspaceRow } from "../../access/workspace-statements";
import { slugLimit } from "../../lib/slug-text";
import { isoTime, isoTimeOrNull } from "../../lib/time";

export const toWorkspaceView = (row: WorkspaceRow) => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  time_zone: row.time_zone,
  scans_name_asset: row.scans_name_asset === 1,
  shares_reports: row.shares_reports === 1,
  shows_name: row.shows_name === 1,
  colour: row.colour,
  /** The networks whose visits do not count, a line each. */
  own_networks: row.own_networks === null ? null : (JSON.parse(row.own_networks) as string[]).join("\n"),
  link_limit: row.link_limit,
  /** Archived ones included. */
  links: row.active_links + row.archived_links,
  archived_links: row.archived_links,
  /** All claimed slugs, tombstones included. */
  slugs: row.slug_claims,
  slug_limit: slugLimit(row.link_limit),
  /** The resources above 90 % of their limit, such as `links and slugs`; null if there are none. */
  nearly_full:
    nearlyFull(row)
      .map(({ of }) => of)
      .join(" and ") || null,
  tags: row.tag_count,
  suspended_at: isoTimeOrNull(row.suspended_at),
  created_at: isoTime(row.created_at),
});

export type WorkspaceView = ReturnType<typeof toWorkspaceView>;
