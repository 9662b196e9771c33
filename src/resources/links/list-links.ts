import type { Context } from "../../context";
import { windowInGroup, windowStateAt } from "../../lib/active-window";
import { cutPage, metaOf, offsetOf } from "../../lib/paging";
import { selectIsMerging } from "../tags/tag-statements";
import { toLink } from "./link";
import { selectLinkSizes, selectPreviewed } from "./link-outlines-repository";
import { type LinkRow, selectLinksByIds } from "./link-repository";
import { type ListQuery, toFilter } from "./list/list-filter";
import { type Positioned, positionOf, toPosition } from "./list/list-order";
import {
  findLookup,
  hasChoice,
  isStored,
  MAX_LISTED_LINKS,
  planList,
  toCounted,
  withLimit,
} from "./list/list-plan";
import { countLinks, countSet, type Select, selectLinkPage, selectSizes } from "./list/list-query";
import { isShowable, isWhole, type ListedRow, selectListedLinks } from "./list/listed-query";
import { NO_MATCHES, readSearch } from "./list/plan-search";
import { isIndexDropped } from "./list/search-query";

interface State {
  hasSearchIndex: boolean;
  /** Whether links wait to get a tag that another was merged into. Then no index has all links of a tag. */
  isMerging: boolean;
}

async function readPlan(ctx: Context, query: ListQuery, mostCounted: number | undefined, state: State) {
  const workspaceId = ctx.workspace.rowId;
  const filter = toFilter(query, ctx.config);
  if (query.find !== undefined) {
    const found = await readSearch(ctx, filter, query.find, state.hasSearchIndex);
    return { plan: planList(found.filter, { ...found, ...state }), matches: found.matches };
  }
  const names = toCounted(filter, state.hasSearchIndex);
  const [stored, ...counts] = hasChoice(filter, names)
    ? await ctx.db.read(
        selectSizes(workspaceId, filter),
        ...names.map((name) => countSet(workspaceId, filter, name, mostCounted)),
      )
    : [[]];
  const counted = names.map((index, at) => ({ index, size: counts[at]?.[0]?.size ?? 0 }));
  return { plan: planList(filter, { stored, counted, ...state }), matches: NO_MATCHES };
}

/** With `isBounded`, a list whose cost would grow with the links looks at some of them only. */
async function readList<Row extends Positioned>(
  ctx: Context,
  query: ListQuery,
  isBounded: boolean,
  select: Select<Row>,
  state: State = { hasSearchIndex: true, isMerging: false },
) {
  const workspaceId = ctx.workspace.rowId;
  const { page, per_page: perPage, sort, find, readsAllPages = false } = query;
  const after = query.after === undefined ? undefined : toPosition(query.after, sort);
  const offset = after === undefined ? offsetOf(page, perPage) : 0;
  // A cursor has no place for the link that comes first, so paging by cursors starts on a page without it.
  const exactFirst = find !== undefined && after === undefined && !readsAllPages;
  const { plan: whole, matches } = await readPlan(
    ctx,
    query,
    isBounded ? MAX_LISTED_LINKS + 1 : undefined,
    state,
  );
  const plan = isBounded ? withLimit(whole, sort) : whole;
  // A set of which no link is known by its size, not by a look-up, has no page.
  const isEmpty = plan.set.size === 0 && findLookup(plan.filter) === undefined && find === undefined;
  const isKnown = isEmpty || plan.total !== undefined || (readsAllPages && after !== undefined);
  const hasStored = plan.most === undefined && isStored(plan.filter);
  const [stored, [counted], rows, merging] = await ctx.db.read(
    isKnown || !hasStored ? undefined : selectSizes(workspaceId, plan.filter),
    isKnown || hasStored ? undefined : countLinks(workspaceId, plan, sort),
    isEmpty || (isBounded && offset > MAX_LISTED_LINKS)
      ? undefined
      : selectLinkPage(workspaceId, plan, sort, { after, offset, limit: perPage + 1, exactFirst }, select),
    isEmpty || plan.filter.tags.length === 0 || state.isMerging ? undefined : selectIsMerging(workspaceId),
  );
  if (merging.length > 0) return readList(ctx, query, isBounded, select, { ...state, isMerging: true });
  const total = plan.total ?? stored.at(-1)?.size ?? counted?.total ?? 0;
  const { shown, nextAfter } = cutPage(rows, perPage, sort, (row) => positionOf(row, sort));
  return {
    rows: shown,
    meta: metaOf(page, perPage, total),
    nextAfter,
    /** The link that the whole text of a search names, and the tags and groups that it finds. */
    ...matches,
    /** How many links were looked at, if there may be more that belong to the list; else null. */
    lookedAt: plan.most !== undefined && (counted?.looked ?? 0) >= plan.most ? plan.most : null,
  };
}

