import { type SQL, sql } from "drizzle-orm";
import { whereHostBlocked } from "../db/blocked-host";
import type { Statement } from "../db/client";
import { inList, toList } from "../db/list";
import { destinationHealth, healthHosts, jobPositions, links, offlineAssets, workspaces } from "../db/schema";
import { DAY_MS } from "../lib/time";
import type { Health } from "./outcome";

// `destination_health` and `health_hosts` belong to no workspace. What a workspace sees of them goes through its links.

/** The most links of one destination that are read to find one that is served, or on a live asset. */
const MAX_LINKS_OF_DESTINATION = 10_000;

/** The first links with a destination, in the index's order. */
const linksOf = (url: SQL): SQL => sql`(select ${links.id} as link_id, ${links.workspace_id} as workspace,
  ${links.taken_down_at} as taken_down_at from ${links}
  where ${links.destination_url} = ${url} and ${links.deleted_at} is null limit ${MAX_LINKS_OF_DESTINATION})`;

/** True if a link leads visitors to the destination: neither it nor its workspace is stopped. */
const isServed = (url: SQL): SQL => sql`exists (select 1 from ${linksOf(url)} as own
  cross join ${workspaces} on ${workspaces.id} = own.workspace
  where own.taken_down_at is null and ${workspaces.suspended_at} is null)`;

const isOnLiveAsset = (url: SQL): SQL => sql`exists (select 1 from ${linksOf(url)} as own
  cross join ${offlineAssets} on ${offlineAssets.workspace_id} = own.workspace
    and ${offlineAssets.link_id} = own.link_id and ${offlineAssets.status} = 'live')`;

// The walks that find destinations.

export interface Position {
  job: string;
  position: string;
}

export const selectPositions =
  (jobs: readonly string[]): Statement<Position[]> =>
  (orm) =>
    orm.all<Position>(sql`select ${jobPositions.job} as job, ${jobPositions.position} as position
      from ${jobPositions} where ${jobPositions.job} in ${inList(toList(jobs))}`);

export const upsertPositions =
  (positions: readonly Position[]): Statement =>
  (orm) =>
    orm.run(sql`insert into ${jobPositions} (job, position)
      select value ->> 'job', value ->> 'position' from json_each(${JSON.stringify(positions)}) where true
      on conflict (job) do update set position = excluded.position`);

/** A destination that a walk came by. `is_missing`: it must be added to those that are asked. */
export interface FoundDestination {
  url: string;
  is_missing: number;
}

const firstUrlAfter = (url: SQL): SQL => sql`(select ${links.destination_url} from ${links}
  where ${links.deleted_at} is null and ${links.destination_url} > ${url}
  order by ${links.destination_url} limit 1)`;

/** The next distinct destinations of links, in their order. Each takes one step in the index, whatever links it has. */
export const selectDestinationsAfter =
  (url: string, limit: number): Statement<FoundDestination[]> =>
  (orm) =>
    orm.all<FoundDestination>(sql`with recursive found(url, remaining) as (
        select ${firstUrlAfter(sql`${url}`)}, ${limit}
        union all
        select ${firstUrlAfter(sql`found.url`)}, remaining - 1 from found where found.url is not null and remaining > 1
      )
      select found.url as url, not exists (select 1 from ${destinationHealth}
          where ${destinationHealth.url} = found.url) and ${isServed(sql`found.url`)} as is_missing
      from found where found.url is not null`);

/** An asset that the walk came by; `url` is null unless it is live and its link leads visitors on. */
export interface FoundAsset {
  id: number;
  url: string | null;
  is_missing: number;
}

/** The next assets in the order of their row ids. */
export const selectAssetsAfter =
  (id: number, limit: number): Statement<FoundAsset[]> =>
  (orm) =>
    orm.all<FoundAsset>(sql`select asset.id as id, ${links.destination_url} as url,
        ${destinationHealth.live} is not 1 as is_missing
      from (select ${offlineAssets.id} as id, ${offlineAssets.workspace_id} as workspace,
          ${offlineAssets.link_id} as link_id, ${offlineAssets.status} as status from ${offlineAssets}
        where ${offlineAssets.id} > ${id} order by ${offlineAssets.id} limit ${limit}) as asset
      cross join ${workspaces} on ${workspaces.id} = asset.workspace
      left join ${links} on ${links.id} = asset.link_id and asset.status = 'live' and ${links.deleted_at} is null
        and ${links.taken_down_at} is null and ${workspaces.suspended_at} is null
      left join ${destinationHealth} on ${destinationHealth.url} = ${links.destination_url}
      order by asset.id`);

