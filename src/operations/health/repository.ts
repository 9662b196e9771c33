import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { workspaces } from "../../db/schema/access";
import { destinationHealth } from "../../db/schema/destinations";
import { offlineAssets } from "../../db/schema/engagement";
import { links } from "../../db/schema/links";
import type { Health } from "../../lib/health-state";
import { DAY_MS, MINUTE_MS } from "../../lib/time";
import { whereHostBlocked } from "../../redirect/slugs/statements/blocked-host";

// `destination_health` belongs to no workspace. What a workspace sees of it goes through its links.

/** The most links of one destination that are read to find one that is served, or on a live asset. */
const MAX_LINKS_OF_DESTINATION = 10_000;

/** The first links with the destination `own.url`, in the index's order. */
const linksOf = sql`(select ${links.id} as link_id, ${links.workspace_id} as workspace,
  ${links.taken_down_at} as taken_down_at from ${links}
  where ${links.destination_url} = own.url and ${links.deleted_at} is null limit ${MAX_LINKS_OF_DESTINATION})`;

const isLive = (workspace: SQL, link: SQL): SQL => sql`exists (select 1 from ${offlineAssets}
  where ${offlineAssets.workspace_id} = ${workspace} and ${offlineAssets.link_id} = ${link}
    and ${offlineAssets.status} = 'live')`;

interface FoundDestination {
  url: string;
  /** 1 if a link on a live asset has it. */
  live: number;
}

/**
 * The destinations that are not queued, or not as live ones, among the links of one chunk. Each run takes the next `chunk`
 * links, and begins again after the last, so the time alone says which.
 */
export const selectMissing =
  (at: number, chunk: number, intervalMs = 3 * MINUTE_MS): Statement<FoundDestination[]> =>
  (orm) => {
    const [lowest, highest] = [sql`(select min(id) from ${links})`, sql`(select max(id) from ${links})`];
    const first = sql`(${lowest} + ${Math.floor(at / intervalMs)} % ((${highest} - ${lowest}) / ${chunk} + 1) * ${chunk})`;
    return orm.all<FoundDestination>(sql`select found.url as url, max(found.live) as live
      from (select link.destination_url as url,
          ${isLive(sql`link.workspace_id`, sql`link.id`)} as live
        from ${links} as link cross join ${workspaces} on ${workspaces.id} = link.workspace_id
          and ${workspaces.suspended_at} is null
        where link.id >= ${first} and link.id < ${first} + ${chunk} and link.deleted_at is null
          and link.taken_down_at is null) as found
      left join ${destinationHealth} on ${destinationHealth.url} = found.url
      where ${destinationHealth.url} is null or found.live > ${destinationHealth.live} group by found.url`);
  };

export interface NewDestination extends FoundDestination {
  domain: string;
  /** 1 for one destination of a domain, which puts the domain into the queue. */
  is_first: number;
}

