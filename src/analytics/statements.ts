// The removal of old counts, the check of their owners, and what is in a group.

import { type SQL, sql } from "drizzle-orm";
import { MAX_REMOVED_ROWS } from "../db/chunk";
import type { Statement } from "../db/client";
import { orm } from "../db/prepared";
import { visitDays, visitHours, visitQueue } from "../db/schema/analytics";
import { offlineAssets } from "../db/schema/engagement";
import { links } from "../db/schema/links";
import { firstIdAt } from "../lib/ids";
import { MAX_LINKS_WITH_ASSETS } from "./limits";
import { OWNER_TABLES, ownerById } from "./owners";

const rowid = sql.raw("rowid");

/** Deletes a chunk of the days before a time. An owner's total of a day is its last row, by which the day is found. */
export const deleteDaysBefore = (at: number) =>
  orm.run(sql`delete from ${visitDays} where ${rowid} in (select ${visitDays}.${rowid}
      from (select owner_kind, owner_id, day from ${visitDays} where dimension = 'total' and day < ${at}
          order by day limit ${MAX_REMOVED_ROWS}) as old
        cross join ${visitDays} on ${visitDays.owner_kind} = old.owner_kind and ${visitDays.owner_id} = old.owner_id
          and ${visitDays.day} = old.day
      limit ${MAX_REMOVED_ROWS})`);

/** Deletes a chunk of the batches that are added up and that no instance can retry any more. */
export const deleteBatchesBefore = (at: number) =>
  orm.run(sql`delete from ${visitQueue} where ${visitQueue.id} in (select id from ${visitQueue}
      where batch < ${firstIdAt(at)} and counts is null order by batch limit ${MAX_REMOVED_ROWS})`);

const strayRows = (table: typeof visitHours | typeof visitDays, workspaceId: number): SQL =>
  sql.join(
    Object.entries(OWNER_TABLES).map(
      ([kind, owners]) => sql`select ${table}.${rowid} as stray from ${owners}
        cross join ${table} on ${table.owner_kind} = ${kind} and ${table.owner_id} = ${owners.id}
        where ${"workspace_id" in owners ? owners.workspace_id : owners.id} = ${workspaceId}
          and +${table.workspace_id} <> ${workspaceId}`,
    ),
    sql` union all `,
  );

/** Counts of the workspace's links, groups and assets that name another workspace, as a number of rows. */
export const selectStrayCounts = (slug: string, workspaceId: number) =>
  orm.all<{ kept: string; of: string; is: number; should_be: number }>(
    sql.join(
      [
        [visitHours, "hours of visits that name another workspace"],
        [visitDays, "days of visits that name another workspace"],
      ].map(
        ([table, kept]) => sql`select ${kept} as kept, ${slug} as "of", count(*) as "is", 0 as should_be
            from (${strayRows(table as typeof visitHours, workspaceId)}) having count(*) > 0`,
      ),
      sql` union all `,
    ),
  );

/** Gives them to the workspace of their owner. */
export const updateStrayCounts = (workspaceId: number): Statement[] =>
  [visitHours, visitDays].map((table) =>
    orm.run(sql`update ${table} set workspace_id = ${workspaceId}
          where ${rowid} in (${strayRows(table, workspaceId)})`),
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
