import { type SQL, sql } from "drizzle-orm";
import { orm } from "../db/prepared";
import { links } from "../db/schema/links";
import type { Range } from "../lib/range";
import { OWNER_TABLES, type OwnerKind, type Owners } from "./owners";
import { daysOf, mostVisited, namesOf } from "./report-repository";
import type { Origin } from "./visit-buffer";

// The SQL of reports that are filtered by an origin.

/** An origin with the values that are stored of it, such as the domains of a source. */
export interface StoredOrigin {
  origin: Origin;
  values: readonly string[];
}

type Days = Pick<Range, "from" | "to">;

/** How many clicks and scans of the current row of `visit_days` have one of the values. */
const visitsFrom = ({ origin, values }: StoredOrigin): SQL =>
  sql`(select coalesce(sum(own.value), 0) from json_each(origins, ${`$.${origin}`}) as own
    where own.key in (select value from json_each(${JSON.stringify(values)})))`;

export const selectDaysFrom = (kind: OwnerKind, owners: Owners, days: Days, from: StoredOrigin) =>
  orm.all<{ day: number; visits: number }>(
    sql`select counted.day as day, sum(${visitsFrom(from)}) as visits from ${daysOf(kind, owners, days)} group by 1`,
  );

const MAX_RANKED = 10;

/** The owners with the most visits from an origin. `whole` are the visits of all owners. */
export const selectRankedFrom = (kind: "link" | "group", owners: Owners, days: Days, from: StoredOrigin) =>
  orm.all<{ id: string; name: string; title: string | null; visits: number; whole: number }>(
    sql`select ${OWNER_TABLES[kind].public_id} as id, ${namesOf(kind)}, ranked.found as visits, ranked.whole as whole
      from (select owner.id as id, sum(${visitsFrom(from)}) as found, sum(sum(${visitsFrom(from)})) over () as whole
        from ${daysOf(kind, owners, days)} group by 1 having found > 0 order by 2 desc, 1 limit ${MAX_RANKED}) as ranked
      cross join ${OWNER_TABLES[kind]} on ${OWNER_TABLES[kind].id} = ranked.id
        ${kind === "link" ? sql`and ${links.deleted_at} is null` : sql.empty()}
      order by ranked.found desc, ranked.id`,
  );

/** The links or groups of a workspace. With very many, one that was never among the most visited of a day is not found. */
export const selectMostVisitedFrom = (
  workspaceId: number,
  kind: "link" | "group",
  range: Range,
  from: StoredOrigin,
) => selectRankedFrom(kind, mostVisited(workspaceId, kind, range, visitsFrom(from)), range, from);
