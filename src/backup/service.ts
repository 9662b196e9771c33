import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { deleteTotals, recountTotals, recountWorkspace, renewCopies } from "../doctor/repository";
import { invalid, workspaceNotFound } from "../errors";
import { appliedMigrations } from "../health";
import { isoTime } from "../lib/time";
import { indexChunk, lastLinkId } from "../links/search";
import { sweep } from "../slugs/sync";
import { allWorkspaces, workspaceBySlug } from "../workspaces/repository";
import { type Checked, checkFile, type Head, type Row, rowsOfTable, type Source, VERSION } from "./format";
import {
  changedRows,
  firstLinkOf,
  insertRows,
  lastAuditId,
  operationsDone,
  pageOfTable,
  placeName,
  pushSlugs,
  type ReadRow,
  restoreStep,
  rowsOfWorkspace,
  type Scope,
  slugsOfOthers,
  subjectsSince,
  WORKSPACE,
  workspacesLike,
} from "./repository";
import { fileColumns, KEPT, type Kept, nameOf } from "./tables";

const ROWS_A_PAGE = 500;
/** More changes than this are read a page at a time, and then what has changed meanwhile. */
const MOST_CHANGES = 200;

function keptAs(table: string): Kept {
  const kept = KEPT[table];
  if (kept === undefined) throw invalid([{ field: "from", message: `There is no table ${table}.` }]);
  return kept;
}

/** The last migration of the database, and those before it. */
async function migrationsOf(ctx: ServiceContext): Promise<string[]> {
  const migrations = await appliedMigrations(ctx.db);
  if (migrations === null || migrations.length === 0) {
    throw new Error("no such table: the database does not say which migrations it has");
  }
  return migrations;
}

/** Rows as sections: a line for the table and the workspace before the rows of each. */
function* linesOf(kept: Kept, rows: readonly ReadRow[], ids: ReadonlyMap<number, string>): Generator<string> {
  const columns = fileColumns(kept).map(({ name }) => name);
  let current: number | null | undefined;
  for (const row of rows) {
    const workspace = row[WORKSPACE] as number | null;
    if (workspace !== current) {
      const id = workspace === null ? null : ids.get(workspace);
      // Made since the backup began.
      if (id === undefined) continue;
      yield JSON.stringify({ table: nameOf(kept), workspace: id, columns });
      current = workspace;
    }
    yield JSON.stringify(columns.map((name) => row[name]));
  }
}

/**
 * The lines of a backup but the seal. It is of the moment at which the last change of its reading was read again; clicks,
 * a key's last use and what a resolver said are of their own reading.
 */
export async function* backupLines(ctx: ServiceContext, slug?: string): AsyncGenerator<string> {
  const [workspaces, [audit]] = await ctx.db.read(
    slug === undefined ? allWorkspaces() : workspaceBySlug(slug),
    lastAuditId,
  );
  if (slug !== undefined && workspaces.length === 0) throw workspaceNotFound();
  const ids = new Map(workspaces.map((workspace) => [workspace.id, workspace.public_id]));
  const [only] = workspaces;
  const scope: Scope =
    slug !== undefined && only !== undefined ? { only: only.id } : { last: Math.max(0, ...ids.keys()) };
  const head: Head = {
    waymark_backup: VERSION,
    schema: (await migrationsOf(ctx)).at(-1) ?? "",
    at: isoTime(ctx.now()),
    workspaces: workspaces.map((workspace) => workspace.slug),
    whole: slug === undefined,
  };
  yield JSON.stringify(head);

  async function* wholeTable(
    kept: Kept,
    isRead: (place: string | number) => boolean,
  ): AsyncGenerator<string> {
    let after: (string | number)[] = [];
    for (;;) {
      const [page] = await ctx.db.read(pageOfTable(kept, scope, after, ROWS_A_PAGE));
      const rows = page.filter((row) => isRead(row[placeName(0)] ?? 0));
      yield* linesOf(kept, rows, ids);
      const last = page.at(-1);
      if (last === undefined || rows.length < ROWS_A_PAGE) return;
      after = kept.order.map((_, index) => last[placeName(index)] ?? "");
    }
  }

  for (const kept of Object.values(KEPT)) {
    const belongs = nameOf(kept) !== "blocked_hosts" || slug === undefined;
    if (belongs && nameOf(kept) !== "audit_log") yield* wholeTable(kept, () => true);
  }

  const changing = Object.values(KEPT).filter((kept) => kept.changedWith !== null);
  let seen = audit?.last ?? 0;
  for (let isExact = false; !isExact; ) {
    const [peek] = await ctx.db.read(subjectsSince(seen, MOST_CHANGES + 1));
    if (peek.length === 0) break;
    isExact = peek.length <= MOST_CHANGES;
    const page = peek.slice(0, MOST_CHANGES);
    // What is read by the log itself, in one transaction with it, has no change that it does not know.
    const changed = isExact
      ? { since: seen }
      : { names: JSON.stringify([...new Set(page.map(({ subject }) => subject))]) };
    const [subjects, ...tables] = await ctx.db.read(
      subjectsSince(seen, isExact ? -1 : MOST_CHANGES),
      ...changing.map((kept) => changedRows(kept, scope, changed)),
    );
    yield JSON.stringify({ again: [...new Set(subjects.map(({ subject }) => subject))] });
    for (const [index, kept] of changing.entries()) yield* linesOf(kept, tables[index] ?? [], ids);
    seen = subjects.at(-1)?.id ?? seen;
  }
  yield* wholeTable(keptAs("audit_log"), (id) => Number(id) <= seen);
}

