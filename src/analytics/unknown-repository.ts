import { WHERE_SERVED } from "../access/served";
import { type Literal, literal } from "../db/literal";
import { startOfUtcDay } from "../lib/time";
import type { LinkCounts } from "./batch";
import { isUnknownAddress, lastDays } from "./unknown-address";

const MAX_PER_DAY = 200;
const MAX_PER_WORKSPACE = 2_000;

/** A domain that is removed meanwhile counts for nobody. */
const ADD = `insert into unknown_addresses (workspace_id, domain, slug, day, visits)
  select coalesce(domains.workspace_id, 0), value ->> 0, value ->> 1, value ->> 2, value ->> 3
  from json_each(?1) left join domains on domains.host = value ->> 0 and ${WHERE_SERVED}
  where value ->> 0 = '' or domains.id is not null
  on conflict (domain, day, slug) do update set workspace_id = excluded.workspace_id,
    visits = excluded.visits + iif(workspace_id = excluded.workspace_id, visits, 0)`;

const ranked = (of: string) => `select own.domain, own.day, own.slug,
  row_number() over (partition by ${of} order by own.visits desc, own.day desc, own.slug) as place`;

/**
 * Leaves of each domain and day, and of each workspace, what most people asked for, and of the same number the newest. SQLite
 * scans the table for what a compound selects, but not for what is selected from it.
 */
const TRIM = `with added as (select distinct value ->> 0 as domain, value ->> 2 as day from json_each(?1)),
    owner as (select distinct coalesce(domains.workspace_id, 0) as id
      from added left join domains on domains.host = added.domain and ${WHERE_SERVED}),
    surplus as (
      select domain, day, slug from (${ranked("own.domain, own.day")}
        from added cross join unknown_addresses as own on own.domain = added.domain and own.day = added.day)
        where place > ${MAX_PER_DAY}
      union all
      select domain, day, slug from (${ranked("own.workspace_id")}
        from owner cross join json_each(?2) as kept cross join unknown_addresses as own indexed by unknown_addresses_day
          on own.day = kept.value and own.workspace_id = owner.id)
        where place > ${MAX_PER_WORKSPACE})
  delete from unknown_addresses where (domain, day, slug) in (select domain, day, slug from surplus)`;

/** Adds what batches counted of unknown addresses, and removes what is beyond the limits. */
export function addUnknown(counts: readonly LinkCounts[], now: number): Literal[] {
  const visitsOf = new Map<string, number>();
  for (const [address, hours] of counts) {
    if (!isUnknownAddress(address)) continue;
    const slash = address.indexOf("/");
    for (const [, hour, , , , visits] of hours) {
      const key = JSON.stringify([address.slice(0, slash), address.slice(slash + 1), startOfUtcDay(hour)]);
      visitsOf.set(key, (visitsOf.get(key) ?? 0) + visits);
    }
  }
  if (visitsOf.size === 0) return [];
  const rows = JSON.stringify(Array.from(visitsOf, ([key, visits]) => [...JSON.parse(key), visits]));
  return [literal(ADD, rows), literal(TRIM, rows, lastDays(now))];
}
