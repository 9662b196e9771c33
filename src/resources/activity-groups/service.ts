import type { Context } from "../../context";
import type { Statement } from "../../db/client";
import { invalid } from "../../errors";
import { cutPage, metaOf, offsetOf, type Page, readCursor } from "../../lib/paging";
import { fold } from "../../lib/slug-text";
import { isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import {
  countGroups,
  type GroupFilter,
  type GroupPage,
  type GroupPosition,
  selectGroupPage,
} from "./list-repository";
import type { ActivityGroup, ListActivityGroups } from "./schema";
import type { ActivityGroupRow } from "./statements";

const SORT = "name";

export const toActivityGroup = (row: ActivityGroupRow): ActivityGroup => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  type: row.type,
  description: row.description,
  status: row.status,
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
});

function positionIn(cursor: string): GroupPosition {
  const [nameKey, id] = readCursor(cursor, SORT, 2) ?? [];
  if (typeof nameKey === "string" && typeof id === "string") return { nameKey, id };
  throw invalid([{ field: "after", message: "The after field is malformed.", code: "format" }]);
}

/** What the web application can ask for too. */
export type ListGroups = ListActivityGroups & Pick<GroupFilter, "pastEnd">;

export const filterOf = (query: ListGroups): GroupFilter => ({
  id: query.id === undefined ? undefined : storedId(query.id),
  slug: query.slug,
  search: query.q === undefined ? undefined : fold(query.q),
  type: query.type,
  status: query.status,
  pastEnd: query.pastEnd,
});

export type ManagedActivityGroup = ReturnType<typeof toManagedGroup>;

/** A page of groups. `pageOf` selects the rows and `show` converts each. */
export async function listPage<Row extends Pick<ActivityGroupRow, "name_key" | "public_id">, Shown>(
  ctx: Context,
  query: ListGroups,
  pageOf: (workspaceId: number, filter: GroupFilter, page: GroupPage) => Statement<Row[]>,
  show: (row: Row) => Shown,
): Promise<Page<Shown>> {
  const filter = filterOf(query);
  const { page, per_page: perPage } = query;
  const after = query.after === undefined ? undefined : positionIn(query.after);
  const [counted, rows] = await ctx.db.read(
    countGroups(ctx.workspace.rowId, filter),
    pageOf(ctx.workspace.rowId, filter, { after, offset: offsetOf(page, perPage), limit: perPage + 1 }),
  );
  const { shown, nextAfter } = cutPage(rows, perPage, SORT, (row) => [row.name_key, row.public_id]);
  return { items: shown.map(show), meta: metaOf(page, perPage, counted[0]?.total ?? 0), nextAfter };
}

/** Groups by name, then id. An unknown id or slug gives an empty list. */
export const listActivityGroups = (ctx: Context, query: ListActivityGroups): Promise<Page<ActivityGroup>> =>
  listPage(ctx, query, selectGroupPage, toActivityGroup);
