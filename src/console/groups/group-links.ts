import { z } from "zod";
import { nameGroupLinks, reportGroupLinks } from "../../analytics/group-report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import { sortNaturally } from "../../lib/natural-order";
import { pageOf } from "../../lib/paging";
import type { Range } from "../../lib/range";
import { listSomeLinks } from "../../resources/links/list-links";
import { sum } from "../clicks/series";
import { nameOf } from "../links/link-text";
import { linksQuery, toListQuery } from "../links/links-query";
import { madeIds } from "../links/made-links";
import { readVisitedLinks, VISITED_SORTS, type VisitedSort } from "../links/visited";
import { listQuery } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";

// The links of a group in their order.

const LINKS_PER_PAGE = 25;
const MAX_FOUND = 100;

export const SORTS = Object.keys(VISITED_SORTS) as [VisitedSort, ...VisitedSort[]];

export const tabQuery = listQuery.extend({ sort: z.enum(SORTS).default("-visits") });

interface Listed {
  id: string;
  clicks: number;
  scans: number;
}

/** Sorts links. Ids begin with the time of creation. */
async function sortLinks(ctx: Context, links: readonly Listed[], sort: VisitedSort): Promise<Listed[]> {
  switch (sort) {
    case "title": {
      const named = await nameGroupLinks(ctx, links);
      return sortNaturally(named.map((link) => ({ ...link, name: nameOf(link) })));
    }
    case "-clicks":
      return links.toSorted((one, other) => other.clicks - one.clicks);
    case "-scans":
      return links.toSorted((one, other) => other.scans - one.scans);
    case "-visits":
      return links.toSorted((one, other) => visitsOf(other) - visitsOf(one));
    case "created_at":
      return links.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    case "-created_at":
      return links.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  }
}

type Report = NonNullable<Awaited<ReturnType<typeof reportGroupLinks>>>;

/** Which links of a report are archived. In a large group those that were visited are read. */
async function archivedOf(ctx: Context, { hasQuiet, archived, links }: Report): Promise<ReadonlySet<string>> {
  if (hasQuiet) return archived;
  const named = await nameGroupLinks(ctx, links);
  return new Set(named.flatMap(({ id, status }) => (status === "archived" ? [id] : [])));
}

/**
 * A page of the present links of a group with their states, in their order; with a search, of those that it finds. Those that were
 * just made come first, archived ones last. Null if too many links were visited.
 */
export async function readGroupList(c: PageContext, range: Range, page: number) {
  const { ctx } = c.var;
  const { q, sort } = readQuery(tabQuery, c);
  const id = c.req.param("id");
  const ofGroup = { activity_group_id: id, status: "all", per_page: MAX_FOUND } as const;
  const [report, found] = await Promise.all([
    reportGroupLinks(ctx, id, range),
    q === "" ? undefined : listSomeLinks(ctx, toListQuery(ctx, { ...linksQuery.parse({}), ...ofGroup, q })),
  ]);
  if (report === null) return null;
  const visits = new Map(report.links.map((link) => [link.id, link]));
  const archived = found
    ? new Set(found.items.filter(({ status }) => status === "archived").map((link) => link.id))
    : await archivedOf(ctx, report);
  const all = (found?.items ?? report.links).map(
    ({ id: link }) => visits.get(link) ?? { id: link, clicks: 0, scans: 0 },
  );
  const made = new Set(madeIds(c));
  const rankOf = (link: Listed) => (made.has(link.id) ? 0 : archived.has(link.id) ? 2 : 1);
  const sorted = await sortLinks(ctx, all, sort);
  const { items, meta } = pageOf(
    sorted.toSorted((one, other) => rankOf(one) - rankOf(other)),
    page,
    LINKS_PER_PAGE,
  );
  const links = await readVisitedLinks(ctx, items, range);
  const whole = sum(report.links.map(visitsOf));
  const archivedCount = all.filter((link) => archived.has(link.id)).length;
  return { links, whole, meta, archivedCount, found: found?.meta.total, hasQuiet: report.hasQuiet };
}
