import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { orm } from "../db/prepared";
import { workspaces } from "../db/schema/access";
import { activityGroups } from "../db/schema/activity-groups";
import { visitDays, visitHours, visitQueue } from "../db/schema/analytics";
import { offlineAssets } from "../db/schema/engagement";
import { activityGroupItems, links } from "../db/schema/links";
import { MAX_COUNTED_RULES } from "./limits";
import { MAX_REFERRERS, NO_REFERRER, OTHER_REFERRERS } from "./referrer";
import type { Counts } from "./visit-buffer";

// What adds queued batches to the counts, for one batch of statements: all of it, or nothing.

/** Queued batches up to a row id. */
const whereQueued = (upTo: number): SQL =>
  sql`${visitQueue.id} <= ${upTo} and ${visitQueue.counts} is not null`;

/** The counts of one kind in these batches, as `counted.value`, with the time of their batch. */
const countsIn = (upTo: number, kind: keyof Counts): SQL =>
  sql`(select value, counted_at from ${visitQueue} cross join json_each(${visitQueue.counts}, ${sql.raw(`'$.${kind}'`)})
    where ${whereQueued(upTo)}) as counted`;

const ofLink = sql`cross join ${links} on ${links.public_id} = counted.value ->> 'link'`;

/** The assignment that was open when the batch was counted. */
const ofGroup = sql`left join ${activityGroupItems} as assignment
  on assignment.workspace_id = ${links.workspace_id} and assignment.link_id = ${links.id}
    and assignment.started_at <= counted_at and (assignment.ended_at is null or assignment.ended_at > counted_at)`;

const ofAsset = sql`left join ${offlineAssets} as asset
  on asset.public_id = counted.value ->> 'asset' and +asset.workspace_id = ${links.workspace_id}`;

/** Every owner of a count, as `owner.kind`. */
const eachOwner = (...kinds: readonly string[]): SQL =>
  sql`cross join (${sql.raw(kinds.map((kind) => `select '${kind}' as kind`).join(" union all "))}) as owner`;

const groupOrLink = sql`when 'workspace' then ${links.workspace_id} when 'group' then assignment.activity_group_id
  when 'link' then ${links.id}`;

const addUp = (name: string): SQL => sql`sum(counted.value ->> ${sql.raw(`'${name}'`)})`;

const upsertHours = (upTo: number) =>
  orm.run(sql`insert into ${visitHours} (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
      select ${links.workspace_id}, owner.kind, case owner.kind ${groupOrLink} when 'asset' then asset.id end as owner_id,
        counted.value ->> 'hour', ${addUp("clicks")}, ${addUp("scans")}, ${addUp("bots")}, ${addUp("after_end")}
      from ${countsIn(upTo, "hours")} ${ofLink} ${ofGroup} ${ofAsset} ${eachOwner("workspace", "group", "link", "asset")}
      where owner_id is not null group by 1, 2, 3, 4
      on conflict (owner_kind, owner_id, hour) do update set clicks = clicks + excluded.clicks,
        scans = scans + excluded.scans, bots = bots + excluded.bots, after_end = after_end + excluded.after_end`);

/** The values of this dimension that a count's owner has on its day. */
const knownValues = (what: SQL, and: SQL): SQL =>
  sql`(select ${what} from ${visitDays} as known where known.owner_kind = counted.owner_kind
    and known.owner_id = counted.owner_id and known.day = counted.day and known.dimension = counted.dimension and ${and})`;

const isNamed = sql`known.value not in (${NO_REFERRER}, ${OTHER_REFERRERS})`;

const mostValues = sql`iif(dimension = 'referrer', ${MAX_REFERRERS}, ${MAX_COUNTED_RULES})`;

/**
 * Whether a count keeps its value. Else it is a referrer or rule for which its owner has no room on that day. Only the first
 * places can have room, so the known values are counted for these alone.
 */
const keepsValue = sql`dimension not in ('referrer', 'rule') or value in (${NO_REFERRER}, ${OTHER_REFERRERS})
  or exists ${knownValues(sql`1`, sql`known.value = counted.value`)}
  or (place <= ${mostValues} and place <= ${mostValues} - ${knownValues(sql`count(*)`, isNamed)})`;

