import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { links, offlineAssets, scanHours, slugs } from "../db/schema";

const whereWithin = (from: number, to: number): SQL =>
  sql`${scanHours.hour} >= ${from} and ${scanHours.hour} < ${to}`;

const selectAssetRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${offlineAssets.id} from ${offlineAssets}
    where ${offlineAssets.public_id} = ${id} and +${offlineAssets.workspace_id} = ${workspaceId})`;

/** An asset, and when its code was made; null if it has none. */
export const selectScannedAsset =
  (workspaceId: number, id: string): Statement<{ id: string; code_at: number | null }[]> =>
  (orm) =>
    orm.all(sql`select ${offlineAssets.public_id} as id, (select ${slugs.created_at} from ${slugs}
        where ${slugs.asset} = ${offlineAssets.public_id}) as code_at
      from ${offlineAssets} where ${offlineAssets.public_id} = ${id} and +${offlineAssets.workspace_id} = ${workspaceId}`);

const day = sql`${scanHours.hour} - ${scanHours.hour} % 86400000`;

export const selectScansByDay =
  (
    workspaceId: number,
    id: string,
    from: number,
    to: number,
  ): Statement<{ day: number; scans: number; late: number; bots: number }[]> =>
  (orm) =>
    orm.all(sql`select ${day} as day, sum(${scanHours.people}) as scans, sum(${scanHours.late}) as late,
        sum(${scanHours.bots}) as bots
      from ${scanHours} where ${scanHours.asset_id} = ${selectAssetRowId(workspaceId, id)} and ${whereWithin(from, to)}
      group by 1 order by 1`);

/** Scans by hour of the day in UTC. A folded month has lost its hours, so it is left out. */
export const selectScansByHour =
  (workspaceId: number, id: string, from: number, to: number): Statement<{ hour: number; scans: number }[]> =>
  (orm) =>
    orm.all(sql`select ${scanHours.hour} / 3600000 % 24 as hour, sum(${scanHours.people}) as scans
      from ${scanHours} where ${scanHours.asset_id} = ${selectAssetRowId(workspaceId, id)} and ${whereWithin(from, to)}
        and +${scanHours.folded} = 0 group by 1 order by 1`);

export interface AssetScansRow {
  id: string;
  name: string;
  place: string | null;
  status: "draft" | "live" | "retired";
  scans: number;
  late: number;
  bots: number;
}

/** The assets that a link has now, each with all its scans, the most scanned first. */
export const selectScansOfLink =
  (workspaceId: number, link: string, from: number, to: number, limit: number): Statement<AssetScansRow[]> =>
  (orm) =>
    orm.all(sql`select ${offlineAssets.public_id} as id, ${offlineAssets.name} as name, ${offlineAssets.place} as place,
        ${offlineAssets.status} as status, coalesce(sum(${scanHours.people}), 0) as scans,
        coalesce(sum(${scanHours.late}), 0) as late, coalesce(sum(${scanHours.bots}), 0) as bots
      from ${links} cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${links.workspace_id}
          and ${offlineAssets.link_id} = ${links.id}
        left join ${scanHours} on ${scanHours.asset_id} = ${offlineAssets.id} and ${whereWithin(from, to)}
      where ${links.public_id} = ${link} and +${links.workspace_id} = ${workspaceId}
      group by +${offlineAssets.id} order by scans desc, late desc, ${offlineAssets.id} limit ${limit}`);

/**
 * Scans of a range by hour of the day in UTC, apart for each of the offsets that begin at `changes`. A folded month has lost
 * its hours, so it is left out.
 */
export const selectScansByHourOfDay =
  (
    workspaceId: number,
    id: string,
    { from, to, changes }: { from: number; to: number; changes: readonly number[] },
  ): Statement<{ hour: number; part: number; scans: number }[]> =>
  (orm) => {
    const passed = changes.map((at) => sql`(${scanHours.hour} >= ${at})`);
    const part = passed.length === 0 ? sql`0` : sql.join(passed, sql` + `);
    return orm.all(sql`select ${scanHours.hour} / 3600000 % 24 as hour, ${part} as part, sum(${scanHours.people}) as scans
      from ${scanHours} where ${scanHours.asset_id} = ${selectAssetRowId(workspaceId, id)} and ${whereWithin(from, to)}
        and +${scanHours.folded} = 0 group by 1, 2`);
  };

interface LifeOfCode {
  /** When the code was made; null if there is none. */
  code_at: number | null;
  /** All scans so far. */
  scans: number;
  /** The scans in the hours of a range that were over when the asset first went live. */
  before_live: number;
}

export const selectLifeOfCode =
  (workspaceId: number, id: string, from: number, to: number): Statement<LifeOfCode[]> =>
  (orm) =>
    orm.all(sql`select (select ${slugs.created_at} from ${slugs} where ${slugs.asset} = ${offlineAssets.public_id}) as code_at,
        coalesce((select sum(${scanHours.people}) from ${scanHours}
          where ${scanHours.asset_id} = ${offlineAssets.id}), 0) as scans,
        coalesce((select sum(${scanHours.people}) from ${scanHours} where ${scanHours.asset_id} = ${offlineAssets.id}
          and ${whereWithin(from, to)} and ${scanHours.hour} <= ${offlineAssets.live_at} - 3600000
          and +${scanHours.folded} = 0), 0) as before_live
      from ${offlineAssets} where ${offlineAssets.public_id} = ${id} and +${offlineAssets.workspace_id} = ${workspaceId}`);
