import type { Context } from "../../context";
import { notFound } from "../../errors";
import { statusMoves } from "../../lib/group-status";
import { sortNaturally } from "../../lib/natural-order";
import { type Page, pageOf } from "../../lib/paging";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { type ListedGroupRow, selectCountedGroup, selectListedGroups } from "./list-repository";
import { filterOf, type ListGroups, listPage, toActivityGroup } from "./service";

/** A group with the details that the web application shows. Throws 404. */
export async function getGroupOverview(ctx: Context, id: string) {
  const [[row]] = await ctx.db.read(selectCountedGroup(ctx.workspace.rowId, storedId(id)));
  if (row === undefined) throw notFound("Activity Group");
  return {
    ...toActivityGroup(row),
    note: row.note,
    /** Where visitors go after the end of a link without an own `ended_url`. */
    ended_url: row.ended_url,
    /** Whether links without an own `ends_at` end with the group. */
    ends_links: row.ends_links === 1,
    /** Whether it becomes active at its start and completed at its end. */
    follows_dates: row.follows_dates === 1,
    created_at: isoTime(row.created_at),
    links: { active: row.active_links, archived: row.archived_links },
    /** The statuses that it can change to. */
    moves: statusMoves(row.status, row.status_before_archive),
  };
}

export type GroupOverview = Awaited<ReturnType<typeof getGroupOverview>>;

/** A group of the list in the web application. */
const toListed = (row: ListedGroupRow) => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  type: row.type,
  status: row.status,
  starts_at: isoTimeOrNull(row.starts_at),
  ends_at: isoTimeOrNull(row.ends_at),
  follows_dates: row.follows_dates === 1,
  links: { active: row.active_links, archived: row.archived_links },
});

export type ListedGroup = ReturnType<typeof toListed>;

/** More groups than this are in the order of the database. */
const MAX_SORTED_GROUPS = 1_000;

/** A page of groups in natural order. A page after the last one is the last one. */
export async function listGroups(ctx: Context, query: ListGroups): Promise<Page<ListedGroup>> {
  const all = { after: undefined, offset: 0, limit: MAX_SORTED_GROUPS + 1 };
  const [rows] = await ctx.db.read(selectListedGroups(ctx.workspace.rowId, filterOf(query), all));
  if (rows.length > MAX_SORTED_GROUPS) return listPage(ctx, query, selectListedGroups, toListed);
  const { items, meta } = pageOf(sortNaturally(rows), query.page, query.per_page);
  return { items: items.map(toListed), meta, nextAfter: null };
}
