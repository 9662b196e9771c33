import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { abortUnless, ensureRow } from "../db/audit";
import { type BoundList, fromList, listed } from "../db/bound-list";
import type { Guard } from "../db/client";
import { orm, prepared } from "../db/prepared";
import { apiKeys, members, workspaces } from "../db/schema/access";
import { activityGroups } from "../db/schema/activity-groups";
import { savedChannels } from "../db/schema/channels";
import { codeBrandings } from "../db/schema/code-brandings";
import { domains } from "../db/schema/domains";
import { offlineAssets } from "../db/schema/engagement";
import { receivers } from "../db/schema/events";
import { reports } from "../db/schema/reports";
import { savedViews } from "../db/schema/views";
import { WHERE_SERVED } from "./served";

/** What requests know of their workspace. The others may be long, and few requests need them. */
const {
  conventions: _,
  page_texts: _texts,
  button_label: _label,
  button_url: _url,
  button_host: _host,
  logo: _logo,
  ...columns
} = getTableColumns(workspaces);
export const WORKSPACE_COLUMNS = columns;

export type WorkspaceRow = Pick<typeof workspaces.$inferSelect, keyof typeof columns>;

export const selectWorkspaceBySlug = prepared((slug: string) =>
  orm.select(WORKSPACE_COLUMNS).from(workspaces).where(eq(workspaces.slug, slug)),
);

export const selectWorkspaces = () =>
  orm.select(WORKSPACE_COLUMNS).from(workspaces).orderBy(asc(workspaces.slug));

export const ensureRoomForTag = (workspaceId: number, limit: number): Guard =>
  abortUnless(
    sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId} and ${workspaces.tag_count} < ${limit})`,
  );

export const selectUsage = prepared((workspaceId: number) =>
  orm
    .select({
      link_limit: workspaces.link_limit,
      active_links: workspaces.active_links,
      archived_links: workspaces.archived_links,
      tag_count: workspaces.tag_count,
      slug_claims: workspaces.slug_claims,
      time_zone: workspaces.time_zone,
    })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId)),
);

export type Usage = ReturnType<typeof selectUsage>["rows"][number];

/** True while the workspace has the zone in which days were read. */
export const ensureZone = (workspaceId: number, zone: string) =>
  ensureRow(workspaces, { id: workspaceId, time_zone: zone });

/** How many links have a status, by the columns that count active and archived ones. */
export const linksCounted = (
  status: "active" | "archived" | "all",
  active: SQLiteColumn,
  archived: SQLiteColumn,
): SQL<number> =>
  status === "all" ? sql`${active} + ${archived}` : sql`${status === "active" ? active : archived}`;

/** The same of a workspace, without deleted ones. */
export const linksOfWorkspace = (status: "active" | "archived" | "all"): SQL<number> =>
  linksCounted(status, workspaces.active_links, workspaces.archived_links);

export const selectLinkTotal = (workspaceId: number, status: "active" | "archived" | "all") =>
  orm
    .select({ total: linksOfWorkspace(status) })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));

export const updateTagCount = (workspaceId: number, difference: number) =>
  orm
    .update(workspaces)
    .set({ tag_count: sql`${workspaces.tag_count} + ${difference}` })
    .where(eq(workspaces.id, workspaceId));

/** What people create has a limit for each workspace, which is far above what one needs. */
export const LIMITS = {
  key: { table: apiKeys, max: 100, noun: "active API keys" },
  member: { table: members, max: 500, noun: "members" },
  group: { table: activityGroups, max: 10_000, noun: "Activity Groups" },
  asset: { table: offlineAssets, max: 20_000, noun: "assets" },
  domain: { table: domains, max: 20, noun: "domains" },
  report: { table: reports, max: 20, noun: "reports" },
  receiver: { table: receivers, max: 5, noun: "receivers" },
  channel: { table: savedChannels, max: 100, noun: "saved channels" },
  branding: { table: codeBrandings, max: 10, noun: "brandings of codes" },
  view: { table: savedViews, max: 50, noun: "saved views" },
} as const;

export type Limited = keyof typeof LIMITS;

/** Whether the workspace has room for `more`. Keys and reports that have ended at `at` do not count. */
function hasRoom(workspaceId: number, kind: Limited, more: number, at: number): SQL {
  const { table, max } = LIMITS[kind];
  const counted: Partial<Record<Limited, SQL>> = {
    key: sql`and ${apiKeys.revoked_at} is null and (${apiKeys.expires_at} is null or ${apiKeys.expires_at} > ${at})`,
    report: sql`and ${reports.ends_at} > ${at}`,
  };
  const counts = counted[kind] ?? sql.empty();
  return sql`(select count(*) from (select 1 from ${table} where ${table.workspace_id} = ${workspaceId} ${counts}
    limit ${max})) + ${more} <= ${max}`;
}

export const ensureRoom = (workspaceId: number, kind: Limited, more: number, at: number): Guard =>
  abortUnless(hasRoom(workspaceId, kind, more, at));

export const selectRoom = (workspaceId: number, kind: Limited, more: number, at: number) =>
  orm.all<{ has_room: number }>(sql`select ${hasRoom(workspaceId, kind, more, at)} as has_room`);

export const whereServed: SQL = sql.raw(WHERE_SERVED);

/** By host. There are at most 20. */
export const selectServedDomains = prepared((workspaceId: number) =>
  orm
    .select({ host: domains.host, state: domains.state, is_primary: domains.is_primary })
    .from(domains)
    .where(and(eq(domains.workspace_id, workspaceId), whereServed))
    .orderBy(asc(domains.host)),
);

export type ServedDomain = ReturnType<typeof selectServedDomains>["rows"][number];

/** The beginning of a key on the workspace's primary domain, or on the short host if it has none. */
export const primaryPrefix = (workspaceId: number | SQL): SQL =>
  sql`coalesce((select ${domains.host} || '/' from ${domains} where ${domains.workspace_id} = ${workspaceId}
    and ${domains.is_primary} = 1), '')`;

/** True while all of the hosts are domains on which the workspace's links are served. */
export const ensureDomainsServed = prepared((workspaceId: number, hosts: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${fromList(hosts)} where not exists (select 1 from ${domains}
    where ${domains.workspace_id} = ${workspaceId} and ${domains.host} = ${listed()} and ${whereServed}))`),
);
