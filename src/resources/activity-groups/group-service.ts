import type { Context } from "../../context";
import type { Statement } from "../../db/client";
import { notFound } from "../../errors";
import { invalid } from "../../field-errors";
import { knownStatus, knownType, statusMoves } from "../../lib/group-status";
import { sortNaturally } from "../../lib/natural-order";
import { cutPage, metaOf, offsetOf, type Page, type Position, pageOf, readCursor } from "../../lib/paging";
import { fold, foldSlug } from "../../lib/slug-text";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import {
  countGroups,
  type GroupFilter,
  type GroupPage,
  type ListedGroupRow,
  selectCountedGroup,
  selectGroupPage,
  selectListedGroups,
} from "./group-repository";
import type { ActivityGroup, ListActivityGroups } from "./group-schema";
import type { ActivityGroupRow } from "./group-statements";

const SORT = "name";

type ShownRow = Pick<
  ActivityGroupRow,
  ("public_id" | "name" | "slug" | "type" | "description" | "status") | "default_utm_campaign"
> &
  Pick<ActivityGroupRow, "starts_at" | "ends_at" | "archived_at">;

export const toActivityGroup = (row: ShownRow): ActivityGroup => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  type: knownType(row.type),
  description: row.description,
  status: knownStatus(row.status),
  default_utm_campaign: row.default_utm_campaign,
  starts_at: isoTimeOrNull(row.starts_at),
  ends_at: isoTimeOrNull(row.ends_at),
  archived_at: isoTimeOrNull(row.archived_at),
});

/** A group with what only the operator and the web application see. Each is absent if unset. */
export const toManagedGroup = ({ note = null, ...row }: ActivityGroupRow) => ({
  ...toActivityGroup(row),
  ...(note !== null && { note }),
  ...(row.ended_url !== null && { ended_url: row.ended_url }),
  ...(row.ends_links === 1 && { ends_links: true }),
  ...(row.follows_dates === 1 && { follows_dates: true }),
  ...(row.starts_on !== null && { starts_on: row.starts_on }),
  ...(row.ends_on !== null && { ends_on: row.ends_on }),
});

function positionIn(cursor: string): Position {
  const position = readCursor(cursor, SORT, 2);
  if (position?.every((part) => typeof part === "string")) return position;
  throw invalid([{ field: "after", message: "The after field is malformed.", code: "format" }]);
}

type ListGroups = ListActivityGroups & Pick<GroupFilter, "pastEnd" | "isOpen">;

const filterOf = ({ id, slug, q, ...filter }: ListGroups): GroupFilter => ({
  ...filter,
  id: id === undefined ? undefined : storedId(id),
  slug: slug === undefined ? undefined : foldSlug(slug),
  search: q === undefined ? undefined : fold(q),
});

export type ManagedActivityGroup = ReturnType<typeof toManagedGroup>;

async function listPage<Row extends Pick<ActivityGroupRow, "name_key" | "public_id">, Shown>(
  ctx: Context,
  query: ListGroups,
  selectPage: (workspaceId: number, filter: GroupFilter, page: GroupPage) => Statement<Row[]>,
  show: (row: Row) => Shown,
): Promise<Page<Shown>> {
  const filter = filterOf(query);
  const { page, per_page: perPage } = query;
  const after = query.after === undefined ? undefined : positionIn(query.after);
  const [counted, rows] = await ctx.db.read(
    countGroups(ctx.workspace.rowId, filter),
    selectPage(ctx.workspace.rowId, filter, { after, offset: offsetOf(page, perPage), limit: perPage + 1 }),
  );
  const { shown, nextAfter } = cutPage(rows, perPage, SORT, (row) => [row.name_key, row.public_id]);
  return { items: shown.map(show), meta: metaOf(page, perPage, counted[0]?.total ?? 0), nextAfter };
}

/** Groups by name, then id. An unknown id or slug gives an empty list. */
export const listActivityGroups = (ctx: Context, query: ListActivityGroups): Promise<Page<ActivityGroup>> =>
  listPage(ctx, query, selectGroupPage, toActivityGroup);

/** A group with the details that the web application shows. Throws 404. */
export async function getGroupOverview(ctx: Context, id: string) {
  const [[row]] = await ctx.db.read(selectCountedGroup(ctx.workspace.rowId, storedId(id)));
  if (row === undefined) throw notFound("Activity Group");
  return {
    ...toActivityGroup(row),
    note: row.note,
    ended_url: row.ended_url,
    ends_links: row.ends_links === 1,
    follows_dates: row.follows_dates === 1,
    ...{ starts_on: row.starts_on, ends_on: row.ends_on },
    created_at: isoTime(row.created_at),
    links: { active: row.active_links, archived: row.archived_links },
    moves: statusMoves(row.status, row.status_before_archive),
  };
}

export type GroupOverview = Awaited<ReturnType<typeof getGroupOverview>>;

const toListed = (row: ListedGroupRow) => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  type: knownType(row.type),
  status: knownStatus(row.status),
  starts_at: isoTimeOrNull(row.starts_at),
  ends_at: isoTimeOrNull(row.ends_at),
  ...{ starts_on: row.starts_on, ends_on: row.ends_on },
  follows_dates: row.follows_dates === 1,
  links: { active: row.active_links, archived: row.archived_links },
});

export type ListedGroup = ReturnType<typeof toListed>;

/** More groups than this are in the order of the database, by name. */
export const MAX_SORTED_GROUPS = 1_000;

/**
 * A page of groups, which `sort` gets in natural order. A page after the last one is the last one. `archived` is how many archived
 * ones a list without them leaves out.
 */
export async function listGroups(
  ctx: Context,
  query: ListGroups,
  sort: (groups: readonly ListedGroup[]) => readonly ListedGroup[] | Promise<readonly ListedGroup[]>,
): Promise<Page<ListedGroup> & { archived: number }> {
  const all = { after: undefined, offset: 0, limit: MAX_SORTED_GROUPS + 1 };
  const filter = filterOf(query);
  const { rowId } = ctx.workspace;
  const [rows, [left]] = await ctx.db.read(
    selectListedGroups(rowId, filter, all),
    query.isOpen === true ? countGroups(rowId, { ...filter, isOpen: false, status: "archived" }) : undefined,
  );
  const archived = left?.total ?? 0;
  if (rows.length > MAX_SORTED_GROUPS) {
    return { ...(await listPage(ctx, query, selectListedGroups, toListed)), archived };
  }
  const sorted = await sort(sortNaturally(rows).map(toListed));
  return { ...pageOf(sorted, query.page, query.per_page), nextAfter: null, archived };
}
