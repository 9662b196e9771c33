import type { Context, ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { type FieldError, importNotFound } from "../errors";
import { BYTE_ORDER_MARK, csvLines } from "../lib/csv";
import { IMPORT_FIELDS, type ImportedCells } from "../lib/import-columns";
import { type Meta, metaOf, offsetOf } from "../lib/paging";
import { DAY_MS, isoTime } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import {
  countRows,
  deleteImport,
  deleteImportsBefore,
  headingOf,
  type ImportFile,
  importById,
  type KeptRow,
  MAX_IMPORTS,
  newestImports,
  pageOfRows,
} from "./repository";

export interface Import {
  id: string;
  name: string;
  status: "checked" | "running" | "finished";
  rows: number;
  created_at: string;
}

export interface ImportRowShown {
  /** As a spreadsheet numbers it. */
  number: number;
  cells: ImportedCells;
  errors: readonly FieldError[];
  /** The id of the link that was made. */
  link: string | null;
}

export interface ImportPage extends Import {
  made: number;
  refused: number;
  /** The names of columns that say nothing of a link. */
  ignored: readonly string[];
  /** The names of tags that there were not when the file was checked. */
  tags: readonly string[];
  items: ImportRowShown[];
  meta: Meta;
}

const KEPT_MS = 7 * DAY_MS;
const ROWS_A_PAGE = 100;
const ROWS_A_READ = 500;

const toImport = (row: ImportFile): Import => ({
  id: row.public_id,
  name: row.name,
  status: row.finished_at !== null ? "finished" : row.started_at !== null ? "running" : "checked",
  rows: row.row_count,
  created_at: isoTime(row.created_at),
});

const toRow = (row: KeptRow): ImportRowShown => ({
  number: row.number,
  cells: JSON.parse(row.input ?? "{}"),
  errors: JSON.parse(row.errors ?? "[]"),
  link: row.link,
});

/** The workspace's newest imports. */
export async function listImports(ctx: Context): Promise<Import[]> {
  const [rows] = await ctx.db.read(newestImports(ctx.workspace.rowId, MAX_IMPORTS));
  return rows.map(toImport);
}

/** How far an import is, and a page of its rows: all, or those that are refused. */
export async function getImport(
  ctx: Context,
  path: string,
  { show, page }: { show: "all" | "refused"; page: number },
): Promise<ImportPage> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [[file], [counts], [heading], rows] = await ctx.db.read(
    importById(workspaceId, id),
    countRows(workspaceId, id),
    headingOf(workspaceId, id),
    pageOfRows(workspaceId, id, show, {
      after: 0,
      offset: offsetOf(page, ROWS_A_PAGE),
      limit: ROWS_A_PAGE,
    }),
  );
  if (file === undefined) throw importNotFound();
  const { made = 0, refused = 0 } = counts ?? {};
  const said: Pick<ImportPage, "ignored" | "tags"> = JSON.parse(heading?.input ?? "{}");
  return {
    ...toImport(file),
    made,
    refused,
    ignored: said.ignored ?? [],
    tags: said.tags ?? [],
    items: rows.map(toRow),
    meta: metaOf(page, ROWS_A_PAGE, show === "refused" ? refused : file.row_count),
  };
}

/** The refused rows of an import as CSV, with the reasons in a column of their own: to be mended and imported again. */
export async function* refusedRows(ctx: Context, path: string): AsyncGenerator<string> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  yield BYTE_ORDER_MARK + csvLines([[...IMPORT_FIELDS, "errors"]]);
  let after = 0;
  for (;;) {
    const [rows] = await ctx.db.read(
      pageOfRows(workspaceId, id, "refused", { after, offset: 0, limit: ROWS_A_READ }),
    );
    yield csvLines(
      rows
        .map(toRow)
        .map(({ cells, errors }) => [
          ...IMPORT_FIELDS.map((field) => cells[field] ?? null),
          errors.map(({ message }) => message).join(" "),
        ]),
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_A_READ) return;
    after = last.number;
  }
}

/** Refuses a path that names no import of the workspace (404). */
export async function assertImportPath(ctx: Context, path: string): Promise<void> {
  const [[file]] = await ctx.db.read(importById(ctx.workspace.rowId, storedId(path)));
  if (file === undefined) throw importNotFound();
}

/** Forgets an import: what it has made stays, what it has not is not made. */
export async function discardImport(ctx: Context, path: string): Promise<void> {
  await assertImportPath(ctx, path);
  await ctx.db.writeUnaudited(...deleteImport(ctx.workspace.rowId, storedId(path)));
}

/** Removes a portion of the imports that are older than a week: of their rows, and those that have none left. */
export const removeOldImports = (ctx: Pick<ServiceContext, "now">): [rows: Statement, files: Statement] =>
  deleteImportsBefore(ctx.now() - KEPT_MS);
