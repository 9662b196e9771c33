import { literal } from "../db/literal";
import { MAX_COUNTED_RULES } from "./limits";
import { MAX_REFERRERS, NO_REFERRER, OTHER_REFERRERS } from "./referrer";
import type { Counts } from "./visit-buffer";

// What adds queued batches to the counts, for one batch of statements: all of it, or nothing. `?1` is the last batch.

const WHERE_QUEUED = "visit_queue.id <= ?1 and visit_queue.counts is not null";

/** The counts of one kind in these batches, as `counted.value`, with the time of their batch. */
const countsIn = (kind: keyof Counts): string =>
  `(select value, counted_at from visit_queue cross join json_each(visit_queue.counts, '$.${kind}')
    where ${WHERE_QUEUED}) as counted`;

const OF_LINK = "cross join links on links.public_id = counted.value ->> 'link'";

/** The assignment that was open when the batch was counted. */
const OF_GROUP = `left join activity_group_items as assignment
  on assignment.workspace_id = links.workspace_id and assignment.link_id = links.id
    and assignment.role = 'primary' and assignment.started_at <= counted_at and (assignment.ended_at is null or assignment.ended_at > counted_at)`;

const OF_ASSET = `left join offline_assets as asset
  on asset.public_id = counted.value ->> 'asset' and +asset.workspace_id = links.workspace_id`;

/** Every owner of a count, as `owner.kind`. */
const eachOwner = (...kinds: readonly string[]): string =>
  `cross join (${kinds.map((kind) => `select '${kind}' as kind`).join(" union all ")}) as owner`;

const GROUP_OR_LINK = `when 'workspace' then links.workspace_id when 'group' then assignment.activity_group_id
  when 'link' then links.id`;

const addUp = (name: string): string => `sum(counted.value ->> '${name}')`;

const HOURS = `insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
  select links.workspace_id, owner.kind, case owner.kind ${GROUP_OR_LINK} when 'asset' then asset.id end as owner_id,
    counted.value ->> 'hour', ${addUp("clicks")}, ${addUp("scans")}, ${addUp("bots")}, ${addUp("after_end")}
  from ${countsIn("hours")} ${OF_LINK} ${OF_GROUP} ${OF_ASSET} ${eachOwner("workspace", "group", "link", "asset")}
  where owner_id is not null group by 1, 2, 3, 4
  on conflict (owner_kind, owner_id, hour) do update set clicks = clicks + excluded.clicks,
    scans = scans + excluded.scans, bots = bots + excluded.bots, after_end = after_end + excluded.after_end`;

/** The values of this dimension that a count's owner has on its day. */
const knownValues = (what: string, and: string): string =>
  `(select ${what} from visit_days as known where known.owner_kind = counted.owner_kind
    and known.owner_id = counted.owner_id and known.day = counted.day and known.dimension = counted.dimension and ${and})`;

/** What a referrer or rule without a name of its own counts as. */
const UNNAMED = `('${NO_REFERRER}', '${OTHER_REFERRERS}')`;

const MOST_VALUES = `iif(dimension = 'referrer', ${MAX_REFERRERS}, ${MAX_COUNTED_RULES})`;

/**
 * Whether a count keeps its value. Else it is a referrer or rule for which its owner has no room on that day. Only the first
 * places can have room, so the known values are counted for these alone.
 */
const KEEPS_VALUE = `dimension not in ('referrer', 'rule') or value in ${UNNAMED}
  or exists ${knownValues("1", "known.value = counted.value")}
  or (place <= ${MOST_VALUES} and place <= ${MOST_VALUES}
    - ${knownValues("count(*)", `known.value not in ${UNNAMED}`)})`;

const DAYS = `insert into visit_days (workspace_id, owner_kind, owner_id, day, dimension, value, visits)
  select workspace_id, owner_kind, owner_id, day, dimension,
    case when ${KEEPS_VALUE} then value else '${OTHER_REFERRERS}' end as bounded_value, sum(visits)
  from (select links.workspace_id as workspace_id, owner.kind as owner_kind,
      case owner.kind ${GROUP_OR_LINK} end as owner_id, counted.value ->> 'day' as day,
      counted.value ->> 'dimension' as dimension, counted.value ->> 'value' as value, ${addUp("visits")} as visits,
      row_number() over (partition by owner.kind, case owner.kind ${GROUP_OR_LINK} end, counted.value ->> 'day',
        counted.value ->> 'dimension' order by counted.value ->> 'value' in ${UNNAMED},
          ${addUp("visits")} desc, counted.value ->> 'value') as place
    from ${countsIn("days")} ${OF_LINK} ${OF_GROUP} ${eachOwner("workspace", "group", "link")}
    group by 2, 3, 4, 5, 6) as counted
  where owner_id is not null and (dimension <> 'rule' or owner_kind = 'link') group by 1, 2, 3, 4, 5, 6
  on conflict (owner_kind, owner_id, day, dimension, value) do update set visits = visits + excluded.visits`;

export const upsertDays = (upTo: number) => literal(DAYS, upTo);

/** Adds to the totals of links. Their version stays, so nobody who edits one gets a conflict. */
const LINKS = `update links set clicks = links.clicks + more.clicks, scans = links.scans + more.scans,
    last_visit_at = nullif(max(coalesce(links.last_visit_at, 0), coalesce(more.last, 0)), 0),
    last_counted_hour = max(coalesce(links.last_counted_hour, 0), more.hour)
  from (select counted.value ->> 'link' as link, ${addUp("clicks")} as clicks, ${addUp("scans")} as scans,
      max(counted.value ->> 'last') as last, max(counted.value ->> 'hour') as hour
    from ${countsIn("hours")} group by 1) as more
  where links.public_id = more.link`;

const totalsOf = (table: "workspaces" | "activity_groups", owner: string, joined = ""): string =>
  `update ${table} set clicks = ${table}.clicks + more.clicks, scans = ${table}.scans + more.scans
    from (select ${owner} as owner_id, ${addUp("clicks")} as clicks, ${addUp("scans")} as scans
      from ${countsIn("hours")} ${OF_LINK} ${joined} group by 1 having clicks + scans > 0) as more
    where ${table}.id = more.owner_id`;

const ASSETS = `update offline_assets set scans = offline_assets.scans + more.scans,
    after_end = offline_assets.after_end + more.after_end,
    last_after_end = nullif(max(coalesce(offline_assets.last_after_end, 0), more.last), 0)
  from (select asset, sum(scans) as scans, sum(after_end) as after_end, max(iif(after_end > 0, hour, 0)) as last
    from (select asset.id as asset, counted.value ->> 'hour' as hour, counted.value ->> 'scans' as scans,
        (counted.value ->> 'after_end') + iif(counted.value ->> 'hour' >= asset.retired_at,
          counted.value ->> 'scans', 0) as after_end
      from ${countsIn("hours")} cross join offline_assets as asset on asset.public_id = counted.value ->> 'asset')
    group by 1 having sum(scans) + sum(after_end) > 0) as more
  where offline_assets.id = more.asset`;

/** Adds batches to the counts and empties them, so that concurrent runs count none twice. */
export const applyBatches = (upTo: number) =>
  [
    HOURS,
    DAYS,
    LINKS,
    totalsOf("workspaces", "links.workspace_id"),
    totalsOf("activity_groups", "assignment.activity_group_id", OF_GROUP),
    ASSETS,
    `update visit_queue set counts = null where ${WHERE_QUEUED}`,
  ].map((statement) => literal(statement, upTo));
