import { selectWorkspaceBySlug, selectWorkspaces } from "../../access/workspace-statements";
import type { ServiceContext } from "../../context";
import { workspaceNotFound } from "../../errors";
import { isoTime } from "../../lib/time";
import { readMigrations } from "../applied-migrations";
import { type Head, VERSION } from "./backup-format";
import {
  type Coverage,
  cursorColumn,
  type ReadRow,
  selectChangedRows,
  selectLastAuditId,
  selectSubjectsSince,
  selectTablePage,
  WORKSPACE,
} from "./backup-repository";
import { fileColumns, TABLES, type TableInBackup, toTableName } from "./backup-tables";

const ROWS_PER_PAGE = 500;
/** Up to this many changes are read in one transaction. More are read in pages, followed by those made meanwhile. */
const MAX_CHANGES = 200;

type TableName = keyof typeof TABLES;

/** How far a backup is. A page of a table is read at once; `changes` is what changed meanwhile, before the audit log. */
export interface Progress {
  coverage: Coverage;
  table: TableName | "changes";
  /** Where the next page begins. */
  after: readonly (string | number)[];
  /** The last audit entry when the backup began, and the last whose change it has. */
  begun: number;
  seen: number;
}

/** The public ids of workspaces by row id. */
type Ids = ReadonlyMap<number, string>;

export const toIds = (workspaces: readonly { id: number; public_id: string }[]): Ids =>
  new Map(workspaces.map((workspace) => [workspace.id, workspace.public_id]));

/** Yields the lines of rows: a section line before the first row of each workspace. */
function* toLines(kept: TableInBackup, rows: readonly ReadRow[], ids: Ids): Generator<string> {
  const columns = fileColumns(kept).map(({ name }) => name);
  let current: number | null | undefined;
  for (const row of rows) {
    const workspace = row[WORKSPACE] as number | null;
    if (workspace !== current) {
      const id = workspace === null ? null : ids.get(workspace);
      // A workspace created after the backup began.
      if (id === undefined) continue;
      yield JSON.stringify({ table: toTableName(kept), workspace: id, columns });
      current = workspace;
    }
    yield JSON.stringify(columns.map((name) => row[name]));
  }
}

const tablesOf = (coverage: Coverage): TableName[] =>
  (Object.keys(TABLES) as TableName[]).filter((name) => name !== "blocked_hosts" || "last" in coverage);

/** What is read after a table: the audit log comes last. */
function nextOf({ coverage, table }: Progress): Progress["table"] {
  const order = [
    ...tablesOf(coverage).filter((name) => name !== "audit_log"),
    "changes",
    "audit_log",
  ] as const;
  return order[order.indexOf(table) + 1] ?? "changes";
}

/** Begins a backup of everything, or of one workspace. Returns its first line. */
export async function beginBackup(ctx: Pick<ServiceContext, "db" | "now">, slug?: string) {
  const [workspaces, [audit]] = await ctx.db.read(
    slug === undefined ? selectWorkspaces() : selectWorkspaceBySlug(slug),
    selectLastAuditId(),
  );
  if (slug !== undefined && workspaces.length === 0) throw workspaceNotFound();
  const ids = toIds(workspaces);
  const [only] = workspaces;
  const coverage: Coverage =
    slug !== undefined && only !== undefined ? { only: only.id } : { last: Math.max(0, ...ids.keys()) };
  const head: Head = {
    waymark_backup: VERSION,
    schema: (await readMigrations(ctx.db)).at(-1) ?? "",
    at: isoTime(ctx.now()),
    workspaces: workspaces.map((workspace) => workspace.slug),
    whole: slug === undefined,
  };
  const begun = audit?.last ?? 0;
  const progress: Progress = { coverage, table: "workspaces", after: [], begun, seen: begun };
  return { head, ids, progress };
}

interface Step {
  lines: string[];
  /** Undefined after the last step. */
  next: Progress | undefined;
}

async function readPage(
  { db }: Pick<ServiceContext, "db">,
  ids: Ids,
  progress: Progress,
  table: TableName,
): Promise<Step> {
  const kept = TABLES[table];
  const [page] = await db.read(selectTablePage(kept, progress.coverage, progress.after, ROWS_PER_PAGE));
  // Later entries of the audit log are of changes that the backup does not have.
  const isCovered = (row: ReadRow) => table !== "audit_log" || Number(row[cursorColumn(0)]) <= progress.seen;
  const rows = page.filter(isCovered);
  const lines = [...toLines(kept, rows, ids)];
  const last = page.at(-1);
  if (last !== undefined && rows.length === ROWS_PER_PAGE) {
    const after = kept.order.map((_, index) => last[cursorColumn(index)] ?? "");
    return { lines, next: { ...progress, after } };
  }
  if (table === "audit_log") return { lines, next: undefined };
  return { lines, next: { ...progress, table: nextOf(progress), after: [] } };
}

async function readChanges({ db }: Pick<ServiceContext, "db">, ids: Ids, progress: Progress): Promise<Step> {
  const { coverage, begun, seen } = progress;
  const end = { ...progress, table: nextOf(progress) };
  const changing = tablesOf(coverage)
    .map((name): TableInBackup => TABLES[name])
    .filter(({ changedWith }) => changedWith !== null);
  const [peek] = await db.read(selectSubjectsSince(seen, MAX_CHANGES + 1));
  if (peek.length === 0) return { lines: [], next: end };
  const isExact = peek.length <= MAX_CHANGES;
  const page = peek.slice(0, MAX_CHANGES);
  // Rows selected by the log in its own transaction cannot have an unknown change.
  const changed = isExact
    ? { since: seen, begun }
    : { names: [...new Set(page.map(({ subject }) => subject))] };
  const [subjects, ...tables] = await db.read(
    selectSubjectsSince(seen, isExact ? -1 : MAX_CHANGES),
    ...changing.map((kept) => selectChangedRows(kept, coverage, changed)),
  );
  const again = JSON.stringify({ again: [...new Set(subjects.map(({ subject }) => subject))] });
  const lines = changing.flatMap((kept, index) => [...toLines(kept, tables[index] ?? [], ids)]);
  const next = { ...(isExact ? end : progress), seen: subjects.at(-1)?.id ?? seen };
  return { lines: [again, ...lines], next };
}

/** The statements of the next step, at most. */
export const statementsOf = ({ table }: Progress): number =>
  table === "changes" ? 2 + Object.keys(TABLES).length : 1;

/** Reads the next lines of a backup. */
export const readStep = (ctx: Pick<ServiceContext, "db">, ids: Ids, progress: Progress): Promise<Step> =>
  progress.table === "changes"
    ? readChanges(ctx, ids, progress)
    : readPage(ctx, ids, progress, progress.table);

/**
 * Yields the lines of a backup without the seal. It is consistent as of its last read of the audit log. Clicks, last
 * uses of keys and checks of hosts are as of when they were read.
 */
export async function* backupLines(ctx: ServiceContext, slug?: string): AsyncGenerator<string> {
  const { head, ids, progress } = await beginBackup(ctx, slug);
  yield JSON.stringify(head);
  for (let left: Progress | undefined = progress; left !== undefined; ) {
    const step: Step = await readStep(ctx, ids, left);
    yield* step.lines;
    left = step.next;
  }
}