export interface NewDestination {
  url: string;
  host: string;
}

/** Adds destinations that are due at once. */
export const insertDestinations =
  (destinations: readonly NewDestination[], at: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${destinationHealth} (url, host, live, due_at, state)
      select value ->> 'url', value ->> 'host', 0, ${at}, 'unknown' from json_each(${JSON.stringify(destinations)})
      where true on conflict (url) do nothing`);

/** Adds destinations of live assets, or makes known ones due a day after they were asked. */
export const upsertLiveDestinations =
  (destinations: readonly NewDestination[], at: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${destinationHealth} (url, host, live, due_at, state)
      select value ->> 'url', value ->> 'host', 1, ${at}, 'unknown' from json_each(${JSON.stringify(destinations)})
      where true on conflict (url) do update
      set live = 1, due_at = min(due_at, coalesce(asked_at, 0) + ${DAY_MS})`);

/** Queues the hosts of destinations for the earliest time at which one is due. */
export const queueHosts =
  (urls: readonly string[]): Statement =>
  (orm) =>
    orm.run(sql`insert into ${healthHosts} (host, free_at, due_at)
      select ${destinationHealth.host}, 0, min(${destinationHealth.due_at}) from json_each(${JSON.stringify(urls)})
        cross join ${destinationHealth} on ${destinationHealth.url} = value group by ${destinationHealth.host}
      on conflict (host) do update set due_at = max(free_at, excluded.due_at)
      where due_at > max(free_at, excluded.due_at)`);

// A run of the job.

/** Takes the hosts that have waited longest, so that no other run asks them until `until`. */
export const claimDueHosts =
  (at: number, until: number, limit: number): Statement<{ host: string }[]> =>
  (orm) =>
    orm.all<{ host: string }>(sql`update ${healthHosts} set free_at = ${until}, due_at = ${until}
      where host in (select ${healthHosts.host} from ${healthHosts} where ${healthHosts.due_at} <= ${at}
        order by ${healthHosts.due_at} limit ${limit})
      returning host`);

export interface ClaimedHost {
  host: string;
  is_blocked: number;
}

