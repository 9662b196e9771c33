import { type SQL, sql } from "drizzle-orm";
import { orm } from "../db/prepared";
import { links } from "../db/schema/links";
import type { Range } from "../lib/range";
import { type Days, daysOf, mostVisited } from "./day-statements";
import type { OwnerKind, Owners } from "./owners";
import type { Origin } from "./visit-buffer";

// The SQL of reports that are filtered by an origin.

/** An origin with the values that are stored of it, such as the domains of a source. */
export interface StoredOrigin {
  origin: Origin;
  values: readonly string[];
}

/** How many clicks and scans of the current row of `visit_days` have one of the values. */
const visitsFrom = ({ origin, values }: StoredOrigin): SQL =>
  sql`(select coalesce(sum(own.value), 0) from json_each(origins, ${`$.${origin}`}) as own
    where own.key in (select value from json_each(${JSON.stringify(values)})))`;

export const selectDaysFrom = (kind: OwnerKind, owners: Owners, days: Days, from: StoredOrigin) =>
  orm.all<{ day: number; visits: number }>(
    sql`select counted.day as day, sum(${visitsFrom(from)}) as visits from ${daysOf(kind, owners, days)} group by 1`,
  );

const MAX_RANKED = 10;

/** The links with the most visits from an origin. `whole` are the visits of all of them. */
export const selectLinksFrom = (owners: Owners, days: Days, from: StoredOrigin) =>
  orm.all<{ id: string; slug: string; title: string | null; visits: number; whole: number }>(
    sql`select ${links.public_id} as id, ${links.slug} as slug, ${links.title} as title, ranked.found as visits, whole
      from (select id, found, sum(found) over () as whole
        from (select owner.id as id, sum(${visitsFrom(from)}) as found from ${daysOf("link", owners, days)} group by 1)
        where found > 0 order by 2 desc, 1 limit ${MAX_RANKED}) as ranked
      cross join ${links} on ${links.id} = ranked.id and ${links.deleted_at} is null order by ranked.found desc, ranked.id`,
  );

/** Those of a workspace. With very many, one that was never among the most visited of a day is not found. */
export const selectMostVisitedFrom = (workspaceId: number, range: Range, from: StoredOrigin) =>
  selectLinksFrom(mostVisited(workspaceId, "link", range, visitsFrom(from)), range, from);