const readRows = <Row extends Positioned>(
  ctx: Context,
  query: ListQuery,
  isBounded: boolean,
  select: Select<Row>,
) =>
  readList(ctx, query, isBounded, select).catch((error: unknown) => {
    if (!isIndexDropped(error)) throw error;
    return readList(ctx, query, isBounded, select, { hasSearchIndex: false, isMerging: false });
  });

/** The links of a page, of which those that lack something are read once the instance has room for them. */
async function readLongLinks(
  ctx: Context,
  rows: readonly ListedRow[],
  isEnough: typeof isWhole,
): Promise<LinkRow[]> {
  const long = rows.filter((row) => !isEnough(row));
  if (long.length === 0) return rows.filter(isEnough);
  const sizeOf = ({ bytes, tags }: ListedRow) => bytes + (typeof tags === "number" ? tags : 0);
  await ctx.hold?.(long.reduce((sum, row) => sum + sizeOf(row), 0));
  const ids = long.map(({ public_id: id }) => id);
  const [read] = await ctx.db.read(selectLinksByIds(ctx.workspace.rowId, ids));
  const byId = new Map(read.map((row) => [row.public_id, row]));
  return rows.flatMap((row) => (isEnough(row) ? row : (byId.get(row.public_id) ?? [])));
}

const toDetails = (row: LinkRow, now: number) => ({
  takenDownBy: row.taken_down_by,
  /** As the audit log names them. */
  createdBy: row.created_by,
  /** By its own window or that of its group. */
  windowState: windowStateAt(windowInGroup(row, row.group), now),
});

async function readPage(ctx: Context, query: ListQuery, isBounded: boolean) {
  const { rows: listed, ...page } = await readRows(ctx, query, isBounded, selectListedLinks);
  const rows = await readLongLinks(ctx, listed, isBounded ? isShowable : isWhole);
  const now = ctx.now();
  return {
    ...page,
    items: rows.map((row) => toLink(row, ctx.config)),
    details: new Map(rows.map((row) => [row.public_id, toDetails(row, now)])),
  };
}

export type FoundLinks = Awaited<ReturnType<typeof readPage>>;

/** A page of all links that pass the filters. */
export const listLinks = (ctx: Context, query: ListQuery): Promise<FoundLinks> => readPage(ctx, query, false);

/**
 * The same, at a cost that has a limit however many links there are, and with a search. Several filters, and an order that no
 * index of the filter has, find links among 10,000 only; `lookedAt` says so. A page after the first 10,000 links is read by a
 * cursor, and is empty without one. Of long links it may leave out rules and the address after the end. The pages of a search are turned by their number; its cursor is only for reading all
 * pages.
 */
export const listSomeLinks = (ctx: Context, query: ListQuery): Promise<FoundLinks> =>
  readPage(ctx, query, true);

export const listSomePreviewed = (ctx: Context, query: ListQuery) =>
  readRows(ctx, query, true, selectPreviewed);

/** The same with the sizes of the links, which are read in chunks then. */
export const listSomeSizes = (ctx: Context, query: ListQuery) => readRows(ctx, query, true, selectLinkSizes);