/** Takes the host of a redirect if it is free, or held by this run already. One query, as a run may need many. */
export const claimHost =
  (host: string, at: number, until: number, isHeld: boolean): Statement<ClaimedHost[]> =>
  (orm) =>
    orm.all<ClaimedHost>(sql`insert into ${healthHosts} (host, free_at, due_at)
      values (${host}, ${until}, ${until})
      on conflict (host) do update set free_at = ${until}, due_at = ${until}
      where free_at <= ${at} or ${isHeld ? 1 : 0} = 1
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
        ${isServed(own)} as is_served, ${isOnLiveAsset(own)} as is_on_live_asset
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

/** Returns hosts to the queue, each for its next due destination; without one for the end of its pause. */
export const releaseHosts =
  (hosts: readonly FreeHost[]): Statement =>
  (orm) => {
    const earliest = (live: 0 | 1) => sql`select due_at from (select ${destinationHealth.due_at} as due_at
      from ${destinationHealth} where ${destinationHealth.host} = item.value ->> 'host'
        and ${destinationHealth.live} = ${sql.raw(String(live))} order by ${destinationHealth.due_at} limit 1)`;
    return orm.run(sql`update ${healthHosts} set free_at = item.value ->> 'free_at',
        due_at = max(item.value ->> 'free_at',
          coalesce((select min(due_at) from (${earliest(1)} union all ${earliest(0)})), 0))
      from json_each(${JSON.stringify(hosts)}) as item where ${healthHosts.host} = item.value ->> 'host'`);
  };

/** Deletes the hosts that are free and have no destination. */
export const deleteIdleHosts =
  (hosts: readonly string[], at: number): Statement =>
  (orm) =>
    orm.run(sql`delete from ${healthHosts} where host in (select value from json_each(${JSON.stringify(hosts)}))
      and free_at <= ${at}
      and not exists (select 1 from ${destinationHealth} where ${destinationHealth.host} = ${healthHosts.host})`);

export interface LiveAssetRow {
  url: string;
  workspace_row_id: number;
  workspace: string;
  link_id: string;
  slug: string;
  asset_id: string;
  name: string;
}

/** The live assets whose links have the destinations, by workspace and link. */
export const selectLiveAssetsOf =
  (urls: readonly string[], limit: number): Statement<LiveAssetRow[]> =>
  (orm) =>
    orm.all<LiveAssetRow>(sql`select given.value as url, ${workspaces.id} as workspace_row_id,
        ${workspaces.slug} as workspace, ${links.public_id} as link_id, ${links.slug} as slug,
        ${offlineAssets.public_id} as asset_id, ${offlineAssets.name} as name
      from json_each(${JSON.stringify(urls)}) as given
      cross join ${links} on ${links.destination_url} = given.value and ${links.deleted_at} is null
        and ${links.taken_down_at} is null
      cross join ${workspaces} on ${workspaces.id} = ${links.workspace_id} and ${workspaces.suspended_at} is null
      cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${links.workspace_id}
        and ${offlineAssets.link_id} = ${links.id} and ${offlineAssets.status} = 'live'
      limit ${limit}`);

// What people see.

const healthColumns = sql`${destinationHealth.state} as state, ${destinationHealth.reason} as reason,
  ${destinationHealth.http_status} as http_status, ${destinationHealth.failing_since} as failing_since,
  ${destinationHealth.asked_at} as asked_at`;

export type HealthRow = Omit<Health, "due_at">;

/** The health of a link's destination. */
export const selectHealthOfLink =
  (workspaceId: number, id: string): Statement<HealthRow[]> =>
  (orm) =>
    orm.all<HealthRow>(sql`select ${healthColumns} from ${links}
      cross join ${destinationHealth} on ${destinationHealth.url} = ${links.destination_url}
      where ${links.public_id} = ${id} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`);

/** The ones of these links whose destination is broken. */
export const selectBrokenAmong =
  (workspaceId: number, ids: readonly string[]): Statement<{ id: string }[]> =>
  (orm) =>
    orm.all<{ id: string }>(sql`select ${links.public_id} as id from ${links}
      cross join ${destinationHealth} on ${destinationHealth.url} = ${links.destination_url}
        and ${destinationHealth.state} = 'broken'
      where ${links.public_id} in ${inList(toList(ids))} and +${links.workspace_id} = ${workspaceId}
        and ${links.deleted_at} is null`);

export interface BrokenLinkRow extends HealthRow {
  workspace: string;
  id: string;
  slug: string;
  destination_url: string;
  archived: number;
  live_assets: number;
}

/** Links with a broken destination, of one workspace or of all, by destination. */
export const selectBrokenLinks =
  (workspaceId: number | undefined, limit: number): Statement<BrokenLinkRow[]> =>
  (orm) =>
    orm.all<BrokenLinkRow>(sql`select ${workspaces.slug} as workspace, ${links.public_id} as id, ${links.slug} as slug,
        ${links.destination_url} as destination_url, ${links.archived} as archived, ${healthColumns},
        (select count(*) from ${offlineAssets} where ${offlineAssets.workspace_id} = ${links.workspace_id}
          and ${offlineAssets.link_id} = ${links.id} and ${offlineAssets.status} = 'live') as live_assets
      from ${destinationHealth} cross join ${links} on ${links.destination_url} = ${destinationHealth.url}
        and ${links.deleted_at} is null
        and ${workspaceId === undefined ? sql`true` : sql`${links.workspace_id} = ${workspaceId}`}
      cross join ${workspaces} on ${workspaces.id} = ${links.workspace_id}
      where ${destinationHealth.state} = 'broken' order by ${destinationHealth.url} limit ${limit}`);
