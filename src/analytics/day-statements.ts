import { type SQL, sql } from "drizzle-orm";
import { activityGroups } from "../db/schema/activity-groups";
import { visitDays } from "../db/schema/analytics";
import { links } from "../db/schema/links";
import type { Range } from "../lib/range";
import { startOfDayIn } from "../lib/time-zone";
import { OWNER_TABLES, type OwnerKind, type Owners } from "./owners";

// The counts of days, as reports select them.

export type Days = Pick<Range, "from" | "to">;

export const daysOf = (kind: OwnerKind, owners: Owners, { from, to }: Days): SQL =>
  sql`(${owners}) as owner cross join ${visitDays} as counted on counted.owner_kind = ${kind}
    and counted.owner_id = owner.id and counted.day >= ${from} and counted.day < ${to}`;

const MAX_TOP_ROWS = 10_000;
const MAX_TOP_ROWS_PER_DAY = 1_000;
const MAX_CANDIDATES = 15;

/**
 * The links or groups with the most visits on the days of a range, as candidates for those with the most visits in it.
 * Of each day the highest rows are read. SQLite has no lateral join, so those of a day are one JSON array. `visits` may be a
 * part of the visits of a row.
 */
export function mostVisited(
  workspaceId: number,
  kind: "link" | "group",
  range: Range,
  visits: SQL = sql`visits`,
): SQL {
  const { firstDay, lastDay, offsets } = range;
  const days = lastDay - firstDay + 1;
  const perDay = Math.min(MAX_TOP_ROWS_PER_DAY, Math.ceil(MAX_TOP_ROWS / days));
  const starts = JSON.stringify(
    Array.from({ length: days }, (_, index) => startOfDayIn(offsets, firstDay + index)),
  );
  const table = OWNER_TABLES[kind];
  const present = kind === "link" ? sql`and ${links.deleted_at} is null` : sql.empty();
  const names =
    kind === "link"
      ? sql`${links.slug} as name, ${links.title} as title, coalesce(${links.domain}, '') as domain`
      : sql`${activityGroups.name} as name, null as title, '' as domain`;
  return sql`select ${table.id} as id, ${table.public_id} as key, ${names}
    from (select top.value ->> 0 as id, sum(top.value ->> 1) as visits
      from json_each(${starts}) as days, json_each((select json_group_array(json_array(owner_id, visits))
        from (select owner_id, ${visits} as visits from ${visitDays} where day = days.value
          and ${visitDays.workspace_id} = ${workspaceId} and owner_kind = ${kind}
          order by ${visitDays.visits} desc limit ${perDay}))) as top
      group by 1 order by 2 desc, 1 limit ${MAX_CANDIDATES}) as candidate
    cross join ${table} on ${table.id} = candidate.id ${present}`;
}
