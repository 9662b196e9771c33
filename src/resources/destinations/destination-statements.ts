import { asc, eq, type SQL, sql } from "drizzle-orm";
import { type BoundList, boundList, fromList, inList, listed } from "../../db/bound-list";
import { orm, prepared } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { blockedHosts, destinationHealth } from "../../db/schema/destinations";
import { domains } from "../../db/schema/domains";
import { offlineAssets } from "../../db/schema/engagement";
import { links } from "../../db/schema/links";
import type { Health } from "../../lib/health-state";
import { whereHostBlocked } from "../../redirect/slugs/statements/blocked-host";

const healthColumns = sql`${destinationHealth.state} as state, ${destinationHealth.reason} as reason,
  ${destinationHealth.http_status} as http_status, ${destinationHealth.failing_since} as failing_since,
  ${destinationHealth.asked_at} as asked_at`;

export type HealthRow = Omit<Health, "due_at" | "failures">;

export const selectHealthOfLink = (workspaceId: number, id: string) =>
  orm.all<HealthRow>(sql`select ${healthColumns} from ${links}
      cross join ${destinationHealth} on ${destinationHealth.url} = ${links.destination_url}
      where ${links.public_id} = ${id} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`);

export const selectBrokenAmong = (workspaceId: number, ids: readonly string[]) =>
  orm.all<{ id: string }>(sql`select ${links.public_id} as id from ${links}
      cross join ${destinationHealth} on ${destinationHealth.url} = ${links.destination_url}
        and ${destinationHealth.state} = 'broken'
      where ${links.public_id} in ${inList(boundList(ids))} and +${links.workspace_id} = ${workspaceId}
        and ${links.deleted_at} is null`);

export const selectBrokenUrls = (urls: readonly string[]) =>
  orm.all<{ url: string }>(sql`select ${destinationHealth.url} as url from ${destinationHealth}
      where ${destinationHealth.url} in ${inList(boundList(urls))} and ${destinationHealth.state} = 'broken'`);

export const selectBlockedAmong = (workspaceId: number, ids: readonly string[]) =>
  orm
    .select({ id: links.public_id })
    .from(links)
    .where(
      sql`${links.public_id} in ${inList(boundList(ids))} and +${links.workspace_id} = ${workspaceId}
          and ${sql.raw(whereHostBlocked("links.destination_host"))}`,
    );

interface BrokenLinkRow extends HealthRow {
  workspace: string;
  id: string;
  slug: string;
  destination_url: string;
  archived: number;
  live_assets: number;
}

export const selectBrokenLinks = (workspaceId: number | undefined, limit: number) =>
  orm.all<BrokenLinkRow>(sql`select ${workspaces.slug} as workspace, ${links.public_id} as id, ${links.slug} as slug,
        ${links.destination_url} as destination_url, ${links.archived} as archived, ${healthColumns},
        (select count(*) from ${offlineAssets} where ${offlineAssets.workspace_id} = ${links.workspace_id}
          and ${offlineAssets.link_id} = ${links.id} and ${offlineAssets.status} = 'live') as live_assets
      from ${destinationHealth} cross join ${links} on ${links.destination_url} = ${destinationHealth.url}
        and ${links.deleted_at} is null
        and ${workspaceId === undefined ? sql`true` : sql`${links.workspace_id} = ${workspaceId}`}
      cross join ${workspaces} on ${workspaces.id} = ${links.workspace_id}
      where ${destinationHealth.state} = 'broken' order by ${destinationHealth.host}, ${destinationHealth.url} limit ${limit}`);

export type BlockedHostRow = typeof blockedHosts.$inferSelect;

export const insertBlockedHost = (host: string, at: number) =>
  orm.insert(blockedHosts).values({ host, created_at: at }).onConflictDoNothing();

export const deleteBlockedHost = (host: string) =>
  orm.delete(blockedHosts).where(eq(blockedHosts.host, host));

export const selectAllBlockedHosts = () => orm.select().from(blockedHosts).orderBy(asc(blockedHosts.host));

export const selectBlockedHost = (host: string) =>
  orm.select().from(blockedHosts).where(eq(blockedHosts.host, host));

export interface RefusedHostRow {
  host: string;
  is_blocked: number;
  is_domain: number;
}

/** The refused ones of `hosts` and their parent domains. With these the list that is bound could be sixty times as long. */
export const selectRefusedHosts = prepared((hosts: BoundList) =>
  orm.all<RefusedHostRow>(sql`with recursive above(host) as (select ${listed()} from ${fromList(hosts)}
      union select substr(host, instr(host, '.') + 1) from above where instr(host, '.') > 0)
    select above.host as host, ${blockedHosts.host} is not null as is_blocked, ${domains.host} is not null as is_domain
    from above
    left join ${blockedHosts} on ${blockedHosts.host} = above.host
    left join ${domains} on ${domains.host} = above.host and ${domains.state} <> 'pending'
      and ${domains.state} = 'active' and ${domains.removed_at} is null
    where ${blockedHosts.host} is not null or ${domains.host} is not null`),
);

/** The broken destinations of all workspaces that are looked at. With fewer, no broken link is missed. */
const MAX_BROKEN = 2_000;

/** The newest links of the workspace whose hosts are looked at if there are more. */
const MAX_OWN_LINKS = 2_000;

/**
 * The row ids of links of a workspace whose destination is broken. Destinations belong to no workspace, so other workspaces
 * may have thousands of broken ones. Then those on the hosts of the workspace's newest links are looked at too.
 */
export const selectBrokenLinkIds = (workspaceId: number, most: number): SQL => {
  const isOwn = sql`${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`;
  const isBroken = sql`${destinationHealth.state} = 'broken'`;
  const linksTo = (urls: SQL): SQL => sql`select id from (select ${links.id} as id from (${urls}) as broken
    cross join ${links} on ${links.destination_url} = broken.url and ${isOwn} limit ${most})`;
  return sql`with first_broken as materialized (select ${destinationHealth.url} as url from ${destinationHealth}
      where ${isBroken} limit ${MAX_BROKEN}),
    hosts as materialized (select distinct host from (select ${links.destination_host} as host from ${links}
      where ${isOwn} and (select count(*) from first_broken) = ${MAX_BROKEN}
      order by ${links.public_id} desc limit ${MAX_OWN_LINKS}))
    ${linksTo(sql`select url from first_broken`)}
    union
    ${linksTo(sql`select ${destinationHealth.url} as url from hosts cross join ${destinationHealth}
      on ${destinationHealth.host} = hosts.host and ${isBroken} limit ${MAX_BROKEN}`)}`;
};
