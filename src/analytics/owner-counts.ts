import { countedHourOf, localDayAt, readZones, startOfLocalDay } from "../lib/time-zone";
import type { LinkCounts } from "./batch";
import type { OwnerKind } from "./owners";
import { MAX_REFERRERS, NO_REFERRER, OTHER_REFERRERS } from "./referrer";
import { MAX_COUNTED_RULES } from "./report-limits";

// What batches count of links, added up for each owner: the workspace, the link, its group and the scanned asset. Pure.

type Origins = Record<string, Record<string, number>>;

export interface OwnerCounts {
  workspace: number;
  kind: OwnerKind;
  id: number;
  /** By hour, or quarter hour where its zone needs it. */
  hours: Record<number, [clicks: number, scans: number, bots: number, afterEnd: number]>;
  days: Record<number, { visits: number; origins: Origins }>;
  last: number;
  /** Of an asset. Its later scans are visits after the end. */
  retiredAt: number | null;
}

/** A link, once for each assignment to a group that was open at the time of the first batch or later. */
export interface LinkCount {
  link: string;
  id: number;
  workspace_id: number;
  time_zone: string;
  earlier_zones: string | null;
  assignment: number | null;
  activity_group_id: number | null;
  started_at: number | null;
  ended_at: number | null;
}

export interface AssetCount {
  asset: string;
  id: number;
  workspace_id: number;
  retired_at: number | null;
}

export interface ReadBatch {
  batch: string;
  at: number;
  counts: readonly LinkCounts[];
}

/** By which hour and from which day on a quarter hour counts in a workspace. Of those with the same zones it is found once. */
function createClocks() {
  const known = new Map<string, { hour: number; day: number }>();
  return ({ time_zone: zone, earlier_zones: earlier }: LinkCount, quarter: number) => {
    const key = `${quarter} ${zone} ${earlier}`;
    const zones = readZones(zone, earlier);
    const found = known.get(key) ?? {
      hour: countedHourOf(zones, quarter),
      day: startOfLocalDay(zones, localDayAt(zones, quarter)),
    };
    known.set(key, found);
    return found;
  };
}

/**
 * The counts of each owner, and the clicks and scans that links had in addition when assignments of theirs began, by row id.
 * A link that is gone counts for nobody.
 */
export function groupByOwner(
  batches: readonly ReadBatch[],
  linkRows: readonly LinkCount[],
  assetRows: readonly AssetCount[],
) {
  const owners: Record<string, OwnerCounts> = {};
  const before: Record<number, number> = {};
  const ownerOf = (workspace: number, kind: OwnerKind, id: number, retiredAt: number | null = null) => {
    owners[`${kind} ${id}`] ??= { workspace, kind, id, hours: {}, days: {}, last: 0, retiredAt };
    return owners[`${kind} ${id}`] as OwnerCounts;
  };
  const clockOf = createClocks();
  const rowsOf = Map.groupBy(linkRows, ({ link }) => link);
  const assets = new Map(assetRows.map((row) => [row.asset, row]));
  for (const { at, counts } of batches) {
    for (const [link, hours, days] of counts) {
      const rows = rowsOf.get(link) ?? [];
      const [row] = rows;
      if (row === undefined) continue;
      const { workspace_id: workspace } = row;
      const ofLink = ownerOf(workspace, "link", row.id);
      const every = [ofLink, ownerOf(workspace, "workspace", workspace)];
      for (const { activity_group_id: group, started_at: start, ended_at: end } of rows)
        if (group !== null && start !== null && start <= at && (end ?? at + 1) > at)
          every.push(ownerOf(workspace, "group", group));
      for (const [code, quarter, ...visits] of hours) {
        const { hour, day } = clockOf(row, quarter);
        const asset = code === null ? undefined : assets.get(code);
        const scanned = asset?.workspace_id === workspace ? asset : undefined;
        const assetOwner = scanned && ownerOf(workspace, "asset", scanned.id, scanned.retired_at);
        for (const owner of assetOwner ? [...every, assetOwner] : every) {
          dayIn(owner, day).visits += visits[0] + visits[1];
          const totals = owner.hours[hour] ?? [0, 0, 0, 0];
          for (const index of totals.keys()) totals[index] = (totals[index] ?? 0) + (visits[index] ?? 0);
          owner.hours[hour] = totals;
        }
        const [clicks, scans, , , last] = visits;
        ofLink.last = Math.max(ofLink.last, last ?? 0);
        for (const { assignment, started_at: start } of rows)
          if (assignment !== null && start !== null && start > at)
            before[assignment] = (before[assignment] ?? 0) + clicks + scans;
      }
      for (const [dimension, value, quarter, visits] of days) {
        const { day } = clockOf(row, quarter);
        for (const owner of dimension === "rule" ? [ofLink] : every)
          addValue(dayIn(owner, day).origins, dimension, value, visits);
      }
    }
  }
  return { owners: Object.values(owners), before };
}

function dayIn({ days }: OwnerCounts, day: number) {
  const own = days[day] ?? { visits: 0, origins: {} };
  days[day] = own;
  return own;
}

function addValue(origins: Origins, dimension: string, value: string, visits: number): Origins {
  const values = origins[dimension] ?? {};
  values[value] = (values[value] ?? 0) + visits;
  origins[dimension] = values;
  return origins;
}

/** The most values that an owner has by name on a day. Others have a bound of their own. */
const MAX_VALUES: Readonly<Record<string, number>> = { referrer: MAX_REFERRERS, rule: MAX_COUNTED_RULES };

const isNamed = (value: string): boolean => value !== NO_REFERRER && value !== OTHER_REFERRERS;

/**
 * Adds to the stored origins of a day. While there is room for names, those with the most visits get it; the visits of the
 * rest count as others.
 */
export function addOrigins(stored: Origins, more: Origins): Origins {
  for (const [dimension, values] of Object.entries(more)) {
    const known = stored[dimension] ?? {};
    let room =
      (MAX_VALUES[dimension] ?? Number.POSITIVE_INFINITY) - Object.keys(known).filter(isNamed).length;
    const sorted = Object.entries(values).sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
    for (const [value, visits] of sorted) {
      const hasName = !isNamed(value) || value in known || room-- > 0;
      addValue(stored, dimension, hasName ? value : OTHER_REFERRERS, visits);
    }
  }
  return stored;
}
