import { type Literal, literal } from "../db/literal";
import { chunksBySize } from "../lib/chunks";
import { HOUR_MS } from "../lib/time";
import { type AssetCount, addOrigins, type LinkCount, type OwnerCounts } from "./owner-counts";

// What adds counts to the stored ones. Each statement adds rows of a list by their keys and decides nothing.

const LINKS = `select links.public_id as link, links.id as id, links.workspace_id as workspace_id,
    workspaces.time_zone as time_zone, workspaces.earlier_zones as earlier_zones, item.id as assignment, item.activity_group_id as activity_group_id, item.started_at as started_at, item.ended_at as ended_at
  from json_each(?1) as listed cross join links on links.public_id = listed.value
    cross join workspaces on workspaces.id = links.workspace_id
    left join activity_group_items as item on item.workspace_id = links.workspace_id and item.link_id = links.id
      and item.role = 'primary' and (item.ended_at is null or item.ended_at > ?2)`;

const ASSETS = `select asset.public_id as asset, asset.id as id, asset.workspace_id as workspace_id, asset.retired_at as retired_at
  from json_each(?3) as listed cross join offline_assets as asset on asset.public_id = listed.value`;

interface StoredDay {
  owner_kind: string;
  owner_id: number;
  day: number;
  origins: string;
}

/** No day is longer: one that the clocks of a zone begin, and those of the zone furthest behind it end. */
const MAX_DAY_MS = 50 * HOUR_MS;

/**
 * The links and assets of batches since a time, and the stored days of these, of their groups and workspaces: from the day that
 * has the first visit to that of the last one.
 */
export const selectOwners = (
  links: readonly string[],
  assets: readonly string[],
  [first, last]: readonly [first: number, last: number],
  since: number,
) => {
  const values = [JSON.stringify(links), since, JSON.stringify(assets)];
  return [
    literal<LinkCount>(LINKS, ...values.slice(0, 2)),
    literal<AssetCount>(ASSETS, ...values),
    literal<StoredDay>(
      `with counted as (${LINKS}), scanned as (${ASSETS}), owner(kind, id) as (select 'link', id from counted
          union select 'workspace', workspace_id from counted union select 'group', activity_group_id from counted
          union select 'asset', id from scanned)
        select owner_kind, owner_id, day, origins from owner
          cross join visit_days on owner_kind = owner.kind and owner_id = owner.id and day <= ?5
            and day >= coalesce((select max(day) from visit_days as begun where begun.owner_kind = owner.kind
              and begun.owner_id = owner.id and begun.day <= ?4 and begun.day > ?4 - ${MAX_DAY_MS}), ?4)`,
      ...values,
      first,
      last,
    ),
  ] as const;
};

/** A receiver that hears of visits. */
export interface Told {
  id: number;
  workspace_id: number;
}

export const selectTold = () =>
  literal<Told>(
    "select id, workspace_id from receivers indexed by receivers_counting where visits_from is not null",
  );

/** A receiver that does not hear of visits any more has no rows. */
const UNTOLD = `insert into untold_visits (workspace_id, receiver_id, link, clicks, scans)
  select receivers.workspace_id, receivers.id, value ->> 1, value ->> 2, value ->> 3
  from json_each(?1) cross join receivers on receivers.id = value ->> 0 and receivers.visits_from is not null where true
  on conflict (receiver_id, link) do update set clicks = clicks + excluded.clicks, scans = scans + excluded.scans`;

const HOURS = `insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
  from json_each(?1) where true
  on conflict (owner_kind, owner_id, hour) do update set clicks = clicks + excluded.clicks,
    scans = scans + excluded.scans, bots = bots + excluded.bots, after_end = after_end + excluded.after_end`;

const DAYS = `insert into visit_days (workspace_id, owner_kind, owner_id, day, visits, origins)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(?1) where true
  on conflict (owner_kind, owner_id, day) do update set visits = visits + excluded.visits, origins = excluded.origins`;