export const upsertDays = (upTo: number) =>
  orm.run(sql`insert into ${visitDays} (workspace_id, owner_kind, owner_id, day, dimension, value, visits)
      select workspace_id, owner_kind, owner_id, day, dimension,
        case when ${keepsValue} then value else ${OTHER_REFERRERS} end as bounded_value, sum(visits)
      from (select ${links.workspace_id} as workspace_id, owner.kind as owner_kind,
          case owner.kind ${groupOrLink} end as owner_id, counted.value ->> 'day' as day,
          counted.value ->> 'dimension' as dimension, counted.value ->> 'value' as value, ${addUp("visits")} as visits,
          row_number() over (partition by owner.kind, case owner.kind ${groupOrLink} end, counted.value ->> 'day',
            counted.value ->> 'dimension' order by counted.value ->> 'value' in (${NO_REFERRER}, ${OTHER_REFERRERS}),
              ${addUp("visits")} desc, counted.value ->> 'value') as place
        from ${countsIn(upTo, "days")} ${ofLink} ${ofGroup} ${eachOwner("workspace", "group", "link")}
        group by 2, 3, 4, 5, 6) as counted
      where owner_id is not null and (dimension <> 'rule' or owner_kind = 'link') group by 1, 2, 3, 4, 5, 6
      on conflict (owner_kind, owner_id, day, dimension, value) do update set visits = visits + excluded.visits`);

/** Adds to the totals of links. Their version stays, so nobody who edits one gets a conflict. */
const addToLinks = (upTo: number) =>
  orm.run(sql`update ${links} set clicks = ${links.clicks} + more.clicks, scans = ${links.scans} + more.scans,
        last_visit_at = nullif(max(coalesce(${links.last_visit_at}, 0), coalesce(more.last, 0)), 0),
        last_counted_hour = max(coalesce(${links.last_counted_hour}, 0), more.hour)
      from (select counted.value ->> 'link' as link, ${addUp("clicks")} as clicks, ${addUp("scans")} as scans,
          max(counted.value ->> 'last') as last, max(counted.value ->> 'hour') as hour
        from ${countsIn(upTo, "hours")} group by 1) as more
      where ${links.public_id} = more.link`);

const addToTotals = (table: typeof workspaces | typeof activityGroups, upTo: number) => {
  const [owner, joined] =
    table === workspaces
      ? [sql`${links.workspace_id}`, sql.empty()]
      : [sql`assignment.activity_group_id`, ofGroup];
  return orm.run(sql`update ${table} set clicks = ${table.clicks} + more.clicks, scans = ${table.scans} + more.scans
      from (select ${owner} as owner_id, ${addUp("clicks")} as clicks, ${addUp("scans")} as scans
        from ${countsIn(upTo, "hours")} ${ofLink} ${joined} group by 1 having clicks + scans > 0) as more
      where ${table.id} = more.owner_id`);
};

const addToAssets = (upTo: number) =>
  orm.run(sql`update ${offlineAssets} set scans = ${offlineAssets.scans} + more.scans,
        after_end = ${offlineAssets.after_end} + more.after_end,
        last_after_end = nullif(max(coalesce(${offlineAssets.last_after_end}, 0), more.last), 0)
      from (select asset, sum(scans) as scans, sum(after_end) as after_end, max(iif(after_end > 0, hour, 0)) as last
        from (select asset.id as asset, counted.value ->> 'hour' as hour, counted.value ->> 'scans' as scans,
            (counted.value ->> 'after_end') + iif(asset.status = 'retired' and counted.value ->> 'hour' >= asset.updated_at,
              counted.value ->> 'scans', 0) as after_end
          from ${countsIn(upTo, "hours")} cross join ${offlineAssets} as asset on asset.public_id = counted.value ->> 'asset')
        group by 1 having sum(scans) + sum(after_end) > 0) as more
      where ${offlineAssets.id} = more.asset`);

const emptyQueued = (upTo: number) =>
  orm.run(sql`update ${visitQueue} set counts = null where ${whereQueued(upTo)}`);

/** Adds batches to the counts and empties them, so that concurrent runs count none twice. */
export const applyBatches = (upTo: number): Statement[] => [
  upsertHours(upTo),
  upsertDays(upTo),
  addToLinks(upTo),
  addToTotals(workspaces, upTo),
  addToTotals(activityGroups, upTo),
  addToAssets(upTo),
  emptyQueued(upTo),
];
