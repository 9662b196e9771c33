import type { Context } from "../context";
import { invalid } from "../errors";
import { cutPage, metaOf, offsetOf, type Page, type Position, readCursor } from "../lib/paging";
import { fold, slugKey } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { linkTotal } from "../workspaces/repository";
import { toLink } from "./link";
import { isPositionOf, positionOf } from "./list/order";
import { pageOfLinks, totalOf } from "./list/query";
import type { LinkFilter } from "./list/where";
import type { Link, LinkSort, ListLinks } from "./schema";
import { isDropped } from "./search";

const named = (idOrSlug: string) => ({ id: storedId(idOrSlug), slug: idOrSlug });

function positionIn(cursor: string, sort: LinkSort): Position {
  const position = readCursor(cursor, sort, 2);
  if (position === undefined || !isPositionOf(position, sort)) {
    throw invalid([{ field: "after", message: "The after field is malformed." }]);
  }
  return position;
}

export interface LinksPage extends Page<Link> {
  /** The ids of those that the operator or a check has taken down. */
  takenDown: ReadonlySet<string>;
}

/** The workspace's links that pass every filter, sorted, a page of them. */
export async function listLinks(ctx: Context, query: ListLinks): Promise<LinksPage> {
  const workspaceId = ctx.workspace.rowId;
  const { page, per_page: perPage, sort, activity_group_id: group } = query;
  const filter: LinkFilter = {
    status: query.status,
    tags: (query.tag ?? []).map(named),
    group: group === undefined ? undefined : named(group),
    channel: query.channel,
    slugKey: query.slug === undefined ? undefined : slugKey(query.slug),
    search: query.q === undefined ? undefined : fold(query.q),
    indexed: true,
  };
  const after = query.after === undefined ? undefined : positionIn(query.after, sort);
  const position = { after, offset: after === undefined ? offsetOf(page, perPage) : 0, limit: perPage + 1 };
  const read = (by: LinkFilter) => {
    const total = totalOf(workspaceId, by);
    return ctx.db.read(
      total === "workspace" ? linkTotal(workspaceId, by.status) : total,
      pageOfLinks(workspaceId, by, sort, position),
    );
  };
  const [counted, rows] = await read(filter).catch((error: unknown) => {
    if (!isDropped(error)) throw error;
    return read({ ...filter, indexed: false });
  });
  const { shown, nextAfter } = cutPage(rows, perPage, sort, (row) => positionOf(row, sort));
  return {
    items: shown.map((row) => toLink(row, ctx.config.shortBaseUrl)),
    meta: metaOf(page, perPage, counted[0]?.total ?? 0),
    nextAfter,
    takenDown: new Set(shown.filter((row) => row.taken_down_by !== null).map((row) => row.public_id)),
  };
}