const MOST_STATEMENTS = 100;
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

const refused = (message: string) => invalid([{ field: "from", message }]);

/** A restore under way. */
interface Restore {
  ctx: ServiceContext;
  source: Source;
  checked: Checked;
  /** The workspaces that are restored, with their row ids; empty until their rows are there. */
  rowIds: Map<string, number>;
  wanted: ReadonlySet<string>;
}

const rowsOf = ({ source, checked, wanted }: Restore, table: string): AsyncGenerator<Row> =>
  rowsOfTable(source, checked, table, wanted);

/** The claims on slugs, those that are void too: a claim is for ever. */
const claimsOf = ({ source, wanted }: Restore): AsyncGenerator<Row> =>
  rowsOfTable(source, { isVoid: () => false }, "slugs", wanted);

/** Refuses where a slug is another workspace's by now. */
async function assertSlugsFree(restore: Restore): Promise<void> {
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
async function* insertsOf(restore: Restore, kept: Kept, rows: AsyncIterable<Row>): AsyncGenerator<Statement> {
  for await (const portion of portionsOf(rows)) {
    const [{ workspace, columns }] = portion;
    const rowId = workspace === null ? null : (restore.rowIds.get(workspace) ?? null);
    yield insertRows(
      kept,
      columns,
      rowId,
      portion.map(({ values }) => values),
    );
  }
}

async function write(restore: Restore, kept: Kept, rows: AsyncIterable<Row>): Promise<void> {
  for await (const statement of insertsOf(restore, kept, rows)) await restore.ctx.db.note(statement);
}

/** Rows that nothing tells apart, behind those that an earlier run has written. */
async function* unwritten(restore: Restore, kept: Kept): AsyncGenerator<Row> {
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

async function* mapped(rows: AsyncIterable<Row>, map: (row: Row) => Row | undefined): AsyncGenerator<Row> {
  for await (const row of rows) {
    const next = map(row);
    if (next !== undefined) yield next;
  }
}

/**
 * Slugs that open a link, then the claims of all others. A visitor finds a slug right from the moment at which it is there:
 * before, it is unknown, and unknown slugs never enter KV.
 */
async function writeSlugs(restore: Restore): Promise<void> {
  const kept = keptAs("slugs");
  const link = ({ columns }: Row) => columns.indexOf("link");
  await write(
    restore,
    kept,
    mapped(rowsOf(restore, "slugs"), (row) => (row.values[link(row)] === null ? undefined : row)),
  );
  await write(
    restore,
    kept,
    mapped(claimsOf(restore), (row) =>
      row.values[link(row)] === null || restore.checked.isVoid(row)
        ? { ...row, values: row.values.with(link(row), null) }
        : undefined,
    ),
  );
}

/** KV may have values of these slugs from before: those alone are written anew. Returns how many were. */
async function pushWhatKvHas({ ctx, rowIds }: Restore): Promise<number> {
  const at = ctx.now();
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown, string> = await ctx.kv.list({ cursor });
    const keys = page.keys.map(({ name }) => name);
    const marks = [...rowIds.values()].map((rowId) => pushSlugs(rowId, keys, at));
    for (let from = 0; from < marks.length; from += 10) await ctx.db.note(...marks.slice(from, from + 10));
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return (await sweep(ctx)).pushed;
}

/** Counts and indexes what the workspaces have by now. */
async function recount({ ctx, rowIds }: Restore): Promise<void> {
  let from = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const rowId of rowIds.values()) {
    await ctx.db.note(renewCopies(rowId), deleteTotals(rowId), recountTotals(rowId), recountWorkspace(rowId));
    const [[own], [all]] = await ctx.db.read(firstLinkOf(rowId), lastLinkId);
    from = Math.min(from, own?.first ?? from);
    last = all?.last ?? 0;
  }
  // Others' links among them are indexed again as they are.
  while (from <= last) {
    const { statement, next } = indexChunk(from);
    await ctx.db.note(statement);
    from = next;
  }
}

/** Refuses what must not be restored, before anything is written; returns the restore. */
async function prepare(ctx: ServiceContext, source: Source, slug: string | undefined): Promise<Restore> {
  const checked = await checkFile(source, (table) => keptAs(table).changedWith);
  const { head, seal } = checked;
  const migrations = await migrationsOf(ctx);
  if (!migrations.includes(head.schema)) {
    throw refused(
      `${source.name} has the schema ${head.schema}, which the database does not have yet: its last is ${migrations.at(-1)}. Deploy the release that the backup was made with, or a later one.`,
    );
  }
  const workspaces = checked.workspaces.filter((workspace) => slug === undefined || workspace.slug === slug);
  if (slug !== undefined && workspaces.length === 0) {
    const list = head.workspaces.map((name) => `"${name}"`).join(", ") || "none";
    throw invalid([
      { field: "workspace", message: `${source.name} has no workspace "${slug}"; it has ${list}.` },
    ]);
  }
  const wanted = new Set(workspaces.map(({ id }) => id));
  const restore: Restore = { ctx, source, checked, rowIds: new Map(), wanted };
  const begun = (id: string) => stepId(seal.sha256, id, "begin");
  const ended = (id: string) => stepId(seal.sha256, id, "end");
  const [there, done] = await ctx.db.read(
    workspacesLike(
      [...wanted],
      workspaces.map((workspace) => workspace.slug),
    ),
    operationsDone([...wanted].flatMap((id) => [begun(id), ended(id)])),
  );
  const isDone = (id: string) => done.some((operation) => operation.id === id);
  for (const { id, public_id: publicId, slug: taken } of there) {
    if (!wanted.has(publicId) || !isDone(begun(publicId)) || isDone(ended(publicId))) {
      throw refused(
        `The database has a workspace "${taken}" (${publicId}) already, and a restore changes none: restore into another database, or only the others with --workspace.`,
      );
    }
    restore.rowIds.set(publicId, id);
  }
  await assertSlugsFree(restore);
  return restore;
}

const stepId = (checksum: string, workspace: string, step: "begin" | "end"): string =>
  `restore.${checksum.slice(0, 32)}.${workspace}.${step}`;

/**
 * Restores a backup, or one workspace of it. What an interrupted restore has written stays, and the same command goes on
 * from there: no row is written twice. Slugs come when all that they open is there, keys last of all.
 */
export async function restoreFrom(ctx: ServiceContext, source: Source, slug?: string) {
  const restore = await prepare(ctx, source, slug);
  const { checked, rowIds, wanted } = restore;
  const { sha256 } = checked.seal;
  const step = (ids: readonly string[], name: "begin" | "end") =>
    restoreStep(
      ids.map((id) => [stepId(sha256, id, name), id]),
      ctx.actor,
      `workspace.restore.${name}`,
      ctx.now(),
    );
  for await (const row of rowsOf(restore, "workspaces")) {
    const id = row.workspace ?? "";
    await ctx.db.note(insertRows(keptAs("workspaces"), row.columns, null, [row.values]), step([id], "begin"));
    const [[made]] = await ctx.db.read(workspacesLike([id], []));
    if (made !== undefined) rowIds.set(id, made.id);
  }
  for (const [table, kept] of Object.entries(KEPT)) {
    if (["workspaces", "slugs", "api_keys"].includes(table)) continue;
    const rows = kept.key.length === 0 ? unwritten(restore, kept) : rowsOf(restore, table);
    // What is no workspace's comes with the whole alone.
    await write(
      restore,
      kept,
      mapped(rows, (row) => (row.workspace === null && slug !== undefined ? undefined : row)),
    );
  }
  await recount(restore);
  await writeSlugs(restore);
  await assertSlugsFree(restore);
  const pushed = await pushWhatKvHas(restore);
  // The last keys and the end in one batch: from then on clients make changes, which no second run may touch.
  const keys: Statement[] = [];
  for await (const portion of insertsOf(restore, keptAs("api_keys"), rowsOf(restore, "api_keys"))) {
    if (keys.length === MOST_STATEMENTS - 1) await ctx.db.note(...keys.splice(0));
    keys.push(portion);
  }
  await ctx.db.note(...keys, step([...wanted], "end"));
  return {
    workspaces: checked.workspaces.filter(({ id }) => wanted.has(id)).map((workspace) => workspace.slug),
    made_at: checked.head.at,
    pushed_to_kv: pushed,
  };
}
