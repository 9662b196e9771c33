import type { Context } from "../../context";
import { isImportMissing } from "../../db/failure";
import { invalid } from "../../field-errors";
import { chunksWithin, MAX_CHARACTERS as MAX_CHUNK_CHARACTERS } from "../../lib/chunks";
import { type FileRow, MEGABYTE } from "./import-file";
import {
  insertImport,
  MAX_IMPORTS,
  MAX_STORED_MEGABYTES,
  type NewImport,
  type StoredImports,
  selectStoredImports,
  updateRowCount,
} from "./import-repository";
import { insertImportRows } from "./import-row-repository";

/** The most that is stored of a file. A file of the largest size takes less, unless its rows have thousands of errors or long changes. */
const MAX_FILE_STORED_MEGABYTES = 15;

/** Throws 422 if a file of so many bytes is beyond a limit of the workspace. */
function assertRoom(stored: StoredImports | undefined, bytes: number): void {
  const { imports = 0, bytes: before = 0 } = stored ?? {};
  const limit =
    imports >= MAX_IMPORTS
      ? `${MAX_IMPORTS} imports`
      : before + bytes > MAX_STORED_MEGABYTES * MEGABYTE
        ? `${MAX_STORED_MEGABYTES} MB of stored imports`
        : undefined;
  if (limit === undefined) return;
  const message = `The workspace has reached its limit of ${limit}. Discard one; each is removed 7 days after it was sent.`;
  throw invalid([{ field: "import_limit", message, code: "limit" }]);
}

/** Throws 422 if too much would be stored of one file. */
function assertStorable(bytes: number): void {
  if (bytes <= MAX_FILE_STORED_MEGABYTES * MEGABYTE) return;
  const message = `The file takes more than ${MAX_FILE_STORED_MEGABYTES} MB with what its rows change and what is wrong with them. Divide it into smaller ones.`;
  throw invalid([{ field: "file", message, code: "too_long" }]);
}

type KeptRow = [number: number, cells: string, errors: string | null, updates: string | null];

const toKept = ({ number, errors, updates }: FileRow, cells: string): KeptRow => [
  number,
  cells,
  errors.length === 0 ? null : JSON.stringify(errors),
  updates === undefined ? null : JSON.stringify(updates),
];

const bytesOf = (texts: readonly (string | number | null)[]): number =>
  new TextEncoder().encode(texts.join("")).length;

/** Whether a row is refused, or leaves its link as it is. */
const hasNothingToDo = ({ errors, updates }: FileRow): boolean =>
  errors.length > 0 || updates?.changes.length === 0;

interface CheckedFile {
  file: Omit<NewImport, "workspace_id" | "bytes">;
  rows: readonly FileRow[];
  cellsToJson: (cells: readonly string[]) => string;
  /** What the workspace stores already. */
  stored: StoredImports | undefined;
}

/**
 * Stores a checked file: its row, then its rows in chunks of which one is held at a time. Returns how many rows there are. 422 if
 * the file is too large to be stored, or the workspace has reached a limit of imports.
 */
export async function storeFile(ctx: Context, { file, rows, cellsToJson, stored }: CheckedFile) {
  const workspaceId = ctx.workspace.rowId;
  const { public_id: id, created_at: at } = file;
  const kept = (row: FileRow) => toKept(row, cellsToJson(row.cells));
  const bytes = rows.reduce((sum, row) => sum + bytesOf(kept(row)), bytesOf([file.about]));
  assertStorable(bytes);
  assertRoom(stored, bytes);
  const refused = rows.filter(({ errors }) => errors.length > 0).length;
  const chunks = chunksWithin(rows, {
    of: (row) => JSON.stringify(kept(row)).length,
    max: MAX_CHUNK_CHARACTERS,
  });
  try {
    await ctx.db.writeGuarded([insertImport({ ...file, workspace_id: workspaceId, bytes })]);
    for (const chunk of chunks)
      await ctx.db.writeGuarded([insertImportRows(workspaceId, id, JSON.stringify(chunk.map(kept)))]);
    const finishedAt = rows.every(hasNothingToDo) ? at : null;
    await ctx.db.writeGuarded([updateRowCount(workspaceId, id, rows.length, finishedAt)]);
  } catch (error) {
    if (!isImportMissing(error)) throw error;
    const [[now]] = await ctx.db.read(selectStoredImports(workspaceId));
    assertRoom(now, bytes);
    throw error;
  }
  return { rows: rows.length, refused };
}
