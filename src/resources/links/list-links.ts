import { selectLinkTotal } from "../../access/workspace-statements";
import type { Context } from "../../context";
import type { Statement } from "../../db/client";
import { windowInGroup, windowStateAt } from "../../lib/active-window";
import { cutPage, metaOf, offsetOf } from "../../lib/paging";
import { selectIsMerging } from "../tags/tag-statements";
import { toLink } from "./link";
import { type LinkRow, selectDestinations, selectLinkSizes, selectLinksByIds } from "./link-repository";
import {
  isPrefixed,
  isSearched,
  type LinkFilter,
  type ListQuery,
  type ListSort,
  toDimensions,
  toFilter,
} from "./list/list-filter";
import {
  boundPlan,
  type KnownPlan,
  MAX_LISTED_LINKS,
  type Match,
  type Plan,
  planAgain,
  planWithCounts,
  planWithoutCounts,
  toKnownPlan,
} from "./list/list-plan";
import {
  countLinks,
  countPrefixed,
  countSearched,
  type Pagination,
  type Select,
  selectFilterTotals,
  selectLinkPage,
  selectShortHostTotal,
} from "./list/list-query";
import { isShowable, isWhole, type ListedRow, selectListedLinks } from "./list/listed-query";
import { isIndexDropped } from "./list/matches";
import { type Found, NONE_FOUND, planSearch } from "./list/plan-search";
import { fromAfter, type Positioned, positionOf, toAfter } from "./list/position";

async function planList(
  ctx: Context,
  filter: LinkFilter,
  sort: ListSort,
  { known, isBounded }: Pick<Asked, "known" | "isBounded">,
): Promise<Plan> {
  const bound = (plan: Plan): Plan => (isBounded ? boundPlan(plan, sort) : plan);
  const plan = planWithoutCounts(filter) ?? planAgain(filter, sort, known);
  if (plan !== undefined) return bound(plan);
  const workspaceId = ctx.workspace.rowId;
  const hasTotals = toDimensions(filter).length > 0;
  const [totals, [searched], [prefixed], [all]] = await ctx.db.read(
    hasTotals ? selectFilterTotals(workspaceId, filter) : undefined,
    isSearched(filter) ? countSearched(workspaceId, filter) : undefined,
    isPrefixed(filter)
      ? countPrefixed(workspaceId, filter, isBounded ? MAX_LISTED_LINKS + 1 : undefined)
      : undefined,
    hasTotals ? undefined : selectLinkTotal(workspaceId, filter.status),
  );
  const matches: Match[] = [
    // On a tie the prefix comes first: the count of the search stops at the prefix's total.
    ...(prefixed === undefined ? [] : [{ index: "external_id_prefix" as const, total: prefixed.total }]),
    ...(searched === undefined ? [] : [{ index: "search" as const, total: searched.total }]),
  ];
  return bound(planWithCounts(filter, sort, { totals, matches, links: all?.total ?? 0 }));
}

/** The query for the total; undefined if the plan knows it. */
function selectTotal(
  workspaceId: number,
  plan: Plan,
  sort: ListSort,
): Statement<{ total: number; looked?: number }[]> | undefined {
  if (plan.total === "workspace") return selectLinkTotal(workspaceId, plan.filter.status);
  if (plan.total === "short_host") return selectShortHostTotal(workspaceId, plan.filter.status);
  if (plan.total === "kept") return selectFilterTotals(workspaceId, plan.filter);
  return plan.total === "counted" ? countLinks(workspaceId, plan, sort) : undefined;
}

/** Which rows are asked for. With `isBounded`, a list whose cost would grow with the links looks at some of them only. */
interface Asked extends Pagination {
  known: KnownPlan | undefined;
  isBounded: boolean;
  /** The text of a search. */
  find: string | undefined;
  /** Whether the number of links is known from a page before. */
  isCounted: boolean;
}

interface Read<Row> {
  rows: Row[];
  total: number;
  plan: Plan;
  found: Found;
  /** How many links were looked at, if there may be more that belong to the list; else null. */
  lookedAt: number | null;
}

