import type { ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import { cellOf, type FileRow, readTable, refusal, type Source, type VerifiedFile } from "./backup-format";
import { TABLES, type TableInBackup } from "./backup-tables";
import { insertRows, selectHostsOfOthers, selectSlugsOfOthers } from "./restore-repository";

const MAX_CHUNK_ROWS = 500;
/** Of JSON: keeps each bound parameter of a batch below 100 KB. */
const MAX_CHUNK_BYTES = 80_000;

/**
 * Groups rows by workspace and columns into chunks that fit a batch. A row that is too long is a chunk of its own.
 */
export async function* toChunks(rows: AsyncIterable<FileRow>): AsyncGenerator<[FileRow, ...FileRow[]]> {
  const encoder = new TextEncoder();
  let chunk: [FileRow, ...FileRow[]] | undefined;
  let bytes = 0;
  for await (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.values)).length + 1;
    const joins =
      chunk !== undefined &&
      chunk.length < MAX_CHUNK_ROWS &&
      bytes + size <= MAX_CHUNK_BYTES &&
      chunk[0].workspace === row.workspace &&
      chunk[0].columns.join() === row.columns.join();
    if (chunk !== undefined && joins) chunk.push(row);
    else {
      if (chunk !== undefined) yield chunk;
      chunk = [row];
      bytes = 0;
    }
    bytes += size;
  }
  if (chunk !== undefined) yield chunk;
}

export interface Restore {
  ctx: ServiceContext;
  source: Source;
  checked: VerifiedFile;
  /** Row ids of the restored workspaces; empty until their rows are written. */
  rowIds: Map<string, number>;
  wanted: ReadonlySet<string>;
}

export const readRows = ({ source, checked, wanted }: Restore, table: string): AsyncGenerator<FileRow> =>
  readTable(source, checked, table, wanted);

/** The claims on slugs, including void rows: a claim is permanent, unless the operator reassigned the slug. */
export const readClaims = ({ source, checked, wanted }: Restore): AsyncGenerator<FileRow> =>
  readTable(source, { isVoid: checked.isReplacedSlug }, "slugs", wanted);

/** The values of a column in a chunk of rows that belong to other workspaces; none if all rows are free. */
async function findTaken<Taken>(
  { ctx, rowIds }: Restore,
  rows: AsyncIterable<FileRow>,
  column: string,
  selectOfOthers: (workspaceId: number, values: readonly string[]) => Statement<Taken[]>,
): Promise<Taken[]> {
  for await (const chunk of toChunks(rows)) {
    const rowId = rowIds.get(chunk[0].workspace ?? "") ?? 0;
    const values = chunk.map((row) => String(cellOf(row, column)));
    const [taken] = await ctx.db.read(selectOfOthers(rowId, values));
    if (taken.length > 0) return taken;
  }
  return [];
}

/** Throws 422 if another workspace has claimed one of the slugs. */
export async function assertSlugsFree(restore: Restore): Promise<void> {
  const taken = await findTaken(restore, readClaims(restore), "key", selectSlugsOfOthers);
  if (taken.length === 0) return;
  const some = taken.slice(0, 5).map(({ key }) => `"${key}"`);
  throw refusal(
    `Another workspace has claimed ${some.join(", ")}${taken.length > 5 ? " and more" : ""}, which ${restore.source.name} has for its own. A slug belongs for ever to the workspace that first used it: restore into another database.`,
  );
}

/** Throws 422 if another workspace has proved one of the hosts. */
export async function assertHostsFree(restore: Restore): Promise<void> {
  const proved = mapRows(readRows(restore, "domains"), (row) =>
    cellOf(row, "state") === "pending" ? undefined : row,
  );
  const [taken] = await findTaken(restore, proved, "host", selectHostsOfOthers);
  if (taken === undefined) return;
  throw refusal(
    `Another workspace has the host ${taken.host}, which ${restore.source.name} has for its own. Release it with "domain release", or restore into another database.`,
  );
}

export async function* toInserts(
  { rowIds }: Restore,
  kept: TableInBackup,
  rows: AsyncIterable<FileRow>,
  isLenient = false,
): AsyncGenerator<Statement[]> {
  for await (const chunk of toChunks(rows)) {
    const [{ workspace, columns }] = chunk;
    const rowId = rowIds.get(workspace ?? "") ?? null;
    const values = chunk.map((row) => row.values);
    // A generator awaits a statement that it yields, and so would send it.
    yield [insertRows(kept, columns, rowId, values, isLenient)];
  }
}

export async function writeRows(
  restore: Restore,
  kept: TableInBackup,
  rows: AsyncIterable<FileRow>,
  isLenient = false,
): Promise<void> {
  for await (const statements of toInserts(restore, kept, rows, isLenient))
    await restore.ctx.db.writeGuarded(statements);
}

/** The row with other values in some columns. */
export const withCells = (
  row: FileRow,
  cells: Readonly<Record<string, string | number | null>>,
): FileRow => ({
  ...row,
  values: row.columns.map((name, at) => {
    const given = cells[name];
    return given === undefined ? (row.values[at] ?? null) : given;
  }),
});

export async function* mapRows(
  rows: AsyncIterable<FileRow>,
  map: (row: FileRow) => FileRow | undefined,
): AsyncGenerator<FileRow> {
  for await (const row of rows) {
    const next = map(row);
    if (next !== undefined) yield next;
  }
}

/**
 * Writes slugs that open a link, then tombstones that are taken down, then the other claims; the first row of a slug
 * wins. A slug is correct from its first write on. Until then it is unknown, and KV never gets unknown slugs.
 */
export async function writeSlugs(restore: Restore): Promise<void> {
  const { isVoid } = restore.checked;
  const has = (row: FileRow, name: string) => cellOf(row, name) != null;
  const write = (map: (row: FileRow) => FileRow | undefined) =>
    writeRows(restore, TABLES.slugs, mapRows(readClaims(restore), map));
  await write((row) => (!isVoid(row) && has(row, "link") ? row : undefined));
  await write((row) => (!isVoid(row) && !has(row, "link") && has(row, "taken_down_at") ? row : undefined));
  await write((row) => {
    if (isVoid(row)) return withCells(row, { link: null, taken_down_at: null });
    return has(row, "link") ? undefined : row;
  });
}
