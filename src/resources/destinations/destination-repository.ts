import { asc, eq, sql } from "drizzle-orm";
import { boundList, inList } from "../../db/bound-list";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { blockedHosts, destinationHealth } from "../../db/schema/destinations";
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

/** Links with a broken destination, of one workspace or of all, by destination. */
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
