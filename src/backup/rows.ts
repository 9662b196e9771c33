import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { type Checked, type Row, refused, rowsOfTable, type Source } from "./format";
import { insertRows, lastRowId, rowsOfWorkspace, slugsOfOthers } from "./repository";
import { KEPT, type Kept, nameOf } from "./tables";

// How the rows of a file come into the database.

const MOST_ROWS = 500;
/** Of JSON, so that no parameter of a batch is longer than 100 KB. */
const MOST_BYTES = 80_000;

/** Rows of one workspace and the same columns, in portions that a batch takes; a row that is longer stands alone. */
async function* portionsOf(rows: AsyncIterable<Row>): AsyncGenerator<[Row, ...Row[]]> {
  const encoder = new TextEncoder();
  let portion: [Row, ...Row[]] | undefined;
  let bytes = 0;
  for await (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.values)).length + 1;
    const joins =
      portion !== undefined &&
      portion.length < MOST_ROWS &&
      bytes + size <= MOST_BYTES &&
      portion[0].workspace === row.workspace &&
      portion[0].columns.join() === row.columns.join();
    if (portion !== undefined && joins) portion.push(row);
    else {
      if (portion !== undefined) yield portion;
      portion = [row];
      bytes = 0;
    }
    bytes += size;
  }
  if (portion !== undefined) yield portion;
}

/** A restore under way. */
export interface Restore {
  ctx: ServiceContext;
  source: Source;
  checked: Checked;
  /** The workspaces that are restored, with their row ids; empty until their rows are there. */
  rowIds: Map<string, number>;
  wanted: ReadonlySet<string>;
}

export const rowsOf = ({ source, checked, wanted }: Restore, table: string): AsyncGenerator<Row> =>
  rowsOfTable(source, checked, table, wanted);

/** The claims on slugs, those of void rows too: a claim is for ever, unless the operator gave the slug away. */
const claimsOf = ({ source, checked, wanted }: Restore): AsyncGenerator<Row> =>
  rowsOfTable(source, { isVoid: checked.isReplacedSlug }, "slugs", wanted);

/** Refuses where a slug is another workspace's by now. */
export async function assertSlugsFree(restore: Restore): Promise<void> {
  for await (const portion of portionsOf(claimsOf(restore))) {
    const [{ workspace, columns }] = portion;
    const at = columns.indexOf("key");
    const [taken] = await restore.ctx.db.read(
      slugsOfOthers(
        restore.rowIds.get(workspace ?? "") ?? 0,
        portion.map(({ values }) => String(values[at])),
      ),
    );
    if (taken.length === 0) continue;
    const some = taken.slice(0, 5).map(({ key }) => `"${key}"`);
    throw refused(
      `Another workspace has claimed ${some.join(", ")}${taken.length > 5 ? " and more" : ""}, which ${restore.source.name} has for its own. A slug belongs for ever to the workspace that first used it: restore into another database.`,
    );
  }
}

/** The statements that write rows. */
export async function* insertsOf(
  restore: Restore,
  kept: Kept,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Statement> {
  for await (const portion of portionsOf(rows)) {
    const [{ workspace, columns }] = portion;
    const rowId = workspace === null ? null : (restore.rowIds.get(workspace) ?? null);
    const [[behind]] = kept.key.length === 0 ? await restore.ctx.db.read(lastRowId(kept)) : [[]];
    yield insertRows(
      kept,
      columns,
      rowId,
      portion.map(({ values }) => values),
      behind?.last,
    );
  }
}

export async function write(restore: Restore, kept: Kept, rows: AsyncIterable<Row>): Promise<void> {
  for await (const statement of insertsOf(restore, kept, rows))
    await restore.ctx.db.writeUnaudited(statement);
}

/** Rows that nothing tells apart, behind those that an earlier run has written. */
export async function* unwritten(restore: Restore, kept: Kept): AsyncGenerator<Row> {
  const written = new Map<string, number>();
  for (const [id, rowId] of restore.rowIds) {
    const [[counted]] = await restore.ctx.db.read(rowsOfWorkspace(kept, rowId));
    written.set(id, counted?.rows ?? 0);
  }
  for await (const row of rowsOf(restore, nameOf(kept))) {
    const left = written.get(row.workspace ?? "") ?? 0;
    if (left > 0) written.set(row.workspace ?? "", left - 1);
    else yield row;
  }
}

export async function* mapped(
  rows: AsyncIterable<Row>,
  map: (row: Row) => Row | undefined,
): AsyncGenerator<Row> {
  for await (const row of rows) {
    const next = map(row);
    if (next !== undefined) yield next;
  }
}

/**
 * Slugs that open a link, then those that open nothing and are taken down, then the claims of all others: the first row of
 * a slug stands. A visitor finds a slug right from the moment at which it is there: before, it is unknown, and unknown
 * slugs never enter KV.
 */
export async function writeSlugs(restore: Restore): Promise<void> {
  const kept = KEPT.slugs;
  const cell = ({ columns, values }: Row, name: string) => values[columns.indexOf(name)] ?? null;
  const without = (row: Row, names: readonly string[]): Row => ({
    ...row,
    values: row.values.map((value, at) => (names.includes(row.columns[at] ?? "") ? null : value)),
  });
  const only = (rows: AsyncIterable<Row>, passes: (row: Row) => boolean) =>
    write(
      restore,
      kept,
      mapped(rows, (row) => (passes(row) ? row : undefined)),
    );
  await only(rowsOf(restore, "slugs"), (row) => cell(row, "link") !== null);
  await only(
    rowsOf(restore, "slugs"),
    (row) => cell(row, "link") === null && cell(row, "taken_down_at") !== null,
  );
  await write(
    restore,
    kept,
    mapped(claimsOf(restore), (row) => {
      if (restore.checked.isVoid(row)) return without(row, ["link", "taken_down_at"]);
      return cell(row, "link") === null ? row : undefined;
    }),
  );
}
