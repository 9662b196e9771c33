import { type SQL, sql } from "drizzle-orm";
import { type BoundList, fromList, listed } from "../../db/bound-list";
import { orm, prepared } from "../../db/prepared";
import { blockedHosts, destinationHealth } from "../../db/schema/destinations";
import { domains } from "../../db/schema/domains";
import { links } from "../../db/schema/links";

export interface RefusedHostRow {
  host: string;
  is_blocked: number;
  /** Whether short links are served there. */
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
