import type { Context } from "../context";
import { groupNotFound } from "../errors";
import { type GroupStatus, statusMoves } from "../lib/group-status";
import type { Page } from "../lib/paging";
import { storedId } from "../lib/ulid-text";
import { type CountedGroupRow, selectCountedGroup, selectCountedGroupPage } from "./repository";
import type { ActivityGroup, ListActivityGroups } from "./schema";
import { listPage, toActivityGroup } from "./service";

/** A group with the details that the web application shows. */
export interface GroupOverview extends ActivityGroup {
  /** Where visitors go after the end of a link without an own `ended_url`. */
  ended_url: string | null;
  /** Whether links without an own `ends_at` end with the group. */
  ends_links: boolean;
  links: { active: number; archived: number };
  /** The statuses that it can change to. */
  moves: GroupStatus[];
}

const toOverview = (row: CountedGroupRow): GroupOverview => ({
  ...toActivityGroup(row),
  ended_url: row.ended_url,
  ends_links: row.ends_links === 1,
  links: { active: row.active_links, archived: row.archived_links },
  moves: statusMoves(row.status, row.status_before_archive),
});

/** Throws 404. */
export async function getGroupOverview(ctx: Context, id: string): Promise<GroupOverview> {
  const [[row]] = await ctx.db.read(selectCountedGroup(ctx.workspace.rowId, storedId(id)));
  if (row === undefined) throw groupNotFound();
  return toOverview(row);
}

export const listGroupOverviews = (ctx: Context, query: ListActivityGroups): Promise<Page<GroupOverview>> =>
  listPage(ctx, query, selectCountedGroupPage, toOverview);
