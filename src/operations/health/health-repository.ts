import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { destinationDomains, destinationHealth } from "../../db/schema/destinations";
import { offlineAssets } from "../../db/schema/engagement";
import { receivers } from "../../db/schema/events";
import { linkRules, links } from "../../db/schema/links";
import type { Health } from "../../lib/health-state";
import { DAY_MS, MINUTE_MS } from "../../lib/time";

// `destination_health` belongs to no workspace. What a workspace sees of it goes through its links.

/** The most links of one destination that are read to find one that is served, or on a live asset. */
const MAX_LINKS_OF_DESTINATION = 10_000;

const linkColumns = sql`${links.id} as link_id, ${links.workspace_id} as workspace,
  ${links.taken_down_at} as taken_down_at`;

/** The first links with the destination `own.url`, or with a rule that leads there, in the index's order. */
const linksOf = sql`(select ${linkColumns} from ${links}
  where ${links.destination_url} = own.url and ${links.deleted_at} is null
  union all select ${linkColumns} from ${linkRules} cross join ${links} on ${links.id} = ${linkRules.link_id}
    and ${links.workspace_id} = ${linkRules.workspace_id} and ${links.deleted_at} is null
  where ${linkRules.destination_url} = own.url limit ${MAX_LINKS_OF_DESTINATION})`;

const isLive = (workspace: SQL, link: SQL): SQL => sql`exists (select 1 from ${offlineAssets}
  where ${offlineAssets.workspace_id} = ${workspace} and ${offlineAssets.link_id} = ${link}
    and ${offlineAssets.status} = 'live')`;

/**
 * The destinations among the links of one chunk that are not queued, or later than a day after they were asked although on
 * a live asset. Each run takes the next `chunk` links, and begins again after the last, so the time alone says which.
 */
export function selectMissing(
  at: number,
  chunk: number,
  intervalMs = 3 * MINUTE_MS,
): Statement<{ url: string; workspace_id: number }[]> {
  const [lowest, highest] = [sql`(select min(id) from ${links})`, sql`(select max(id) from ${links})`];
  const first = sql`(${lowest} + ${Math.floor(at / intervalMs)} % ((${highest} - ${lowest}) / ${chunk} + 1) * ${chunk})`;
  const given = sql`(select id, workspace_id, destination_url, taken_down_at from ${links}
      where id >= ${first} and id < ${first} + ${chunk} and deleted_at is null
    union all select link.id, link.workspace_id, ${linkRules.destination_url}, link.taken_down_at
      from ${links} as link cross join ${linkRules} on ${linkRules.workspace_id} = link.workspace_id
        and ${linkRules.link_id} = link.id
      where link.id >= ${first} and link.id < ${first} + ${chunk} and link.deleted_at is null
        and link.rules is not null)`;
  return orm.all(sql`select distinct link.destination_url as url, link.workspace_id as workspace_id
    from ${given} as link cross join ${workspaces} on ${workspaces.id} = link.workspace_id
      and ${workspaces.suspended_at} is null
    left join ${destinationHealth} on ${destinationHealth.url} = link.destination_url
    where link.taken_down_at is null and (${destinationHealth.url} is null
        or ${destinationHealth.due_at} > ${destinationHealth.asked_at} + ${DAY_MS}
          and ${isLive(sql`link.workspace_id`, sql`link.id`)})`);
}

type NewDestination = Pick<typeof destinationHealth.$inferSelect, "url" | "host" | "domain">;

interface FoundDestination extends NewDestination {
  /** The workspace with a link to it, if it is the only one. */
  workspace_id?: number;
}

/** Adds destinations that are due at once. Known ones become due a day after they were asked. */
export function insertDestinations(destinations: readonly FoundDestination[], at: number): Statement[] {
  const given = sql`json_each(${JSON.stringify(destinations)})`;
  return [
    orm.run(sql`insert into ${destinationHealth} (url, host, domain, due_at, state)
      select value ->> 'url', value ->> 'host', value ->> 'domain', ${at}, 'unknown' from ${given} where true
      on conflict (url) do update set due_at = min(due_at, coalesce(asked_at + ${DAY_MS}, due_at))`),
    orm.run(sql`insert into ${destinationDomains} (domain, workspace_id, due_at, free_at)
      select value ->> 'domain',
        case when count(distinct value ->> 'workspace_id') = 1 then min(value ->> 'workspace_id') end, ${at}, 0
      from ${given} where true group by 1
      on conflict (domain) do update set due_at = min(due_at, excluded.due_at),
        workspace_id = case when workspace_id is excluded.workspace_id then workspace_id end`),
  ];
}

