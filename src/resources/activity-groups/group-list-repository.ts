import { and, asc, count, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import { whereOwn } from "../../db/columns";
import { orm, prepared } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import { linkTotals } from "../../db/schema/links";
import type { Position } from "../../lib/paging";
import { joinLinkTotals, LINK_COUNTS } from "../links/link-statements";
import type { ListActivityGroups } from "./group-schema";
import { wherePastEnd } from "./group-statements";

export interface GroupFilter extends Pick<ListActivityGroups, "id" | "slug" | "type" | "status"> {
  /** Folded text that the name, slug or description contains. */
  search?: string | undefined;
  /** The time before which the groups have ended that are neither completed nor archived. */
  pastEnd?: number | undefined;
}

const whereMatching = (workspaceId: number, filter: GroupFilter): SQL | undefined =>
  and(
    eq(activityGroups.workspace_id, workspaceId),
    filter.id === undefined ? undefined : eq(activityGroups.public_id, filter.id),
    filter.slug === undefined ? undefined : eq(activityGroups.slug, filter.slug),
    filter.type === undefined ? undefined : eq(activityGroups.type, filter.type),
    filter.status === undefined ? undefined : eq(activityGroups.status, filter.status),
    filter.pastEnd === undefined ? undefined : wherePastEnd(filter.pastEnd),
    filter.search === undefined ? undefined : sql`instr(${activityGroups.search_text}, ${filter.search}) > 0`,
  );

export const countGroups = (workspaceId: number, filter: GroupFilter) =>
  orm.select({ total: count() }).from(activityGroups).where(whereMatching(workspaceId, filter));

export interface GroupPage {
  /** A folded name and an id. */
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
const { note: _note, ...columns } = getTableColumns(activityGroups);
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
  selectCounted(getTableColumns(activityGroups)).where(whereOwn(activityGroups, workspaceId, id)),
);
