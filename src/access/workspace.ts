import type { Workspace } from "../context";
import { slugLimit } from "../lib/slug-text";
import { readZones } from "../lib/time-zone";
import type { Usage, WorkspaceRow } from "./workspace-statements";

// What requests know of their workspace. The rest is in resources/workspaces.

export const toWorkspace = (row: WorkspaceRow): Workspace => ({
  rowId: row.id,
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  timeZone: row.time_zone,
  zones: readZones(row.time_zone, row.earlier_zones),
  createdAt: row.created_at,
  ...(row.own_networks !== null && { leavesOutOwnVisits: true }),
});

const NEARLY_FULL_RATIO = 0.9;

/** The resources of which a workspace uses more than 90 %. */
export const nearlyFull = (
  use: Pick<Usage, "link_limit" | "active_links" | "archived_links" | "slug_claims">,
) =>
  [
    { of: "links" as const, used: use.active_links + use.archived_links, limit: use.link_limit },
    { of: "slugs" as const, used: use.slug_claims, limit: slugLimit(use.link_limit) },
  ].flatMap(({ of, used, limit }) =>
    limit !== null && used > NEARLY_FULL_RATIO * limit ? [{ of, used, limit }] : [],
  );

export type NearlyFull = ReturnType<typeof nearlyFull>[number];
