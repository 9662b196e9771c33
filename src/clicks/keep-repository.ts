import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { MAX_REMOVED_ROWS } from "../db/portion";
import {
  clickDays,
  clickHours,
  clickPacks,
  jobPositions,
  linkDays,
  links,
  workspaceDays,
  workspaceHours,
} from "../db/schema";
import { MAX_REFERRERS, NO_REFERRER, OTHER_REFERRERS } from "./referrer";

// What is kept of visits besides their hours, computed from these. Each statement sets values, so it can be repeated.

const KEEP_JOB = "kept_visits";

const rowid = sql.raw("rowid");

export const selectKeepPosition = (): Statement<{ position: string }[]> => (orm) =>
  orm.all(
    sql`select ${jobPositions.position} as position from ${jobPositions} where ${jobPositions.job} = ${KEEP_JOB}`,
  );

export const upsertKeepPosition =
  (position: string): Statement =>
  (orm) =>
    orm
      .insert(jobPositions)
      .values({ job: KEEP_JOB, position })
      .onConflictDoUpdate({ target: jobPositions.job, set: { position } });

/** Does nothing if the job has begun. */
export const insertKeepPosition =
  (position: string): Statement =>
  (orm) =>
    orm.insert(jobPositions).values({ job: KEEP_JOB, position }).onConflictDoNothing();