async function readList<Row>(
  ctx: Context,
  filter: LinkFilter,
  sort: ListSort,
  page: Asked,
  select: Select<Row>,
): Promise<Read<Row>> {
  const { plan: planned, found } =
    page.find === undefined
      ? { plan: await planList(ctx, filter, sort, page), found: NONE_FOUND }
      : await planSearch(ctx, filter, page.find);
  const plan =
    filter.isMerging && planned.index === "tag" ? { ...planned, index: "order" as const } : planned;
  if (typeof plan.total === "number" && page.offset >= plan.total) {
    return { rows: [], total: plan.total, plan, found, lookedAt: null };
  }
  const workspaceId = ctx.workspace.rowId;
  const isTooFar = page.isBounded && page.offset > MAX_LISTED_LINKS;
  const [[counted], rows, merging] = await ctx.db.read(
    page.isCounted ? undefined : selectTotal(workspaceId, plan, sort),
    isTooFar ? undefined : selectLinkPage(workspaceId, plan, sort, page, select),
    filter.tags.length === 0 || filter.isMerging ? undefined : selectIsMerging(workspaceId),
  );
  if (merging.length > 0) return await readList(ctx, { ...filter, isMerging: true }, sort, page, select);
  const looked = counted?.looked ?? 0;
  return {
    rows,
    total: typeof plan.total === "number" ? plan.total : (counted?.total ?? 0),
    plan,
    found,
    lookedAt: plan.most !== undefined && looked >= plan.most ? plan.most : null,
  };
}

async function readRows<Row extends Positioned>(
  ctx: Context,
  query: ListQuery,
  isBounded: boolean,
  select: Select<Row>,
) {
  const { page, per_page: perPage, sort, find, readsAllPages = false } = query;
  const after = query.after === undefined ? undefined : toAfter(query.after, sort);
  const wanted = {
    after: after?.position,
    offset: after === undefined ? offsetOf(page, perPage) : 0,
    limit: perPage + 1,
    // A cursor has no place for the link that comes first, so paging by cursors starts on a page without it.
    exactFirst: find !== undefined && after === undefined && !readsAllPages,
    known: after?.plan,
    isBounded,
    find,
    isCounted: readsAllPages && after !== undefined,
  };
  const filter = toFilter(query, ctx.config);
  const { rows, total, plan, found, lookedAt } = await readList(ctx, filter, sort, wanted, select).catch(
    (error: unknown) => {
      if (!isIndexDropped(error)) throw error;
      return readList(ctx, { ...filter, hasSearchIndex: false }, sort, wanted, select);
    },
  );
  const { shown, nextAfter } = cutPage(rows, perPage, sort, (row) =>
    fromAfter({ position: positionOf(row, sort), plan: toKnownPlan(plan) }),
  );
  return {
    rows: shown,
    meta: metaOf(page, perPage, total),
    nextAfter,
    /** The link that the whole text of a search names, and the tags and groups that it finds. */
    ...found,
    /** How many links were looked at, if there may be more that belong to the list; else null. */
    lookedAt,
  };
}

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

/** What the public form of a link does not say. */
const toDetails = (row: LinkRow, now: number) => ({
  takenDownBy: row.taken_down_by,
  /** As the audit log names them. */
  createdBy: row.created_by,
  /** By its own window or that of its group. */
  windowState: windowStateAt(windowInGroup(row, row.group), now),
});

/** A page of links with what their public form does not say. */
async function readPage(ctx: Context, query: ListQuery, isBounded: boolean) {
  const { rows: listed, ...page } = await readRows(ctx, query, isBounded, selectListedLinks);
  const rows = await readLongLinks(ctx, listed, isBounded ? isShowable : isWhole);
  const now = ctx.now();
  return {
    ...page,
    items: rows.map((row) => toLink(row, ctx.config)),
    /** By the ids of the links. */
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

/** The same with the destinations of the links alone. */
export const listSomeDestinations = (ctx: Context, query: ListQuery) =>
  readRows(ctx, query, true, selectDestinations);

/** The same with the sizes of the links, which are read in chunks then. */
export const listSomeSizes = (ctx: Context, query: ListQuery) => readRows(ctx, query, true, selectLinkSizes);
