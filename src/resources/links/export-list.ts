import type { Context } from "../../context";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { EXPORT_COLUMNS, VISIT_COLUMNS } from "../../lib/import-columns";
import { readCells } from "./export";
import { listSomeRows } from "./list";
import type { ListQuery } from "./list/filter";
import { type ListedRow, selectListedLinksByIds } from "./repository";

/** The most links in the file of a list. The export of the workspace has all links. */
export const MAX_EXPORTED_LINKS = 5_000;
const LINKS_PER_READ = 1_000;

const HEADING = [...EXPORT_COLUMNS, ...VISIT_COLUMNS];

async function toLines(ctx: Context, rows: readonly ListedRow[]): Promise<string> {
  const withCells = await readCells(ctx, rows);
  return csvLines(
    withCells.map(({ row, cells }) => [...cells, ...VISIT_COLUMNS.map((column) => String(row[column]))]),
  );
}

/** The first links of a list as CSV, in its order. `isCut` if the list has more than the file. */
export async function exportList(ctx: Context, query: ListQuery) {
  const read = (after: string | undefined) =>
    listSomeRows(ctx, { ...query, page: 1, per_page: LINKS_PER_READ, after, readsAllPages: true });
  const first = await read(undefined);
  const parts = async function* () {
    yield BYTE_ORDER_MARK + csvLines([HEADING]);
    let page = first;
    for (let left = MAX_EXPORTED_LINKS - LINKS_PER_READ; ; left -= LINKS_PER_READ) {
      if (page.rows.length > 0) yield await toLines(ctx, page.rows);
      if (page.nextAfter === null || left <= 0) return;
      page = await read(page.nextAfter);
    }
  };
  return { isCut: first.meta.total > MAX_EXPORTED_LINKS, parts: parts() };
}

/** Streams the links with these ids as CSV, in the order of the ids. */
export async function* exportChosen(ctx: Context, ids: readonly string[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([HEADING]);
  const [rows] = await ctx.db.read(selectListedLinksByIds(ctx.workspace.rowId, ids));
  const byId = new Map(rows.map((row) => [row.public_id, row]));
  const chosen = ids.flatMap((id) => byId.get(id) ?? []);
  if (chosen.length > 0) yield await toLines(ctx, chosen);
}