/** Adds destinations that are due at once. Known ones of live assets become due a day after they were asked. */
export const insertDestinations =
  (destinations: readonly NewDestination[], at: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${destinationHealth} (url, domain, live, due_at, state, queued_at)
      select value ->> 'url', value ->> 'domain', value ->> 'live', ${at}, 'unknown', case value ->> 'is_first' when 1
        then coalesce((select max(own.queued_at) from ${destinationHealth} as own
          where own.domain = value ->> 'domain' and own.queued_at <> own.due_at), ${at}) end
      from json_each(${JSON.stringify(destinations)}) where true
      on conflict (url) do update set live = 1, due_at = min(due_at, coalesce(asked_at, 0) + ${DAY_MS}),
        queued_at = coalesce(excluded.queued_at, queued_at)
      where excluded.live > live`);

/** The domains that have waited longest for a due destination, of live assets or of others. */
export const selectDueDomains =
  (live: 0 | 1, at: number, limit: number): Statement<{ domain: string }[]> =>
  (orm) =>
    orm.all<{ domain: string }>(sql`select domain from ${destinationHealth}
      where live = ${sql.raw(String(live))} and queued_at <= ${at} order by queued_at limit ${limit}`);

/** Keeps domains from other runs. Returns those that no other run has. */
export const claimDomains =
  (domains: readonly string[], at: number, until: number): Statement<{ domain: string }[]> =>
  (orm) =>
    orm.all<{ domain: string }>(sql`update ${destinationHealth} set queued_at = ${until}
      where domain in (select value from json_each(${JSON.stringify(domains)})) and queued_at <= ${at}
      returning domain`);

export interface DueDestination extends Pick<Health, "state" | "failures" | "failing_since"> {
  url: string;
  domain: string;
  is_served: number;
  is_on_live_asset: number;
}

/** The earliest destinations of a domain, of live assets or of others. */
const earliest = (domain: SQL, live: 0 | 1, limit: number, until = Number.MAX_SAFE_INTEGER): SQL =>
  sql`select url from (select url from ${destinationHealth} where domain = ${domain}
    and live = ${sql.raw(String(live))} and due_at <= ${until} order by due_at limit ${limit})`;

/** Due destinations of each domain, those of live assets first: the first of each domain, then the second. */
export const selectDueDestinations =
  (domains: readonly string[], at: number, limit: number): Statement<DueDestination[]> =>
  (orm) => {
    const domain = sql`given.value`;
    return orm.all<DueDestination>(sql`select own.url, own.domain, own.state, own.failures, own.failing_since,
        exists (select 1 from ${linksOf} as link cross join ${workspaces} on ${workspaces.id} = link.workspace
          where link.taken_down_at is null and ${workspaces.suspended_at} is null) as is_served,
        exists (select 1 from ${linksOf} as link where ${isLive(sql`link.workspace`, sql`link.link_id`)}) as is_on_live_asset
      from json_each(${JSON.stringify(domains)}) as given cross join ${destinationHealth} as own
      where own.url in (${earliest(domain, 1, limit, at)} union all ${earliest(domain, 0, limit, at)})
      order by row_number() over (partition by own.domain order by own.live desc, own.due_at), own.live desc`);
  };

interface HostRow {
  is_blocked: number;
  is_busy: number;
}

/** Whether a host is blocked, and whether its domain is paused or probed by another run. */
export const selectHost =
  (host: string, domain: string, at: number): Statement<HostRow[]> =>
  (orm) =>
    orm.all<HostRow>(sql`select ${whereHostBlocked(sql`${host}`)} as is_blocked,
      exists (select 1 from ${destinationHealth} where domain = ${domain} and queued_at > ${at}
        and queued_at <> due_at) as is_busy`);

/** Moves destinations to a later time before they are probed: those without a result are then due again. */
export const postponeDestinations =
  (urls: readonly string[], until: number): Statement =>
  (orm) =>
    orm.run(sql`update ${destinationHealth} set due_at = ${until}
      where url in (select value from json_each(${JSON.stringify(urls)}))`);

interface StoredHealth extends Health {
  url: string;
  live: number;
}

export const updateHealth =
  (rows: readonly StoredHealth[]): Statement =>
  (orm) =>
    orm.run(sql`update ${destinationHealth} set live = item.value ->> 'live', due_at = item.value ->> 'due_at',
        asked_at = item.value ->> 'asked_at', state = item.value ->> 'state', reason = item.value ->> 'reason',
        http_status = item.value ->> 'http_status', failures = item.value ->> 'failures',
        failing_since = item.value ->> 'failing_since'
      from json_each(${JSON.stringify(rows)}) as item where ${destinationHealth.url} = item.value ->> 'url'`);

/** Deletes destinations that no link leads to any more. */
export const deleteDestinations =
  (urls: readonly string[]): Statement =>
  (orm) =>
    orm.run(sql`delete from ${destinationHealth}
      where url in (select value from json_each(${JSON.stringify(urls)}))`);

interface FreeDomain {
  domain: string;
  free_at: number;
}

/**
 * Queues domains: the earliest destination of each, and its earliest of a live asset, have their places. A domain that is
 * paused beyond `at` has its place at the end of the pause.
 */
export function queueDomains(domains: readonly FreeDomain[], at: number): Statement[] {
  const domain = sql`item.value ->> 'domain'`;
  const given = sql`json_each(${JSON.stringify(domains)}) as item`;
  return [
    (orm) =>
      orm.run(sql`update ${destinationHealth} set queued_at = null
        where domain in (select ${domain} from ${given}) and queued_at is not null`),
    (orm) =>
      orm.run(sql`update ${destinationHealth} set queued_at = case when item.value ->> 'free_at' > ${at}
          then item.value ->> 'free_at' else max(due_at, item.value ->> 'free_at') end from ${given}
        where ${destinationHealth.url} in (${earliest(domain, 1, 1)} union all ${earliest(domain, 0, 1)})`),
  ];
}