/** Domains that are due, in turns of workspaces, from each those that have waited longest. */
export const selectDueDomains = (at: number, limit: number) =>
  orm.all<{ domain: string }>(sql`select own.domain
      from (select id from ${workspaces} union all select null) as turn
      cross join ${destinationDomains} as own on own.domain in (select domain from ${destinationDomains}
        where workspace_id is turn.id and due_at <= ${at} and free_at <= ${at} order by due_at limit ${limit})
      order by row_number() over (partition by turn.id order by own.due_at), own.due_at limit ${limit}`);

const amongDomains = (domains: readonly string[]): SQL =>
  sql`domain in (select value from json_each(${JSON.stringify(domains)}))`;

/** Takes those of the domains that are still free, so that no other run asks them until `until`. */
export const claimDomains = (domains: readonly string[], at: number, until: number) =>
  orm.run(
    sql`update ${destinationDomains} set free_at = ${until} where ${amongDomains(domains)} and free_at <= ${at}`,
  );

/** Those of the domains that a run has taken. */
export const selectClaimedDomains = (domains: readonly string[], until: number) =>
  orm.all<{ domain: string }>(
    sql`select domain from ${destinationDomains} where ${amongDomains(domains)} and free_at = ${until}`,
  );

export interface DueDestination extends NewDestination, Pick<Health, "state" | "failures" | "failing_since"> {
  is_served: number;
  is_on_live_asset: number;
  /** 1 for the first of its domain. */
  round: number;
}

/** Up to `limit` due destinations of each domain. */
export const selectDueDestinations = (domains: readonly string[], at: number, limit: number) =>
  orm.all<DueDestination>(sql`select own.url, own.host, own.domain, own.state, own.failures, own.failing_since,
      exists (select 1 from ${linksOf} as link cross join ${workspaces} on ${workspaces.id} = link.workspace
        where link.taken_down_at is null and ${workspaces.suspended_at} is null) as is_served,
      exists (select 1 from ${linksOf} as link where ${isLive(sql`link.workspace`, sql`link.link_id`)}) as is_on_live_asset,
      row_number() over (partition by own.domain order by own.due_at) as round
    from json_each(${JSON.stringify(domains)}) as given cross join ${destinationHealth} as own
    where own.url in (select url from ${destinationHealth} where domain = given.value and due_at <= ${at}
      order by due_at limit ${limit})
    order by round`);

export const updateHealth = (rows: readonly (Health & { url: string })[]) =>
  orm.run(sql`update ${destinationHealth} set due_at = item.value ->> 'due_at',
      asked_at = item.value ->> 'asked_at', state = item.value ->> 'state', reason = item.value ->> 'reason',
      http_status = item.value ->> 'http_status', failures = item.value ->> 'failures',
      failing_since = item.value ->> 'failing_since'
    from json_each(${JSON.stringify(rows)}) as item where ${destinationHealth.url} = item.value ->> 'url'`);

/** Deletes destinations that no link leads to any more. */
export const deleteDestinations = (urls: readonly string[]) =>
  orm.run(sql`delete from ${destinationHealth}
    where url in (select value from json_each(${JSON.stringify(urls)}))`);

/** Puts domains back into the queue, except those that have no destination left. */
export function queueDomains(domains: readonly { domain: string; free_at: number }[]): Statement[] {
  const given = sql`json_each(${JSON.stringify(domains)})`;
  const ofDomain = sql`from ${destinationHealth} as own where own.domain = ${destinationDomains}.domain`;
  return [
    orm.run(sql`delete from ${destinationDomains} where domain in (select value ->> 'domain' from ${given})
      and not exists (select 1 ${ofDomain})`),
    orm.run(sql`update ${destinationDomains} set free_at = item.value ->> 'free_at',
        due_at = (select min(own.due_at) ${ofDomain}) from ${given} as item
      where ${destinationDomains}.domain = item.value ->> 'domain'`),
  ];
}

/** The links with broken destinations, their own or of a rule, of workspaces that want to hear of them. */
export function selectLinksToTell(urls: readonly string[], limit: number) {
  const given = sql`(select value as url from json_each(${JSON.stringify(urls)})
    where exists (select 1 from ${receivers} where ${receivers.is_on} = 1))`;
  const shown = sql`select own.url as url, ${links.public_id} as id, ${links.workspace_id} as workspace_id`;
  const isServed = sql`${links.deleted_at} is null and ${links.taken_down_at} is null
    and exists (select 1 from ${receivers} where ${receivers.workspace_id} = ${links.workspace_id}
      and ${receivers.is_on} = 1 and instr(${receivers.kinds}, '"link.broken"') > 0)`;
  return orm.all<{ url: string; id: string; workspace_id: number }>(sql`${shown} from ${given} as own
      cross join ${links} on ${links.destination_url} = own.url and ${isServed}
    union ${shown} from ${given} as own cross join ${linkRules} on ${linkRules.destination_url} = own.url
      cross join ${links} on ${links.id} = ${linkRules.link_id} and ${links.workspace_id} = ${linkRules.workspace_id}
        and ${isServed} limit ${limit}`);
}
