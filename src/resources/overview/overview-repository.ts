import { type SQL, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/bound-list";
import { deleteBelow } from "../../db/chunk";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { apiKeys, workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { activeLinkDays } from "../../db/schema/analytics";
import { receivers } from "../../db/schema/events";
import { imports } from "../../db/schema/imports";
import { links } from "../../db/schema/links";
import { firstIdAt } from "../../lib/ids";
import type { Range } from "../../lib/range";
import { wherePastEnd } from "../activity-groups/group-statements";
import { selectBrokenLinkIds } from "../destinations/destination-statements";
import { whereLastSent } from "../imports/import-statements";

/** The links with a broken destination that are counted. */
const MAX_BROKEN_LINKS = 2_000;

type Times = Pick<Range, "from" | "to">;

/** Of the active links. An id begins with the time of the creation. */
const countCreated = (workspaceId: number, { from, to }: Times, limit: number): SQL =>
  sql`(select count(*) from (select 1 from ${links} where ${links.workspace_id} = ${workspaceId}
    and ${links.deleted_at} is null and ${links.archived} = 0 and ${links.public_id} >= ${firstIdAt(from)} and ${links.public_id} < ${firstIdAt(to)}
    limit ${limit}))`;

/** How many links the workspace has, and how many were created in two ranges, counted up to a limit. */
export const selectLinkCounts = (workspaceId: number, created: Times, createdBefore: Times, limit: number) =>
  orm.all<
    Record<"active" | "archived" | "created" | "created_before", number>
  >(sql`select ${workspaces.active_links} as active, ${workspaces.archived_links} as archived,
        ${countCreated(workspaceId, created, limit)} as created,
        ${countCreated(workspaceId, createdBefore, limit)} as created_before
      from ${workspaces} where ${workspaces.id} = ${workspaceId}`);

export interface ActiveLinkRow {
  day: number;
  active_links: number;
}

export const selectActiveLinksOn = (workspaceId: number, day: number) =>
  orm.all<ActiveLinkRow>(sql`select day, active_links from ${activeLinkDays}
      where workspace_id = ${workspaceId} and day <= ${day} order by day desc limit 1`);

/** Adds a UTC day of up to `limit` workspaces that lack it. */
export const insertActiveLinks = (day: number, limit: number) =>
  orm.run(sql`insert into ${activeLinkDays} (workspace_id, day, active_links)
      select ${workspaces.id}, ${day}, ${workspaces.active_links} from ${workspaces}
      where not exists (select 1 from ${activeLinkDays} as own where own.workspace_id = ${workspaces.id} and own.day = ${day})
      limit ${limit}`);

export const insertActiveLinksOf = (workspaceId: number, days: readonly number[]) =>
  orm.run(sql`insert into ${activeLinkDays} (workspace_id, day, active_links)
      select ${workspaces.id}, ${listed()}, ${workspaces.active_links}
      from ${fromList(boundList(days))} cross join ${workspaces} on ${workspaces.id} = ${workspaceId}`);

export const deleteActiveLinksBefore = (day: number): Statement =>
  deleteBelow(activeLinkDays, activeLinkDays.day, day);

export interface NamedRow {
  id: string;
  name: string;
}

/** A receiver, which may have no name but its URL. */
export interface ReceiverRow {
  id: string;
  name: string | null;
  url: string;
}

const linkName = sql`coalesce(${links.title}, ${links.slug}) as name`;

export const selectTakenDownLinks = (workspaceId: number, limit: number) =>
  orm.all<NamedRow>(sql`select ${links.public_id} as id, ${linkName} from ${links}
      where ${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null and ${links.taken_down_at} is not null
      order by ${links.public_id} desc limit ${limit}`);

export const selectLinksWithBrokenDestination = (workspaceId: number, limit: number) =>
  orm.all<NamedRow>(sql`select ${links.public_id} as id, ${linkName}
      from (${selectBrokenLinkIds(workspaceId, MAX_BROKEN_LINKS)}) as broken cross join ${links} on ${links.id} = broken.id
      order by ${links.public_id} desc limit ${limit}`);

export const selectGroupsPastEnd = (workspaceId: number, now: number, limit: number) =>
  orm.all<NamedRow>(sql`select ${activityGroups.public_id} as id, ${activityGroups.name} as name from ${activityGroups}
      where ${activityGroups.workspace_id} = ${workspaceId} and ${wherePastEnd(now)}
      order by ${activityGroups.ends_at} desc limit ${limit}`);

/** Imports that nobody has started, or that are not finished. One without a row to import counts as finished. */
export const selectUnfinishedImports = (workspaceId: number, limit: number) =>
  orm.all<NamedRow>(sql`select ${imports.public_id} as id, ${imports.name} as name from ${imports}
      where ${imports.workspace_id} = ${workspaceId} and ${imports.row_count} > 0 and ${imports.finished_at} is null
        and ${whereLastSent}
      order by ${imports.id} desc limit ${limit}`);

export const selectExpiringKeys = (workspaceId: number, now: number, until: number, limit: number) =>
  orm.all<NamedRow>(sql`select ${apiKeys.public_id} as id, ${apiKeys.name} as name from ${apiKeys}
      where ${apiKeys.workspace_id} = ${workspaceId} and ${apiKeys.revoked_at} is null
        and +${apiKeys.expires_at} > ${now} and +${apiKeys.expires_at} <= ${until}
      order by +${apiKeys.expires_at} limit ${limit}`);

export const selectSwitchedOffReceivers = (workspaceId: number, limit: number) =>
  orm.all<ReceiverRow>(sql`select public_id as id, name, url from ${receivers}
    where workspace_id = ${workspaceId} and is_on = 0 and switched_off_at is not null order by id limit ${limit}`);
