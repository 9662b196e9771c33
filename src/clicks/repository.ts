import { sql } from "drizzle-orm";
import { encodeTime } from "ulidx";
import type { Statement } from "../db/client";
import { deleteBelow } from "../db/portion";
import { clickDays, clickHours, clickPacks, links, offlineAssets, scanHours } from "../db/schema";
import type { DayCount, HourCount, ScanCount } from "./gathering";
import { MAX_REFERRERS, NO_REFERRER, OTHER_REFERRERS } from "./referrer";

/** Fails if the pack was written before. */
export const insertPack =
  (id: string, at: number): Statement =>
  (orm) =>
    orm.insert(clickPacks).values({ id, written_at: at });

export const upsertHours =
  (counts: readonly HourCount[]): Statement =>
  (orm) =>
    orm
      .insert(clickHours)
      .select(sql`select ${links.workspace_id}, ${links.id}, counted.value ->> 'hour', counted.value ->> 'people',
        counted.value ->> 'bots', counted.value ->> 'scans', counted.value ->> 'late', 0 from json_each(${JSON.stringify(counts)}) as counted
        join ${links} on ${links.public_id} = counted.value ->> 'link' where true`)
      .onConflictDoUpdate({
        target: [clickHours.link_id, clickHours.hour],
        set: {
          people: sql`${clickHours.people} + excluded.people`,
          bots: sql`${clickHours.bots} + excluded.bots`,
          scans: sql`${clickHours.scans} + excluded.scans`,
          late: sql`${clickHours.late} + excluded.late`,
        },
      });

export const upsertScans =
  (counts: readonly ScanCount[]): Statement =>
  (orm) =>
    orm
      .insert(scanHours)
      .select(sql`select ${offlineAssets.workspace_id}, ${offlineAssets.id}, counted.value ->> 'hour',
        counted.value ->> 'people', counted.value ->> 'bots', counted.value ->> 'late', 0
        from json_each(${JSON.stringify(counts)}) as counted
        join ${offlineAssets} on ${offlineAssets.public_id} = counted.value ->> 'asset' where true`)
      .onConflictDoUpdate({
        target: [scanHours.asset_id, scanHours.hour],
        set: {
          people: sql`${scanHours.people} + excluded.people`,
          bots: sql`${scanHours.bots} + excluded.bots`,
          late: sql`${scanHours.late} + excluded.late`,
        },
      });

/**
 * Adds counts of days. Referrers past 100 per link and day count as `OTHER_REFERRERS`. The statement itself enforces this,
 * because instances write concurrently. Costs one lookup per referrer and up to 100 rows per link and day with referrers.
 */
export const upsertDays =
  (counts: readonly DayCount[]): Statement =>
  (orm) =>
    orm
      .insert(clickDays)
      .select(sql`with counted as materialized (
          select ${links.workspace_id} as workspace_id, ${links.id} as link_id, given.value ->> 'day' as day,
            given.value ->> 'dimension' as dimension, given.value ->> 'value' as value, given.value ->> 'people' as people
          from json_each(${JSON.stringify(counts)}) as given cross join ${links} on ${links.public_id} = given.value ->> 'link'),
        marked as materialized (select *, dimension <> 'referrer' or value in (${NO_REFERRER}, ${OTHER_REFERRERS})
          or exists (select 1 from ${clickDays} as known where known.link_id = counted.link_id and known.day = counted.day
            and known.dimension = 'referrer' and known.value = counted.value) as has_row from counted),
        rooms as materialized (select link_id, day, ${MAX_REFERRERS} - (select count(*) from (
            select 1 from ${clickDays} as known where known.link_id = fresh.link_id and known.day = fresh.day
              and known.dimension = 'referrer' and known.value not in (${NO_REFERRER}, ${OTHER_REFERRERS})
            limit ${MAX_REFERRERS})) as room
          from (select distinct link_id, day from marked where not has_row) as fresh),
        placed as (select marked.*, room, row_number() over (partition by marked.link_id, marked.day, has_row, dimension
            order by people desc, value) as place
          from marked left join rooms on rooms.link_id = marked.link_id and rooms.day = marked.day)
        select workspace_id, link_id, day, dimension,
          case when has_row or place <= room then value else ${OTHER_REFERRERS} end, sum(people), 0
        from placed where true group by 1, 2, 3, 4, 5`)
      .onConflictDoUpdate({
        target: [clickDays.link_id, clickDays.day, clickDays.dimension, clickDays.value],
        set: { people: sql`${clickDays.people} + excluded.people` },
      });

/** Deletes a portion of the packs counted before `at`. An id begins with its time. */
export const deletePacksBefore = (at: number): Statement =>
  deleteBelow(clickPacks, clickPacks.id, encodeTime(at, 10));
