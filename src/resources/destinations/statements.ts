import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { type BoundList, fromList, listed } from "../../db/list";
import { prepared } from "../../db/prepared";
import { blockedHosts, destinationHealth } from "../../db/schema/destinations";
import { links } from "../../db/schema/links";

export interface BlockedHostRow {
  host: string;
  created_at: number;
}

/** The blocked ones of `hosts`. The caller includes parent domains. */
export const selectBlockedHosts = prepared(
  (hosts: BoundList): Statement<BlockedHostRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(blockedHosts))
        .from(fromList(hosts))
        .crossJoin(blockedHosts)
        .where(eq(blockedHosts.host, listed())),
);

/** The blocked hosts that equal one of `hosts` or a parent domain. SQL derives the parent domains. */
export const selectBlockingHosts = (hosts: readonly string[]): Statement<BlockedHostRow[]> =>
  selectBlockingHostsJson(JSON.stringify(hosts));

const selectBlockingHostsJson = prepared(
  (hosts: string): Statement<BlockedHostRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(blockedHosts))
        .from(blockedHosts)
        .where(
          sql`${blockedHosts.host} in (with recursive above(host) as (select value from json_each(${hosts})
            union select substr(host, instr(host, '.') + 1) from above where instr(host, '.') > 0) select host from above)`,
        ),
);

/** The broken destinations of all workspaces that are looked at. With fewer, no broken link is missed. */
const MAX_BROKEN = 2_000;

/** The newest and the most visited links of the workspace, as many of each, that are looked at if there are more. */
const MAX_OWN_LINKS = 2_000;

/** The hosts of these links, those with the most links first, whose broken destinations are looked at. */
const MAX_HOSTS = 100;

/** The broken destinations of a host that are looked at. */
const MAX_OF_HOST = 100;

/** What may follow the host in a destination: the first text of each range, and the text after its last. */
const AFTER_HOST = [
  ["", "\u0001"],
  ["#", "$"],
  ["/", "0"],
  [":", ";"],
  ["?", "@"],
];

const PREFIXES = JSON.stringify(
  ["https://", "http://"].flatMap((scheme) => AFTER_HOST.map(([first, end]) => [scheme, first, end])),
);

/**
 * The row ids of links of a workspace whose destination is broken, up to `most` of each source. Destinations belong to no
 * workspace, so other workspaces may have thousands of broken ones. Then those that are broken are looked for among the
 * workspace's newest and most visited links, and among the destinations of the same hosts.
 */
export const selectBrokenLinkIds = (workspaceId: number, most: number): SQL => {
  const isOwn = sql`${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`;
  const ofUrls = (urls: SQL): SQL => sql`select id from (select ${links.id} as id from (${urls}) as broken
    cross join ${links} on ${links.destination_url} = broken.url and ${isOwn} limit ${most})`;
  const isBroken = sql`${destinationHealth.state} = 'broken'`;
  const own = (order: SQL, more: SQL): SQL => sql`select id from (select ${links.id} as id from ${links}
    where ${isOwn} and ${more} order by ${order} limit ${MAX_OWN_LINKS})`;
  return sql`with first_broken as materialized (select ${destinationHealth.url} as url from ${destinationHealth}
      where ${isBroken} limit ${MAX_BROKEN}),
    own as materialized (select id from (${own(sql`${links.public_id} desc`, sql`true`)}
        union ${own(sql`${links.visits} desc`, sql`${links.archived} = 0 and ${links.visits} > 0`)})
      where (select count(*) from first_broken) = ${MAX_BROKEN}),
    hosts as materialized (select ${links.destination_host} as host from own cross join ${links} on ${links.id} = own.id
      group by 1 order by count(*) desc, 1 limit ${MAX_HOSTS})
    ${ofUrls(sql`select url from first_broken`)}
    union
    select ${links.id} from own cross join ${links} on ${links.id} = own.id
      cross join ${destinationHealth} on ${destinationHealth.url} = ${links.destination_url} and ${isBroken}
    union
    ${ofUrls(sql`select found.value as url from hosts cross join json_each(${PREFIXES}) as prefix
      cross join json_each((select json_group_array(url) from (select ${destinationHealth.url} as url
        from ${destinationHealth} where ${isBroken}
          and ${destinationHealth.url} >= (prefix.value ->> 0) || hosts.host || (prefix.value ->> 1)
          and ${destinationHealth.url} < (prefix.value ->> 0) || hosts.host || (prefix.value ->> 2)
        limit ${MAX_OF_HOST}))) as found limit ${MAX_BROKEN}`)}`;
};
