import { sql } from "drizzle-orm";
import { whereHostBlocked } from "../db/blocked-host";
import type { Statement } from "../db/client";
import { MAX_REMOVED_ROWS } from "../db/portion";
import { destinationHealth, healthHosts } from "../db/schema";
import { DAY_MS } from "../lib/time";
import { whereOnLiveAsset, whereServed } from "./links-of";
import type { Health } from "./outcome";

// `destination_health` and `health_hosts` belong to no workspace. What a workspace sees of them goes through its links.

/** The due hosts among which those with live destinations are looked for. */
const MAX_HOSTS_LOOKED_AT = 500;

/**
 * Claims due hosts until `until`: those that have waited longest, and up to half of `limit` with a due destination of a
 * live asset. These are looked for among the hosts that came due last, since a backlog of other hosts is older.
 */
export const claimDueHosts =
  (at: number, until: number, limit: number): Statement<{ host: string }[]> =>
  (orm) => {
    const due = (order: "asc" | "desc", count: number) => sql`select ${healthHosts.host} as host,
      ${healthHosts.due_at} as due_at from ${healthHosts}
      where ${healthHosts.due_at} <= ${at} order by ${healthHosts.due_at} ${sql.raw(order)} limit ${count}`;
    return orm.all<{
      host: string;
    }>(sql`with live as materialized (select host from (${due("desc", MAX_HOSTS_LOOKED_AT)}) as newest
        where exists (select 1 from ${destinationHealth} where ${destinationHealth.host} = newest.host
          and ${destinationHealth.live} = 1 and ${destinationHealth.due_at} <= ${at}) limit ${Math.ceil(limit / 2)}),
      chosen as (select host, 0 as rank, 0 as due_at from live
        union all select host, 1 as rank, due_at from (${due("asc", limit)}) where host not in (select host from live)
        order by rank, due_at limit ${limit})
      update ${healthHosts} set free_at = ${until}, due_at = ${until} where host in (select host from chosen)
      returning host`);
  };

interface ClaimedHost {
  host: string;
  is_blocked: number;
}

/** Claims the host of a redirect if it is free, or claimed by this run already. One query, because a run may need many. */
export const claimHost =
  (host: string, at: number, until: number, isClaimed: boolean): Statement<ClaimedHost[]> =>
  (orm) =>
    orm.all<ClaimedHost>(sql`insert into ${healthHosts} (host, free_at, due_at)
      values (${host}, ${until}, ${until})
      on conflict (host) do update set free_at = ${until}, due_at = ${until}
      where free_at <= ${at} or ${isClaimed ? 1 : 0} = 1
      returning host, ${whereHostBlocked(sql`health_hosts.host`)} as is_blocked`);

export interface DueDestination extends Health {
  url: string;
  host: string;
  live: number;
  /** 1 if the host is blocked. */
  is_blocked: number;
  is_served: number;
  is_on_live_asset: number;
}

/** Up to `limit` due destinations of each host from live assets, and as many others; the earliest due first. */
export const selectDueDestinations =
  (hosts: readonly string[], at: number, limit: number): Statement<DueDestination[]> =>
  (orm) => {
    const due = (
      live: 0 | 1,
    ) => sql`select url from (select ${destinationHealth.url} as url from ${destinationHealth}
      where ${destinationHealth.host} = given.value and ${destinationHealth.live} = ${sql.raw(String(live))}
        and ${destinationHealth.due_at} <= ${at} order by ${destinationHealth.due_at} limit ${limit})`;
    const own = sql`own.url`;
    return orm.all<DueDestination>(sql`select own.url, own.host, own.live, own.due_at, own.asked_at, own.state,
        own.reason, own.http_status, own.failing_since, ${whereHostBlocked(sql`own.host`)} as is_blocked,
        ${whereServed(own)} as is_served, ${whereOnLiveAsset(own)} as is_on_live_asset
      from json_each(${JSON.stringify(hosts)}) as given cross join ${destinationHealth} as own
      where own.url in (${due(1)} union all ${due(0)})
      order by own.live desc, own.due_at`);
  };

/** Moves destinations to a later time before they are asked, so that one that ends its run does not end each run. */
export const postponeDestinations =
  (urls: readonly string[], until: number): Statement =>
  (orm) =>
    orm.run(sql`update ${destinationHealth} set due_at = ${until}
      where url in (select value from json_each(${JSON.stringify(urls)}))`);

export interface UpdatedHealth extends Health {
  url: string;
  live: number;
}

export const updateHealth =
  (rows: readonly UpdatedHealth[]): Statement =>
  (orm) =>
    orm.run(sql`update ${destinationHealth} set live = item.value ->> 'live', due_at = item.value ->> 'due_at',
        asked_at = item.value ->> 'asked_at', state = item.value ->> 'state', reason = item.value ->> 'reason',
        http_status = item.value ->> 'http_status', failing_since = item.value ->> 'failing_since'
      from json_each(${JSON.stringify(rows)}) as item where ${destinationHealth.url} = item.value ->> 'url'`);

/** Deletes destinations that no link leads to any more. */
export const deleteDestinations =
  (urls: readonly string[]): Statement =>
  (orm) =>
    orm.run(sql`delete from ${destinationHealth}
      where url in (select value from json_each(${JSON.stringify(urls)}))`);

export interface FreeHost {
  host: string;
  free_at: number;
}

/** A host without a destination is not in the queue: it is due this long after the end of its pause. */
const IDLE_MS = 36_525 * DAY_MS;

/** Returns hosts to the queue, each for its next due destination. */
export const releaseHosts =
  (hosts: readonly FreeHost[]): Statement =>
  (orm) => {
    const earliest = (live: 0 | 1) => sql`select due_at from (select ${destinationHealth.due_at} as due_at
      from ${destinationHealth} where ${destinationHealth.host} = item.value ->> 'host'
        and ${destinationHealth.live} = ${sql.raw(String(live))} order by ${destinationHealth.due_at} limit 1)`;
    return orm.run(sql`update ${healthHosts} set free_at = item.value ->> 'free_at',
        due_at = max(item.value ->> 'free_at', coalesce(
          (select min(due_at) from (${earliest(1)} union all ${earliest(0)})), (item.value ->> 'free_at') + ${IDLE_MS}))
      from json_each(${JSON.stringify(hosts)}) as item where ${healthHosts.host} = item.value ->> 'host'`);
  };

/** Deletes a portion of the hosts that have no destination and whose pause is over. */
export const deleteIdleHosts =
  (at: number): Statement =>
  (orm) =>
    orm.run(sql`delete from ${healthHosts} where host in (select ${healthHosts.host} from ${healthHosts}
      where ${healthHosts.due_at} > ${IDLE_MS} and ${healthHosts.due_at} <= ${at + IDLE_MS} limit ${MAX_REMOVED_ROWS})
      and not exists (select 1 from ${destinationHealth} where ${destinationHealth.host} = ${healthHosts.host})`);
