import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { inList, toList } from "../db/list";
import { destinationHealth, healthHosts, jobPositions, links, offlineAssets, workspaces } from "../db/schema";
import { DAY_MS } from "../lib/time";
import { whereServed } from "./links-of";

interface Position {
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

/** A destination that a walk found. `is_missing`: it must be added to those that are asked. */
interface FoundDestination {
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
          where ${destinationHealth.url} = found.url) and ${whereServed(sql`found.url`)} as is_missing
      from found where found.url is not null`);

/** An asset that the walk read; `url` is null unless it is live and its link leads visitors on. */
interface FoundAsset {
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
