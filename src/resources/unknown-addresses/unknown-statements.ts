import { type SQL, sql } from "drizzle-orm";
import { whereServed } from "../../access/workspace-statements";
import { lastDays } from "../../analytics/unknown-address";
import { MAX_REMOVED_ROWS } from "../../db/chunk";
import { orm } from "../../db/prepared";
import { unknownAddresses } from "../../db/schema/analytics";
import { domains } from "../../db/schema/domains";
import { links, slugs } from "../../db/schema/links";

/** The workspace of what people ask for on the short host. */
export const NOBODY = 0;

const own = unknownAddresses;

/** Of a workspace, on the domains that it has now, what opens nothing now either. A condition on the day narrows it. */
const whereUnknown = (workspaceId: number): SQL => sql`${own.workspace_id} = ${workspaceId}
  and (${workspaceId} = ${NOBODY} or exists (select 1 from ${domains} where ${domains.workspace_id} = ${workspaceId}
    and ${domains.host} = ${own.domain} and ${whereServed}))
  and not exists (select 1 from ${slugs} where ${slugs.link_id} is not null
    and ${slugs.key} = iif(${own.domain} = '', '', ${own.domain} || '/') || ${own.slug})`;

const fromDays = (days: string): SQL =>
  sql`json_each(${days}) as kept cross join ${own} indexed by unknown_addresses_day on ${own.day} = kept.value`;

export interface UnknownRow {
  domain: string;
  slug: string;
  /** Visits since `since`, and in all days that are kept. */
  recent: number;
  visits: number;
  first_day: number;
}

export const selectUnknown = (workspaceId: number, now: number, since: number, limit: number) =>
  orm.all<UnknownRow>(sql`select ${own.domain} as domain, ${own.slug} as slug,
      sum(iif(${own.day} >= ${since}, ${own.visits}, 0)) as recent, sum(${own.visits}) as visits, min(${own.day}) as first_day
    from ${fromDays(lastDays(now))} where ${whereUnknown(workspaceId)}
    group by ${own.domain}, ${own.slug} order by recent desc, visits desc, ${own.domain}, ${own.slug} limit ${limit}`);

export const selectAskedOften = (
  workspaceId: number,
  now: number,
  { days, visits }: { days: number; visits: number },
  limit: number,
) =>
  orm.all<{
    id: string;
    name: string;
  }>(sql`select ${own.domain} || '/' || ${own.slug} as id, ${own.domain} || '/' || ${own.slug} as name
    from ${fromDays(lastDays(now, days))} where ${own.visits} > ${visits} and ${whereUnknown(workspaceId)}
    group by ${own.domain}, ${own.slug} order by max(${own.visits}) desc limit ${limit}`);

export interface CandidateRow {
  key: string;
  /** Public id of the link that the key opens, and its own slug. */
  link: string;
  slug: string;
  title: string | null;
}

/** The slugs of links in ranges of keys, each a domain, a first key and a key behind the last one, in their order. */
export const selectSlugsIn = (
  workspaceId: number,
  ranges: readonly (readonly [domain: string, from: string, to: string])[],
  limit: number,
) =>
  orm.all<CandidateRow>(sql`select ${slugs.key} as key, ${links.public_id} as link, ${links.slug} as slug, ${links.title} as title
    from json_each(${JSON.stringify(ranges)}) as given cross join ${slugs} indexed by slugs_domain
      on ${slugs.domain} = given.value ->> 0 and ${slugs.domain} <> '' and ${slugs.key} >= given.value ->> 1
        and ${slugs.key} < given.value ->> 2
    cross join ${links} on ${links.workspace_id} = ${workspaceId} and ${links.id} = ${slugs.link_id}
    where ${slugs.workspace_id} = ${workspaceId} and ${slugs.asset} is null and ${links.deleted_at} is null
    limit ${limit}`);

export const deleteUnknownBefore = (at: number) =>
  orm.run(sql`delete from ${own} where (domain, day, slug) in (select domain, day, slug from ${own}
    where day < ${at} order by day limit ${MAX_REMOVED_ROWS})`);
