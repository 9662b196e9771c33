import type { Context } from "../context";
import { lifeInGroup, type Phase, phaseAt } from "../lib/life";
import { cutPage, metaOf, offsetOf, type Page } from "../lib/paging";
import { selectLinkTotal } from "../workspaces/repository";
import { toLink } from "./link";
import {
  isPrefixed,
  isSearched,
  type LinkFilter,
  type MoreFilters,
  toDimensions,
  toFilter,
} from "./list/filter";
import { isIndexDropped } from "./list/matches";
import {
  type KnownPlan,
  type Match,
  type Plan,
  planAgain,
  planWithCounts,
  planWithoutCounts,
  toKnownPlan,
} from "./list/plan";
import { fromAfter, positionOf, toAfter } from "./list/position";
import {
  countBroken,
  countLinks,
  countPrefixed,
  countSearched,
  type Pagination,
  selectFilterTotals,
  selectLinkPage,
} from "./list/query";
import type { LinkRow } from "./repository";
import type { Link, LinkSort, ListLinks } from "./schema";

interface LinksPage extends Page<Link> {
  /** Ids of the links that the operator or a check has taken down. */
  takenDown: ReadonlySet<string>;
  /** Ids of the links that are not open yet or have ended, on their own or with their group. */
  closed: ReadonlyMap<string, Exclude<Phase, "open">>;
}

async function planList(
  ctx: Context,
  filter: LinkFilter,
  sort: LinkSort,
  known: KnownPlan | undefined,
): Promise<Plan> {
  const plan = planWithoutCounts(filter) ?? planAgain(filter, sort, known);
  if (plan !== undefined) return plan;
  const workspaceId = ctx.workspace.rowId;
  const hasTotals = toDimensions(filter).length > 0;
  const [totals, [searched], [prefixed], [broken], [all]] = await ctx.db.read(
    hasTotals ? selectFilterTotals(workspaceId, filter) : undefined,
    isSearched(filter) ? countSearched(workspaceId, filter) : undefined,
    isPrefixed(filter) ? countPrefixed(workspaceId, filter) : undefined,
    filter.isBroken ? countBroken(workspaceId) : undefined,
    hasTotals ? undefined : selectLinkTotal(workspaceId, filter.status),
  );
  const matches: Match[] = [
    // On a tie the prefix comes first: the count of the search stops at the prefix's total.
    ...(prefixed === undefined ? [] : [{ index: "external_id_prefix" as const, total: prefixed.total }]),
    ...(searched === undefined ? [] : [{ index: "search" as const, total: searched.total }]),
    ...(broken === undefined ? [] : [{ index: "broken" as const, total: broken.total }]),
  ];
  return planWithCounts(filter, sort, { totals, matches, links: all?.total ?? 0 });
}

/** The query for the total; undefined if the plan knows it. */
function selectTotal(workspaceId: number, plan: Plan) {
  if (plan.total === "workspace") return selectLinkTotal(workspaceId, plan.filter.status);
  if (plan.total === "kept") return selectFilterTotals(workspaceId, plan.filter);
  return plan.total === "counted" ? countLinks(workspaceId, plan) : undefined;
}

async function readList(
  ctx: Context,
  filter: LinkFilter,
  sort: LinkSort,
  page: Pagination & { known: KnownPlan | undefined },
): Promise<{ rows: LinkRow[]; total: number; plan: Plan }> {
  const plan = await planList(ctx, filter, sort, page.known);
  if (typeof plan.total === "number" && page.offset >= plan.total) {
    return { rows: [], total: plan.total, plan };
  }
  const workspaceId = ctx.workspace.rowId;
  const [counted, rows] = await ctx.db.read(
    selectTotal(workspaceId, plan),
    selectLinkPage(workspaceId, plan, sort, page),
  );
  return { rows, total: typeof plan.total === "number" ? plan.total : (counted[0]?.total ?? 0), plan };
}

export async function listLinks(ctx: Context, query: ListLinks & MoreFilters): Promise<LinksPage> {
  const { page, per_page: perPage, sort } = query;
  const after = query.after === undefined ? undefined : toAfter(query.after, sort);
  const wanted = {
    after: after?.position,
    offset: after === undefined ? offsetOf(page, perPage) : 0,
    limit: perPage + 1,
    known: after?.plan,
  };
  const filter = toFilter(query);
  const { rows, total, plan } = await readList(ctx, filter, sort, wanted).catch((error: unknown) => {
    if (!isIndexDropped(error)) throw error;
    return readList(ctx, { ...filter, hasSearchIndex: false }, sort, wanted);
  });
  const { shown, nextAfter } = cutPage(rows, perPage, sort, (row) =>
    fromAfter({ position: positionOf(row, sort), plan: toKnownPlan(plan) }),
  );
  const now = ctx.now();
  return {
    items: shown.map((row) => toLink(row, ctx.config.shortBaseUrl)),
    meta: metaOf(page, perPage, total),
    nextAfter,
    takenDown: new Set(shown.filter((row) => row.taken_down_by !== null).map((row) => row.public_id)),
    closed: new Map(
      shown.flatMap((row) => {
        const phase = phaseAt(lifeInGroup(row, row.group), now);
        return phase === "open" ? [] : [[row.public_id, phase] as const];
      }),
    ),
  };
}