/** Totals change without a new version of a link, so nobody who edits it gets a conflict. */
const TOTALS = {
  link: `update links set clicks = clicks + (value ->> 1), scans = scans + (value ->> 2),
      last_visit_at = nullif(max(coalesce(last_visit_at, 0), value ->> 3), 0)
    from json_each(?1) where links.id = value ->> 0`,
  workspace: `update workspaces set clicks = clicks + (value ->> 1), scans = scans + (value ->> 2)
    from json_each(?1) where workspaces.id = value ->> 0`,
  group: `update activity_groups set clicks = clicks + (value ->> 1), scans = scans + (value ->> 2)
    from json_each(?1) where activity_groups.id = value ->> 0`,
  asset: `update offline_assets set scans = scans + (value ->> 2), after_end = after_end + (value ->> 4),
      last_after_end = nullif(max(coalesce(last_after_end, 0), value ->> 5), 0)
    from json_each(?1) where offline_assets.id = value ->> 0`,
} as const;

/** Apart from the totals, since it changes once a day and has two indexes. */
const COUNTED_DAYS = `update links set last_counted_day = value ->> 6
  from json_each(?1) where links.id = value ->> 0 and (last_counted_day is null or last_counted_day < value ->> 6)`;

const BEFORE = `update activity_group_items set visits_before = visits_before + (value ->> 1)
  from json_each(?1) where activity_group_items.id = value ->> 0`;

/** Row id, clicks, scans, last visit, visits after the end of an asset, the last hour with one, last day. */
function totalsOf({ id, hours, days, last, retiredAt }: OwnerCounts) {
  let [clicks, scans, afterEnd, lastAfterEnd] = [0, 0, 0, 0];
  for (const [hour, [own, scanned, , late]] of Object.entries(hours)) {
    const after = late + (retiredAt !== null && Number(hour) >= retiredAt ? scanned : 0);
    clicks += own;
    scans += scanned;
    afterEnd += after;
    if (after > 0) lastAfterEnd = Math.max(lastAfterEnd, Number(hour));
  }
  const lastDay = Math.max(...Object.keys(days).map(Number));
  return [id, clicks, scans, last, afterEnd, lastAfterEnd, lastDay] as const;
}

export function addCounts(
  owners: readonly OwnerCounts[],
  before: Readonly<Record<number, number>>,
  storedDays: readonly StoredDay[],
  { told, linkOf }: { told: readonly Told[]; linkOf: ReadonlyMap<number, string> },
): Literal[] {
  const stored = new Map(
    storedDays.map((row) => [`${row.owner_kind} ${row.owner_id} ${row.day}`, row.origins]),
  );
  const hours = owners.flatMap(({ workspace, kind, id, hours: own }) =>
    Object.entries(own).map(([hour, counts]) => [workspace, kind, id, Number(hour), ...counts]),
  );
  const days = owners.flatMap(({ workspace, kind, id, days: counted }) => {
    return Object.entries(counted).map(([day, { visits, origins }]) => {
      const all = addOrigins(JSON.parse(stored.get(`${kind} ${id} ${day}`) ?? "{}"), origins);
      return [workspace, kind, id, Number(day), visits, all];
    });
  });
  const add = (text: string, rows: readonly (readonly unknown[])[]) =>
    chunksBySize(rows).map((chunk) => literal(text, JSON.stringify(chunk)));
  const totals = (kind: string) => owners.filter((owner) => owner.kind === kind).map(totalsOf);
  const changes = ([, clicks, scans, , afterEnd]: ReturnType<typeof totalsOf>) =>
    clicks + scans + afterEnd > 0;
  const toldIn = Map.groupBy(told, (receiver) => receiver.workspace_id);
  const untold = owners.flatMap((owner) => {
    const [id, clicks, scans] = totalsOf(owner);
    const link = owner.kind === "link" && clicks + scans > 0 ? linkOf.get(id) : undefined;
    const receivers = link === undefined ? [] : (toldIn.get(owner.workspace) ?? []);
    return receivers.map((receiver) => [receiver.id, link, clicks, scans]);
  });
  return [
    ...add(UNTOLD, untold),
    ...add(HOURS, hours),
    ...add(DAYS, days),
    ...Object.entries(TOTALS).flatMap(([kind, text]) => add(text, totals(kind).filter(changes))),
    ...add(COUNTED_DAYS, totals("link")),
    ...add(BEFORE, Object.entries(before)),
  ];
}
