import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gte,
  isNotNull,
  lt,
  lte,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteSelect } from "drizzle-orm/sqlite-core";
import { abortUnless } from "../../db/audit";
import { boundList, fromList, listedAs } from "../../db/bound-list";
import type { Guard } from "../../db/client";
import { whereOwn } from "../../db/columns";
import { orm, prepared } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import { linkTotals } from "../../db/schema/links";
import type { GroupStatus } from "../../lib/group-status";
import type { Position } from "../../lib/paging";
import { hasReceivers } from "../events/event-statements";
import { joinLinkTotals, LINK_COUNTS } from "../links/link-statements";
import type { ListActivityGroups } from "./group-schema";
import { wherePastEnd } from "./group-statements";

const allColumns = getTableColumns(activityGroups);

export interface GroupFilter extends Pick<ListActivityGroups, "id" | "slug" | "type" | "status"> {
  search?: string | undefined;
  /** The time before which the groups have ended that are neither completed nor archived. */
  pastEnd?: number | undefined;
  /** Whether archived groups are left out. */
  isOpen?: boolean | undefined;
}

const whereMatching = (workspaceId: number, filter: GroupFilter): SQL | undefined =>
  and(
    eq(activityGroups.workspace_id, workspaceId),
    filter.id === undefined ? undefined : eq(activityGroups.public_id, filter.id),
    filter.slug === undefined ? undefined : eq(activityGroups.slug, filter.slug),
    filter.type === undefined ? undefined : eq(activityGroups.type, filter.type),
    filter.status === undefined ? undefined : eq(activityGroups.status, filter.status),
    filter.pastEnd === undefined ? undefined : wherePastEnd(filter.pastEnd),
    filter.isOpen === true ? ne(activityGroups.status, "archived") : undefined,
    filter.search === undefined ? undefined : sql`instr(${activityGroups.search_text}, ${filter.search}) > 0`,
  );

export const countGroups = (workspaceId: number, filter: GroupFilter) =>
  orm.select({ total: count() }).from(activityGroups).where(whereMatching(workspaceId, filter));

export interface GroupPage {
  after: Position | undefined;
  offset: number;
  limit: number;
}

const ORDER = [asc(activityGroups.name_key), asc(activityGroups.public_id)];

const whereAfter = ({ after }: GroupPage): SQL | undefined =>
  after && sql`(${activityGroups.name_key}, ${activityGroups.public_id}) > (${after[0]}, ${after[1]})`;

/** A page by name, then id: the rows after `after`, or those after the first `offset`. */
const pageOf = <Query extends SQLiteSelect>(
  query: Query,
  workspaceId: number,
  filter: GroupFilter,
  page: GroupPage,
) =>
  query
    .where(and(whereMatching(workspaceId, filter), whereAfter(page)))
    .orderBy(...ORDER)
    .limit(page.limit)
    .offset(page.after === undefined ? page.offset : 0);

// The texts of many groups would take megabytes.
const { note: _note, ...columns } = allColumns;
const { description: _, search_text: __, ended_url: ___, ...listedColumns } = columns;

export const selectGroupPage = (workspaceId: number, filter: GroupFilter, page: GroupPage) =>
  pageOf(orm.select(columns).from(activityGroups).$dynamic(), workspaceId, filter, page);

const selectCounted = <Columns extends Partial<typeof activityGroups._.columns>>(columns: Columns) =>
  orm
    .select({ ...columns, ...LINK_COUNTS })
    .from(activityGroups)
    .leftJoin(linkTotals, joinLinkTotals("group", activityGroups))
    .$dynamic();

export const selectListedGroups = (workspaceId: number, filter: GroupFilter, page: GroupPage) =>
  pageOf(selectCounted(listedColumns), workspaceId, filter, page);

export type ListedGroupRow = Awaited<ReturnType<typeof selectListedGroups>>[number];

export const selectCountedGroup = prepared((workspaceId: number, id: string) =>
  selectCounted(allColumns).where(whereOwn(activityGroups, workspaceId, id)),
);

export const selectGroup = prepared((workspaceId: number, id: string) =>
  orm
    .select()
    .from(activityGroups)
    .where(whereOwn(activityGroups, workspaceId, id)),
);

/** The groups whose slugs start with this one, which a new or numbered slug may collide with. */
export const selectSimilarSlugs = prepared((workspaceId: number, slug: string) =>
  orm
    .select({ id: activityGroups.public_id, slug: activityGroups.slug })
    .from(activityGroups)
    .where(
      and(
        eq(activityGroups.workspace_id, workspaceId),
        gte(activityGroups.slug, slug),
        // "." is the character after "-", the first that can follow the slug.
        lt(activityGroups.slug, sql`${slug} || '.'`),
      ),
    ),
);

export const insertGroup = prepared((row: typeof activityGroups.$inferInsert) =>
  orm.insert(activityGroups).values(row),
);

export const updateGroupRow = (
  workspaceId: number,
  id: string,
  fields: Partial<typeof activityGroups.$inferInsert>,
) =>
  orm
    .update(activityGroups)
    .set({ ...fields, version: sql`${activityGroups.version} + 1` })
    .where(whereOwn(activityGroups, workspaceId, id));

const { id, public_id, workspace_id, version, status, starts_at, ends_at } = allColumns;
const { name, slug, type, description, default_utm_campaign, archived_at } = allColumns;
const dueColumns = {
  ...{ id, public_id, workspace_id, version, name, slug, type, description, status, default_utm_campaign },
  ...{ starts_at, ends_at, archived_at },
  has_receivers: hasReceivers(sql.raw("activity_groups.workspace_id")).as("has_receivers"),
};

/** The groups in the partial index of `where` whose time has come, in turns of workspaces, the earliest first. */
const selectDue = (time: SQLiteColumn, where: SQL, now: number, limit: number) =>
  orm
    .select(dueColumns)
    .from(activityGroups)
    .where(and(sql`follows_dates = 1`, where, isNotNull(time), lte(time, now)))
    .orderBy(sql`row_number() over (partition by ${workspace_id} order by ${time})`, asc(time))
    .limit(limit);

export const selectStartedGroups = (now: number, limit: number) =>
  selectDue(starts_at, sql`status in ('draft', 'scheduled')`, now, limit);

export const selectEndedGroups = (now: number, limit: number) =>
  selectDue(ends_at, sql`status in ('draft', 'scheduled', 'active')`, now, limit);

export const ensureGroupsUnchanged = (groups: readonly (readonly [id: string, version: number])[]): Guard => {
  const group = listedAs("id", "version");
  return abortUnless(sql`(select count(*) from ${fromList(boundList(groups))} cross join ${activityGroups}
    on ${activityGroups.public_id} = ${group.id} and ${version} = ${group.version}) = ${groups.length}`);
};

export const updateStatuses = (
  groups: readonly (readonly [id: string, status: GroupStatus])[],
  at: number,
) => {
  const group = listedAs("id", "status");
  return orm.run(sql`update ${activityGroups} set status = ${group.status}, version = version + 1, updated_at = ${at}
      from ${fromList(boundList(groups))} where ${public_id} = ${group.id}`);
};
