import { type SQL, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import { type BoundList, boundList, fromList, listedAs } from "../../db/bound-list";
import type { Guard, Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import { links } from "../../db/schema/links";
import { chunksBySize } from "../../lib/chunks";
import type { StoredDates } from "../../lib/days";
import { queueSum } from "../events/event-statements";

// The links of a workspace whose start or end is a day. Many links have the same days.

const whereDated = (workspaceId: number): SQL =>
  sql`${links.workspace_id} = ${workspaceId} and (${links.starts_on} is not null or ${links.ends_on} is not null)
    and ${links.deleted_at} is null`;

/** The columns of a list of days, with their times where links are moved. */
const listedDays = () => listedAs("startsOn", "endsOn", "startsAt", "endsAt");

/** The links with the days of a list. */
const fromDated = (workspaceId: number, days: BoundList): SQL => {
  const { startsOn, endsOn } = listedDays();
  return sql`${fromList(days)} cross join ${links} on ${whereDated(workspaceId)}
    and ${links.starts_on} is ${startsOn} and ${links.ends_on} is ${endsOn}`;
};

interface DaysOfLinks extends Pick<StoredDates, "starts_on" | "ends_on"> {
  /** How many links have them. */
  links: number;
}

export const selectDays = (workspaceId: number) =>
  orm.all<DaysOfLinks>(sql`select starts_on, ends_on, count(*) as links from ${links} indexed by links_dated
    where ${whereDated(workspaceId)} group by starts_on, ends_on`);

/** How many links have days, counted up to `most`. */
export const countDatedLinks = (workspaceId: number, most: number) =>
  orm.all<{ links: number }>(sql`select count(*) as links from (select 1 from ${links} indexed by links_dated
      where ${whereDated(workspaceId)} limit ${most})`);

/** A link with days, and the end of its group if the group's links end with it. */
export interface DatedLink extends StoredDates {
  public_id: string;
  title: string | null;
  slug: string;
  group_id: number | null;
  group_ends_at: number | null;
}

/** The first links with one of these pairs of days. */
export const selectLinksOnDays = (
  workspaceId: number,
  days: readonly Pick<StoredDates, "starts_on" | "ends_on">[],
  most: number,
) =>
  orm.all<DatedLink>(sql`select ${links.public_id} as public_id, ${links.title} as title, ${links.slug} as slug,
      ${links.starts_at} as starts_at, ${links.ends_at} as ends_at, ${links.starts_on} as starts_on, ${links.ends_on} as ends_on,
      ${activityGroups.id} as group_id, ${activityGroups.ends_at} as group_ends_at
    from ${fromDated(workspaceId, boundList(days.map((one) => [one.starts_on, one.ends_on])))}
      left join ${activityGroups} on ${activityGroups.id} = ${links.activity_group_id}
        and +${activityGroups.workspace_id} = ${workspaceId} and ends_links = 1
    limit ${most}`);

/** True while no link has days that are not in the list. */
export function ensureDays(workspaceId: number, days: readonly DaysOfLinks[]): Guard {
  const counts = chunksBySize(days.map((one) => [one.starts_on, one.ends_on])).map(
    (chunk) => sql`(select count(*) from ${fromDated(workspaceId, boundList(chunk))})`,
  );
  return abortUnless(sql`(select count(*) from ${links} indexed by links_dated where ${whereDated(workspaceId)})
    = ${sql.join([sql`0`, ...counts], sql` + `)}`);
}

/**
 * Gives links with the days of `moved` its times. It reads the days of each link itself, so it follows from what others have changed
 * meanwhile. Days that would begin after the end, which is a time, become the times that they were.
 */
export const moveDays = (workspaceId: number, moved: readonly StoredDates[], at: number): Statement[] =>
  chunksBySize(moved.map((one) => [one.starts_on, one.ends_on, one.starts_at, one.ends_at])).flatMap(
    (chunk) => {
      const { startsAt, endsAt } = listedDays();
      const dated = fromDated(workspaceId, boundList(chunk));
      return [
        orm.run(sql`update ${links} set starts_on = null, ends_on = null, version = version + 1
          where id in (select ${links.id} from ${dated}
            where coalesce(${startsAt}, ${links.starts_at}) >= coalesce(${endsAt}, ${links.ends_at}))`),
        // Materialized, since SQLite would read all links otherwise.
        orm.run(sql`with moved as materialized (select ${links.id} as id, coalesce(${startsAt}, ${links.starts_at}) as starts_at,
            coalesce(${endsAt}, ${links.ends_at}) as ends_at from ${dated}
            where (${startsAt} is not null and ${startsAt} <> ${links.starts_at})
              or (${endsAt} is not null and ${endsAt} <> ${links.ends_at}))
          update ${links} set starts_at = moved.starts_at, ends_at = moved.ends_at, version = version + 1, updated_at = ${at}
          from moved where ${links.id} = moved.id`),
      ];
    },
  );

/** What receivers hear of the links that were moved. */
export const queueMovedLinks = (workspaceId: number, moved: number, at: number): Statement =>
  queueSum(workspaceId, "link.updated", sql`${moved}`, at);
