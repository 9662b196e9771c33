import { type SQL, sql } from "drizzle-orm";
import { encodeTime } from "ulidx";
import type { Statement } from "../db/client";
import { deleteBelow } from "../db/portion";
import {
  clickDays,
  clickHours,
  clickPacks,
  clickQueue,
  linkDays,
  links,
  offlineAssets,
  scanHours,
  workspaceDays,
  workspaceHours,
} from "../db/schema";
import { type Counts, countVisitsOf } from "./gathering";
import { MAX_REFERRERS, NO_REFERRER, OTHER_REFERRERS } from "./referrer";

/** Above this the packs stay in the memory of their instances. */
const MAX_QUEUED_PACKS = 50_000;

/** Fails if the pack was written before. */
export const insertPack =
  (id: string, at: number): Statement =>
  (orm) =>
    orm.insert(clickPacks).values({ id, written_at: at });

/** Deletes a portion of the packs counted before `at`. An id begins with its time. */
export const deletePacksBefore = (at: number): Statement =>
  deleteBelow(clickPacks, clickPacks.id, encodeTime(at, 10));

/** Fails if the queue is full. */
export const insertQueued =
  (pack: string, { hours, days, scans }: Counts): Statement =>
  (orm) => {
    const text = JSON.stringify({ hours, days, scans });
    return orm.run(sql`insert into ${clickQueue} (pack, visits, bytes, counts)
      select ${pack}, ${countVisitsOf({ hours })},
        case when coalesce((select max(id) from ${clickQueue}) - (select min(id) from ${clickQueue}), 0)
          < ${MAX_QUEUED_PACKS} then ${text.length} end, ${text}`);
  };

/** Packs in the queue: all up to a row id, or the last one. */
type WhichPacks = { upTo: number } | "last";

const whereQueued = (which: WhichPacks): SQL =>
  which === "last"
    ? sql`${clickQueue.id} = (select max(id) from ${clickQueue})`
    : sql`${clickQueue.id} <= ${which.upTo}`;

/** The counts of one kind in these packs, as `counted.value`. */
const countsIn = (which: WhichPacks, kind: keyof Counts): SQL =>
  sql`(select value from ${clickQueue} cross join json_each(${clickQueue.counts}, ${sql.raw(`'$.${kind}'`)})
    where ${whereQueued(which)}) as counted`;

/** `counts` of one kind with their link. */
const countsOfLinks = (which: WhichPacks, kind: keyof Counts): SQL =>
  sql`${countsIn(which, kind)} cross join ${links} on ${links.public_id} = counted.value ->> 'link'`;

const addUp = (name: string): SQL => sql`sum(counted.value ->> ${sql.raw(`'${name}'`)})`;

type Owner = "link_id" | "workspace_id";

/** Of which table of visits the rows are, and with which columns. */
interface Owned<Table> {
  table: Table;
  owner: Owner;
  columns: readonly Owner[];
}

const OF_LINKS = { owner: "link_id", columns: ["workspace_id", "link_id"] } as const;
const OF_WORKSPACES = { owner: "workspace_id", columns: ["workspace_id"] } as const;

const columnOf = (owner: Owner): SQL => sql`${links[owner === "link_id" ? "id" : owner]}`;

const namesOf = (columns: readonly string[]): SQL => sql.raw(columns.join(", "));

const upsertHoursOf =
  ({ table, owner, columns }: Owned<typeof clickHours | typeof workspaceHours>, counts: SQL): Statement =>
  (orm) =>
    orm.run(sql`insert into ${table} (${namesOf(columns)}, hour, people, bots, scans, late) ${counts}
      on conflict (${sql.raw(owner)}, hour) do update set people = people + excluded.people, bots = bots + excluded.bots,
        scans = scans + excluded.scans, late = late + excluded.late`);

const countsOfHours = (which: WhichPacks, { owner, columns }: Omit<Owned<never>, "table">): SQL =>
  sql`select ${sql.join(columns.map(columnOf), sql`, `)}, counted.value ->> 'hour',
        ${addUp("people")}, ${addUp("bots")}, ${addUp("scans")}, ${addUp("late")}
      from ${countsOfLinks(which, "hours")} where true group by ${columnOf(owner)}, counted.value ->> 'hour'`;

const upsertHours = (which: WhichPacks): Statement =>
  upsertHoursOf({ table: clickHours, ...OF_LINKS }, countsOfHours(which, OF_LINKS));

/** Adds counts of hours to workspaces, selected as workspace, hour, people, bots, scans and late. */
export const addWorkspaceHours = (counts: SQL): Statement =>
  upsertHoursOf({ table: workspaceHours, ...OF_WORKSPACES }, counts);

const upsertScans =
  (which: WhichPacks): Statement =>
  (orm) =>
    orm.run(sql`insert into ${scanHours} (workspace_id, asset_id, hour, people, bots, late)
      select ${offlineAssets.workspace_id}, ${offlineAssets.id}, counted.value ->> 'hour',
        ${addUp("people")}, ${addUp("bots")}, ${addUp("late")}
      from ${countsIn(which, "scans")} cross join ${offlineAssets}
        on ${offlineAssets.public_id} = counted.value ->> 'asset' where true group by 2, 3
      on conflict (asset_id, hour) do update set people = people + excluded.people, bots = bots + excluded.bots,
        late = late + excluded.late`);

