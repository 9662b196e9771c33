// The removal of old counts, the check of their owners, and what is in a group.

import { type SQL, sql } from "drizzle-orm";
import { deleteBelow, MAX_REMOVED_ROWS } from "../db/chunk";
import type { Statement } from "../db/client";
import { orm } from "../db/prepared";
import { visitDays, visitHours, visitRuns } from "../db/schema/analytics";
import { offlineAssets } from "../db/schema/engagement";
import { links } from "../db/schema/links";
import { OWNER_TABLES, ownerById } from "./owners";
import { MAX_LINKS_WITH_ASSETS } from "./report-limits";

const oldDays = (at: number): SQL => sql`(select owner_kind, owner_id, day from ${visitDays} where day < ${at}
  order by day limit ${MAX_REMOVED_ROWS})`;

/** The hours of a day: those until the next day of its owner that has any. */
const HOURS_OF_DAY = sql`hours.owner_kind = old.owner_kind and hours.owner_id = old.owner_id and hours.hour >= old.day
  and hours.hour < coalesce((select min(later.day) from ${visitDays} as later where later.owner_kind = old.owner_kind
    and later.owner_id = old.owner_id and later.day > old.day), 9e15)`;

/** Deletes a chunk of the counts of days that began before a time: the hours, and then the days that have none. */
export const deleteCountsBefore = (at: number): Statement[] => [
  orm.run(sql`delete from ${visitHours} where (owner_kind, owner_id, hour) in
      (select hours.owner_kind, hours.owner_id, hours.hour from ${oldDays(at)} as old
        cross join ${visitHours} as hours on ${HOURS_OF_DAY} limit ${MAX_REMOVED_ROWS})`),
  orm.run(sql`delete from ${visitDays} where (owner_kind, owner_id, day) in (select owner_kind, owner_id, day
      from ${oldDays(at)} as old where not exists (select 1 from ${visitHours} as hours where ${HOURS_OF_DAY}))`),
];

/** Deletes a chunk of the runs whose batches no instance can retry any more. */
export const deleteRunsBefore = (at: number) => deleteBelow(visitRuns, visitRuns.run, at);

const COUNTS = [
  { table: visitHours, time: visitHours.hour, kept: "hours of visits that name another workspace" },
  { table: visitDays, time: visitDays.day, kept: "days of visits that name another workspace" },
] as const;

const strayRows = ({ table, time }: (typeof COUNTS)[number], workspaceId: number): SQL =>
  sql.join(
    Object.entries(OWNER_TABLES).map(([kind, owners]) => {
      const workspace = "workspace_id" in owners ? owners.workspace_id : owners.id;
      return sql`select ${table.owner_kind}, ${table.owner_id}, ${time} as at from ${owners}
        cross join ${table} on ${table.owner_kind} = ${kind} and ${table.owner_id} = ${owners.id}
        where ${workspace} = ${workspaceId} and +${table.workspace_id} <> ${workspaceId}`;
    }),
    sql` union all `,
  );

/** Counts of the workspace's links, groups and assets that name another workspace, as a number of rows. */
export const selectStrayCounts = (slug: string, workspaceId: number) =>
  orm.all<{ kept: string; of: string; is: number; should_be: number }>(
    sql.join(
      COUNTS.map(
        (counts) => sql`select ${counts.kept} as kept, ${slug} as "of", count(*) as "is", 0 as should_be
            from (${strayRows(counts, workspaceId)}) having count(*) > 0`,
      ),
      sql` union all `,
    ),
  );

export const updateStrayCounts = (workspaceId: number): Statement[] =>
  COUNTS.map((counts) =>
    orm.run(sql`update ${counts.table} set workspace_id = ${workspaceId}
          from (${strayRows(counts, workspaceId)}) as stray where ${counts.table}.owner_kind = stray.owner_kind
            and ${counts.table}.owner_id = stray.owner_id and ${counts.time} = stray.at`),
  );

const inGroup = (workspaceId: number, group: string): SQL =>
  sql`select ${links.id} as id, ${links.public_id} as link, ${links.archived} as archived from ${links}
    where ${links.workspace_id} = ${workspaceId}
      and ${links.activity_group_id} = (select id from (${ownerById("group", workspaceId, group)}))
      and ${links.deleted_at} is null and ${links.activity_group_id} is not null`;

/** The links of a group as its index orders them: active ones before archived ones. */
export const linksInGroup = (workspaceId: number, group: string, limit: number): SQL =>
  sql`${inGroup(workspaceId, group)} order by ${links.archived}, ${links.public_id} limit ${limit}`;

export const newestLinksInGroup = (workspaceId: number, group: string, archived: 0 | 1, limit: number): SQL =>
  sql`${inGroup(workspaceId, group)} and ${links.archived} = ${archived}
    order by ${links.public_id} desc limit ${limit}`;

/** The assets of a group's links, of its first 10,000. */
export const assetsInGroup = (workspaceId: number, group: string, order = sql.empty()): SQL =>
  sql`select ${offlineAssets.id} as id, ${offlineAssets.public_id} as key
    from (${linksInGroup(workspaceId, group, MAX_LINKS_WITH_ASSETS)}) as listed cross join ${offlineAssets}
      on ${offlineAssets.workspace_id} = ${workspaceId} and ${offlineAssets.link_id} = listed.id ${order}`;