/** Aborts the batch if another run has added the folded months after this link. */
export const abortUnlessFoldedAfter =
  (id: string, at: number, after: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${clickPacks} (id, written_at) select ${id}, case when (
      select position ->> 'folded_after' from ${jobPositions} where job = ${KEEP_JOB}) = ${after} then ${at} end`);

/** The links of the next `limit` hours after the link with this row id. */
export const selectNextLinks =
  (after: number, limit: number): Statement<{ first: number | null; last: number | null; hours: number }[]> =>
  (orm) =>
    orm.all(sql`select min(link_id) as first, max(link_id) as last, count(*) as hours from (
      select link_id from ${clickHours} where link_id > ${after} order by link_id limit ${limit})`);

/** The links whose row ids are above `after` and up to `to`, or those of a workspace that are not deleted. */
type WhichLinks = { after: number; to: number } | { workspace: number };

const whereAmong = (which: WhichLinks): SQL =>
  "workspace" in which
    ? sql`link_id in (select ${links.id} from ${links} where ${links.workspace_id} = ${which.workspace}
        and ${links.deleted_at} is null)`
    : sql`link_id > ${which.after} and link_id <= ${which.to}`;

const countedOfLinks = (which: WhichLinks): SQL =>
  sql`select link_id, sum(people) as all_clicks, sum(scans) as all_scans,
      max(case when people + scans > 0 then hour end) as last
    from ${clickHours} where ${whereAmong(which)} group by link_id`;

const whereDiffers = sql`(${links.clicks} <> all_clicks or ${links.scans} <> all_scans
  or (${links.last_visit_at} is null and last is not null))`;

/** Sets the clicks and scans of links. A visit from before has the time of its hour. */
export const updateLinkVisits =
  (which: WhichLinks): Statement =>
  (orm) =>
    orm.run(sql`update ${links} set clicks = all_clicks, scans = all_scans,
        last_visit_at = coalesce(max(${links.last_visit_at}, last), ${links.last_visit_at}, last)
      from (${countedOfLinks(which)}) as counted where ${links.id} = counted.link_id and ${whereDiffers}`);

const countedByDay = (which: WhichLinks): SQL =>
  sql`select workspace_id, link_id, hour - hour % 86400000 as day, sum(people + scans) as counted_visits
    from ${clickHours} where ${whereAmong(which)} group by 1, 2, 3 having counted_visits > 0`;

/** Sets the visits of links by day. */
export const setLinkDays =
  (which: WhichLinks): Statement =>
  (orm) =>
    orm.run(sql`insert into ${linkDays} (workspace_id, link_id, day, visits) ${countedByDay(which)}
      on conflict (link_id, day) do update set visits = excluded.visits where visits <> excluded.visits`);

/** Deletes a portion of the days of links that are gone: an older release deletes links, but not their days. */
export const deleteDaysOfGoneLinks =
  (which: { after: number; to: number }): Statement =>
  (orm) =>
    orm.run(sql`delete from ${linkDays} where ${rowid} in (select ${linkDays}.${rowid} from ${linkDays}
      where ${whereAmong(which)} and not exists (select 1 from ${links} where ${links.id} = ${linkDays.link_id})
      limit ${MAX_REMOVED_ROWS})`);

const ofAllLinks = (workspace: number): SQL =>
  sql`link_id in (select ${links.id} from ${links} where ${links.workspace_id} = ${workspace})`;

/** The rows that hours are counted from: all since a time and before another one, or those of a workspace. */
interface WhichHours {
  from: number;
  to?: number;
  workspace?: number;
}

const whereSince = ({ from, to, workspace }: WhichHours, at: "hour" | "day"): SQL => {
  const since = sql`${sql.raw(at)} >= ${from}`;
  const within = to === undefined ? since : sql`${since} and ${sql.raw(at)} < ${to}`;
  return workspace === undefined
    ? sql`folded = 0 and ${within}`
    : sql`${ofAllLinks(workspace)} and +folded = 0 and ${within}`;
};

/** The time of the last of the next `limit` rows since a time. */
export const selectNextTime =
  (at: "hour" | "day", from: number, limit: number): Statement<{ last: number | null; rows: number }[]> =>
  (orm) =>
    orm.all(sql`select max(at) as last, count(*) as "rows" from (
      select ${sql.raw(at)} as at from ${at === "hour" ? clickHours : clickDays}
      where ${whereSince({ from }, at)} order by ${sql.raw(at)} limit ${limit})`);

const countedHours = (which: WhichHours): SQL =>
  sql`select workspace_id, hour, sum(people) as people, sum(bots) as bots, sum(scans) as scans, sum(late) as late
    from ${clickHours} where ${whereSince(which, "hour")} group by 1, 2`;

/** The hours of workspaces with fewer visits than their links have. */
const hoursBehind = (which: WhichHours): SQL =>
  sql`select 1 from (${countedHours(which)}) as counted left join ${workspaceHours} as own
      on own.workspace_id = counted.workspace_id and own.hour = counted.hour
    where own.hour is null or own.people < counted.people or own.bots < counted.bots
      or own.scans < counted.scans or own.late < counted.late`;

/** One row if an hour of a workspace since a time has fewer visits than its links have. */
export const selectHoursBehind =
  (from: number): Statement<unknown[]> =>
  (orm) =>
    orm.all(sql`${hoursBehind({ from })} limit 1`);

/** Raises the hours of workspaces to the sum of their links. They may have more, of links that were deleted. */
export const raiseWorkspaceHours =
  (which: WhichHours): Statement =>
  (orm) =>
    orm.run(sql`insert into ${workspaceHours} (workspace_id, hour, people, bots, scans, late) ${countedHours(which)}
      on conflict (workspace_id, hour) do update set people = max(people, excluded.people),
        bots = max(bots, excluded.bots), scans = max(scans, excluded.scans), late = max(late, excluded.late)
      where people < excluded.people or bots < excluded.bots or scans < excluded.scans or late < excluded.late`);

/** The days of workspaces with fewer people than their links have. Everybody has one device. */
const daysBehind = (which: WhichHours): SQL =>
  sql`select workspace_id, day from (select workspace_id, day, sum(people) as counted from ${clickDays}
      where ${whereSince(which, "day")} and dimension = 'device' group by 1, 2) as given
    where counted > coalesce((select sum(people) from ${workspaceDays} as own
      where own.workspace_id = given.workspace_id and own.day = given.day and own.dimension = 'device'), 0)`;

/** The days of workspaces as the sums of their links, with at most 100 referrers a day, as the counting has them. */
const insertDays = (where: SQL): SQL =>
  sql`insert into ${workspaceDays} (workspace_id, day, dimension, value, people)
      select workspace_id, day, dimension,
        case when dimension = 'referrer' and place > ${MAX_REFERRERS} then ${OTHER_REFERRERS} else value end, sum(people)
      from (select workspace_id, day, dimension, value, sum(people) as people,
          row_number() over (partition by workspace_id, day, dimension, value in (${NO_REFERRER}, ${OTHER_REFERRERS})
            order by sum(people) desc, value) as place
        from ${clickDays} where ${where} group by 1, 2, 3, 4) where true group by 1, 2, 3, 4`;

/** Replaces the days of workspaces that have fewer people than their links, in one batch. */
export const replaceWorkspaceDays = (which: WhichHours): Statement[] => [
  (orm) => orm.run(sql`delete from ${workspaceDays} where (workspace_id, day) in (${daysBehind(which)})`),
  (orm) =>
    orm.run(
      insertDays(sql`${whereSince(which, "day")} and not exists (select 1 from ${workspaceDays} as own
          where own.workspace_id = ${clickDays.workspace_id} and own.day = ${clickDays.day})`),
    ),
];

/** Sums the links of a workspace, if it has no hours. Folded months are folded again later. */
export const insertWorkspaceHours =
  (workspace: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${workspaceHours} (workspace_id, hour, people, bots, scans, late)
      select workspace_id, hour, sum(people), sum(bots), sum(scans), sum(late) from ${clickHours}
      where ${ofAllLinks(workspace)} and not exists (select 1 from ${workspaceHours} where workspace_id = ${workspace})
      group by 1, 2`);

