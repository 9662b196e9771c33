import type { Context } from "../../context";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { EXPORT_COLUMNS, VISIT_COLUMNS } from "../../lib/import-columns";
import { readCells } from "./export";
import { toLink, type VisitTotals } from "./link";
import { listSomeLinks } from "./list";
import type { ListQuery } from "./list/filter";
import { selectLinksByIds, selectVisitTotalsByIds } from "./repository";
import type { Link } from "./schema";

/** The most links in the file of a list. The export of the workspace has all links. */
export const MAX_EXPORTED_LINKS = 5_000;
const LINKS_PER_READ = 1_000;

const HEADING = [...EXPORT_COLUMNS, ...VISIT_COLUMNS];

type VisitTotalsOf = ReadonlyMap<string, Pick<VisitTotals, (typeof VISIT_COLUMNS)[number]>>;

async function toLines(ctx: Context, links: readonly Link[], visitTotals: VisitTotalsOf): Promise<string> {
  const rows = await readCells(ctx, links);
  return csvLines(
    rows.map(({ link, cells }) => [
      ...cells,
      ...VISIT_COLUMNS.map((column) => String(visitTotals.get(link.id)?.[column] ?? 0)),
    ]),
  );
}

/** The first links of a list as CSV, in its order. `isCut` if the list has more than the file. */
export async function exportList(ctx: Context, query: ListQuery) {
  const read = (after: string | undefined) =>
    listSomeLinks(ctx, { ...query, page: 1, per_page: LINKS_PER_READ, after, readsAllPages: true });
  const first = await read(undefined);
  const parts = async function* () {
    yield BYTE_ORDER_MARK + csvLines([HEADING]);
    let page = first;
    for (let left = MAX_EXPORTED_LINKS - LINKS_PER_READ; ; left -= LINKS_PER_READ) {
      if (page.items.length > 0) yield await toLines(ctx, page.items, page.visitTotals);
      if (page.nextAfter === null || left <= 0) return;
      page = await read(page.nextAfter);
    }
  };
  return { isCut: first.meta.total > MAX_EXPORTED_LINKS, parts: parts() };
}

/** Streams the links with these ids as CSV, in the order of the ids. */
export async function* exportChosen(ctx: Context, ids: readonly string[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([HEADING]);
  const [rows, visits] = await ctx.db.read(
    selectLinksByIds(ctx.workspace.rowId, ids),
    selectVisitTotalsByIds(ctx.workspace.rowId, ids),
  );
  const links = rows.map((row) => toLink(row, ctx.config));
  const byId = new Map(links.map((link) => [link.id, link]));
  const chosen = ids.flatMap((id) => byId.get(id) ?? []);
  if (chosen.length > 0) yield await toLines(ctx, chosen, new Map(visits.map((row) => [row.id, row])));
}