const DAY_COLUMNS = ["day", "dimension", "value"];

/**
 * Adds counts of days. Referrers past 100 per owner and day count as `OTHER_REFERRERS`. The statement itself enforces this,
 * because instances write concurrently. Costs one lookup per referrer and up to 100 rows per owner and day with referrers.
 */
const upsertDaysOf =
  ({ table, owner, columns }: Owned<typeof clickDays | typeof workspaceDays>, counts: SQL): Statement =>
  (orm) => {
    const known = sql`known.${sql.raw(owner)} = counted.owner and known.day = counted.day and known.dimension = 'referrer'`;
    return orm.run(sql`insert into ${table} (${namesOf([...columns, ...DAY_COLUMNS])}, people)
      with counted as materialized (${counts}),
        marked as materialized (select *, dimension <> 'referrer' or value in (${NO_REFERRER}, ${OTHER_REFERRERS})
          or exists (select 1 from ${table} as known where ${known} and known.value = counted.value) as has_row from counted),
        rooms as materialized (select owner, day, ${MAX_REFERRERS} - (select count(*) from (
            select 1 from ${table} as known where ${known}
              and known.value not in (${NO_REFERRER}, ${OTHER_REFERRERS})
            limit ${MAX_REFERRERS})) as room
          from (select distinct owner, day from marked where not has_row) as counted),
        placed as (select marked.*, room, row_number() over (partition by marked.owner, marked.day, has_row, dimension
            order by people desc, value) as place
          from marked left join rooms on rooms.owner = marked.owner and rooms.day = marked.day)
        select workspace_id, ${owner === "link_id" ? sql`owner, ` : sql.empty()}day, dimension,
          case when has_row or place <= room then value else ${OTHER_REFERRERS} end as value, sum(people)
        from placed where true group by workspace_id, owner, day, dimension, 
          case when has_row or place <= room then value else ${OTHER_REFERRERS} end
        on conflict (${namesOf([owner, ...DAY_COLUMNS])}) do update set people = people + excluded.people`);
  };

const countsOfDays = (which: WhichPacks, owner: Owner): SQL =>
  sql`select ${links.workspace_id} as workspace_id, ${columnOf(owner)} as owner, counted.value ->> 'day' as day,
      counted.value ->> 'dimension' as dimension, counted.value ->> 'value' as value, ${addUp("people")} as people
    from ${countsOfLinks(which, "days")} group by 1, 2, 3, 4, 5`;

export const upsertDays = (which: WhichPacks): Statement =>
  upsertDaysOf({ table: clickDays, ...OF_LINKS }, countsOfDays(which, "link_id"));

/** Adds counts of days to workspaces. `counts` selects workspace_id, the same as owner, day, dimension, value and people. */
export const addWorkspaceDays = (counts: SQL): Statement =>
  upsertDaysOf({ table: workspaceDays, ...OF_WORKSPACES }, counts);

const upsertWorkspaceDays = (which: WhichPacks): Statement =>
  addWorkspaceDays(countsOfDays(which, "workspace_id"));

const upsertLinkDays =
  (which: WhichPacks): Statement =>
  (orm) =>
    orm.run(sql`insert into ${linkDays} (workspace_id, link_id, day, visits)
      select ${links.workspace_id}, ${links.id}, (counted.value ->> 'hour') - (counted.value ->> 'hour') % 86400000,
        ${addUp("people")} + ${addUp("scans")} as counted_visits
      from ${countsOfLinks(which, "hours")} where true group by 2, 3 having counted_visits > 0
      on conflict (link_id, day) do update set visits = visits + excluded.visits`);

/** Adds to what a link keeps of its visits. Its version stays, so nobody who edits it gets a conflict. */
const addToLinks =
  (which: WhichPacks): Statement =>
  (orm) =>
    orm.run(sql`update ${links} set clicks = ${links.clicks} + more.clicks, scans = ${links.scans} + more.scans,
        last_visit_at = max(coalesce(${links.last_visit_at}, 0), more.last)
      from (select counted.value ->> 'link' as link, ${addUp("people")} as clicks, ${addUp("scans")} as scans,
          max(counted.value ->> 'last') as last from ${countsIn(which, "hours")} group by 1
          having clicks + scans > 0) as more
      where ${links.public_id} = more.link`);

export const deleteQueued =
  (which: WhichPacks): Statement =>
  (orm) =>
    orm.run(sql`delete from ${clickQueue} where ${whereQueued(which)}`);

/** Moves packs from the queue to the counts, for one batch. So a pack is never counted twice, also by concurrent runs. */
export const mergePacks = (which: WhichPacks): Statement[] => [
  upsertHours(which),
  addWorkspaceHours(countsOfHours(which, OF_WORKSPACES)),
  upsertDays(which),
  upsertWorkspaceDays(which),
  upsertScans(which),
  upsertLinkDays(which),
  addToLinks(which),
  deleteQueued(which),
];

/** Counts visits without waiting in the queue, for one batch. */
export const addCounts = (counts: Counts): Statement[] => [insertQueued("", counts), ...mergePacks("last")];