/** Sums the links of a workspace, if it has no days. */
export const insertWorkspaceDays =
  (workspace: number): Statement =>
  (orm) =>
    orm.run(
      insertDays(sql`${ofAllLinks(workspace)}
        and not exists (select 1 from ${workspaceDays} where workspace_id = ${workspace})`),
    );

/** What is wrong in a workspace, each as a number of rows. */
export const selectWrongVisits =
  (
    slug: string,
    workspace: number,
    from: number,
  ): Statement<{ kept: string; of: string; is: number; should_be: number }[]> =>
  (orm) =>
    orm.all(sql`select kept, ${slug} as "of", "is", 0 as should_be from (
      select 'links with other clicks or scans than their hours' as kept, count(*) as "is"
        from ${links} left join (${countedOfLinks({ workspace })}) as counted on counted.link_id = ${links.id}
        where ${links.workspace_id} = ${workspace} and ${links.deleted_at} is null
          and (${links.clicks} <> coalesce(all_clicks, 0) or ${links.scans} <> coalesce(all_scans, 0))
      union all select 'days of links with other visits than their hours', count(*) from (
        select link_id, day, sum(visits) from (select link_id, day, visits from ${linkDays}
            where ${whereAmong({ workspace })}
          union all select link_id, day, -counted_visits from (${countedByDay({ workspace })}))
        group by 1, 2 having sum(visits) <> 0)
      union all select 'hours of the workspace with fewer visits than its links', count(*)
        from (${hoursBehind({ workspace, from })})
      union all select 'days of the workspace with fewer people than its links', count(*)
        from (${daysBehind({ workspace, from })})) where "is" > 0`);

export const deleteLinkDays =
  (workspace: number): Statement =>
  (orm) =>
    orm.run(sql`delete from ${linkDays} where ${whereAmong({ workspace })}`);

/** Sets the visits of all links of a workspace that have no hours to none. */
export const clearLinkVisits =
  (workspace: number): Statement =>
  (orm) =>
    orm.run(sql`update ${links} set clicks = 0, scans = 0 where ${links.workspace_id} = ${workspace}
      and ${links.deleted_at} is null and ${links.visits} > 0 and not exists (select 1 from ${clickHours} where ${clickHours.link_id} = ${links.id})`);
