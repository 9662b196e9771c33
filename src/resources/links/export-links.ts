import { selectLinkTotal } from "../../access/workspace-statements";
import { applyBeforeReport } from "../../analytics/queue";
import type { Context } from "../../context";
import { chunksWithin } from "../../lib/chunks";
import { BYTE_ORDER_MARK, csvLines, joinNames } from "../../lib/csv";
import { writtenDates } from "../../lib/days";
import { EXPORT_COLUMNS, MAX_ROWS_PER_FILE, VISIT_COLUMNS } from "../../lib/import-columns";
import { eachField, FORM_FIELDS } from "../../lib/link-fields";
import { writtenAddress } from "../../lib/short-url";
import { selectLinkAt, selectOldSlugs } from "./export-repository";
import { toLink } from "./link";
import { type MeasuredLink, selectSizesAfter } from "./link-outlines-repository";
import { type LinkRow, selectLinksByIds } from "./link-repository";
import type { ListQuery } from "./list/list-filter";
import { listSomeSizes } from "./list-links";

const LINKS_PER_READ = 1_000;

const COLUMNS_WITH_VISITS = [...EXPORT_COLUMNS, ...VISIT_COLUMNS];

async function toLines(
  ctx: Context,
  rows: readonly LinkRow[],
  columns: readonly (typeof COLUMNS_WITH_VISITS)[number][],
): Promise<string> {
  const ids = rows.map(({ public_id: id }) => id);
  const [old] = await ctx.db.read(selectOldSlugs(ctx.workspace.rowId, ids));
  const oldOf = Map.groupBy(old, ({ link }) => link);
  const lines = rows.map((row) => {
    const link = toLink(row, ctx.config);
    const cells = {
      ...link,
      // A day as one, so that it is one again in another link or zone.
      ...writtenDates(row),
      ...eachField(FORM_FIELDS, (name) => row[name]),
      clicks_before: row.clicks_before === null ? null : String(row.clicks_before),
      clicks: String(row.visitTotals.clicks),
      scans: String(row.visitTotals.scans),
      old_slugs: (oldOf.get(link.id) ?? [])
        .map(({ key }) => writtenAddress(ctx.config, key, row.domain))
        .join(" "),
      activity_group: link.activity_group?.slug ?? null,
      rules: link.rules.length === 0 ? null : JSON.stringify(link.rules),
      tags: joinNames(link.tags.map(({ name }) => name)),
    };
    return columns.map((column) => cells[column]);
  });
  return csvLines(lines);
}

/** The number of export files. Each has as many rows as an import accepts. */
export async function countExportFiles(ctx: Context): Promise<number> {
  const [[counted]] = await ctx.db.read(selectLinkTotal(ctx.workspace.rowId, "all"));
  return Math.max(1, Math.ceil((counted?.total ?? 0) / MAX_ROWS_PER_FILE));
}

/** The id after which a file starts; undefined if there are fewer links. */
async function findStart(ctx: Context, file: number): Promise<string | undefined> {
  if (file === 1) return "";
  const [[last]] = await ctx.db.read(selectLinkAt(ctx.workspace.rowId, (file - 1) * MAX_ROWS_PER_FILE));
  return last?.public_id;
}

const MAX_LINK_CHARACTERS = 80_000;
/** Of the links that are read at once, which are held several times while they become CSV. */
const MAX_CHARACTERS = 2_000_000;

/** Reads links in chunks that an instance can hold, however long they are, and yields them as CSV in their order. */
async function* toParts(
  ctx: Context,
  sizes: readonly MeasuredLink[],
  columns: readonly (typeof COLUMNS_WITH_VISITS)[number][],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([columns]);
  const chunks = chunksWithin(
    sizes,
    { of: ({ size }) => size, max: MAX_CHARACTERS },
    { of: () => 1, max: LINKS_PER_READ },
  );
  for (const chunk of chunks) {
    const ids = chunk.map(({ public_id: id }) => id);
    const [rows] = await ctx.db.read(selectLinksByIds(ctx.workspace.rowId, ids));
    const byId = new Map(rows.map((row) => [row.public_id, row]));
    const found = ids.flatMap((id) => byId.get(id) ?? []);
    if (found.length > 0) yield await toLines(ctx, found, columns);
  }
}

/** Streams the links of a file by its number as CSV, in the order of creation. */
export async function* exportLinks(ctx: Context, file = 1): AsyncGenerator<string> {
  const after = await findStart(ctx, file);
  const [sizes] = await ctx.db.read(
    after === undefined ? undefined : selectSizesAfter(ctx.workspace.rowId, after, MAX_ROWS_PER_FILE),
  );
  yield* toParts(ctx, sizes, EXPORT_COLUMNS);
}

/** The most links in the file of a list. The export of the workspace has all links. */
export const MAX_EXPORTED_LINKS = 5_000;

/** The first links of a list as CSV, in its order. `isCut` if the list has more than the file. */
export async function exportList(ctx: Context, query: ListQuery) {
  await applyBeforeReport(ctx);
  const page = { page: 1, per_page: MAX_EXPORTED_LINKS, readsAllPages: true };
  const { rows, meta } = await listSomeSizes(ctx, { ...query, ...page });
  return { isCut: meta.total > MAX_EXPORTED_LINKS, parts: toParts(ctx, rows, COLUMNS_WITH_VISITS) };
}

/** Streams the links with these ids as CSV, in the order of the ids. */
export async function* exportChosen(ctx: Context, ids: readonly string[]): AsyncGenerator<string> {
  await applyBeforeReport(ctx);
  // They are few, so each may be as long as a link can be.
  yield* toParts(
    ctx,
    ids.map((id) => ({ public_id: id, size: MAX_LINK_CHARACTERS })),
    COLUMNS_WITH_VISITS,
  );
}
