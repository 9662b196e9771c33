import type { Context, ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { importNotFound, type RowError } from "../errors";
import { BYTE_ORDER_MARK, csvLines } from "../lib/csv";
import { IMPORT_FIELDS, type ImportedCells } from "../lib/import-columns";
import { type Meta, metaOf, offsetOf } from "../lib/paging";
import { DAY_MS, isoTime } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { toForAll } from "./for-all";
import {
  deleteImport,
  deleteImportsBefore,
  type ImportFile,
  MAX_IMPORTS,
  selectForAll,
  selectImport,
  selectImportActor,
  selectNewestImports,
} from "./repository";
import { countRows, type KeptRow, selectHeading, selectRowPage } from "./row-repository";
import { type Undo, undoOf } from "./undo";

export interface Import {
  id: string;
  name: string;
  status: "checked" | "running" | "finished" | "undone";
  rows: number;
  created_at: string;
}

export interface ImportRowShown {
  /** The number that a spreadsheet shows. */
  number: number;
  cells: ImportedCells;
  errors: readonly RowError[];
  link: string | null;
}

export interface ImportPage extends Import {
  made: number;
  refused: number;
  /** Names of columns that were ignored. */
  ignored: readonly string[];
  /** Names of tags that did not exist at the check. */
  tags: readonly string[];
  /** What every link gets; `isCut` if some of it no longer exists. */
  forAll: ReturnType<typeof toForAll>;
  /** How far its undo is; undefined if none has begun. */
  undo: Undo | undefined;
  /** Whether the schedule goes on with it while it is running. */
  goesOn: boolean;
  items: ImportRowShown[];
  meta: Meta;
}

const KEPT_MS = 7 * DAY_MS;
const ROWS_PER_PAGE = 100;
const ROWS_PER_READ = 500;

function statusOf({ started_at, finished_at, undone_at }: ImportFile): Import["status"] {
  if (undone_at !== null) return "undone";
  if (started_at === null) return "checked";
  return finished_at === null ? "running" : "finished";
}

const toImport = (row: ImportFile): Import => ({
  id: row.public_id,
  name: row.name,
  status: statusOf(row),
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
  const [rows] = await ctx.db.read(selectNewestImports(ctx.workspace.rowId, MAX_IMPORTS));
  return rows.map(toImport);
}

/** An import with its progress and a page of rows, all or the refused ones; throws 404. */
export async function getImport(
  ctx: Context,
  path: string,
  { show, page }: { show: "all" | "refused"; page: number },
): Promise<ImportPage> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [[file], [counts], [heading], forAll, [schedule], rows] = await ctx.db.read(
    selectImport(workspaceId, id),
    countRows(workspaceId, id),
    selectHeading(workspaceId, id),
    selectForAll(workspaceId, id),
    selectImportActor(workspaceId, id),
    selectRowPage(workspaceId, id, show, {
      after: 0,
      offset: offsetOf(page, ROWS_PER_PAGE),
      limit: ROWS_PER_PAGE,
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
    forAll: toForAll(forAll),
    undo: undoOf(heading?.input),
    goesOn: (schedule?.actor ?? null) !== null,
    items: rows.map(toRow),
    meta: metaOf(page, ROWS_PER_PAGE, show === "refused" ? refused : file.row_count),
  };
}

/** Streams the refused rows as CSV with a column for the errors, to be corrected and imported again. */
export async function* exportRefusedRows(ctx: Context, path: string): AsyncGenerator<string> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  yield BYTE_ORDER_MARK + csvLines([[...IMPORT_FIELDS, "errors"]]);
  let after = 0;
  for (;;) {
    const [rows] = await ctx.db.read(
      selectRowPage(workspaceId, id, "refused", { after, offset: 0, limit: ROWS_PER_READ }),
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
    if (last === undefined || rows.length < ROWS_PER_READ) return;
    after = last.number;
  }
}

/** Throws 404 if the path names no import. */
export async function assertImportPath(ctx: Context, path: string): Promise<void> {
  const [[file]] = await ctx.db.read(selectImport(ctx.workspace.rowId, storedId(path)));
  if (file === undefined) throw importNotFound();
}

/** Deletes an import. Created links stay; the rest of its rows is not imported. */
export async function discardImport(ctx: Context, path: string): Promise<void> {
  await assertImportPath(ctx, path);
  await ctx.db.writeUnaudited(...deleteImport(ctx.workspace.rowId, storedId(path)));
}

/** Deletes a portion of the imports older than a week. */
export const deleteOldImports = (ctx: Pick<ServiceContext, "now">): [rows: Statement, files: Statement] =>
  deleteImportsBefore(ctx.now() - KEPT_MS);
