import { selectWorkspaceBySlug, selectWorkspaces } from "../../access/workspace-statements";
import type { ServiceContext } from "../../context";
import { workspaceNotFound } from "../../errors";
import { isoTime } from "../../lib/time";
import { readMigrations } from "../health-endpoint";
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

/** Yields the lines of rows: a section line before the first row of each workspace. */
function* toLines(
  kept: TableInBackup,
  rows: readonly ReadRow[],
  ids: ReadonlyMap<number, string>,
): Generator<string> {
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

/**
 * Yields the lines of a backup without the seal. It is consistent as of its last read of the audit log. Clicks, last
 * uses of keys and checks of hosts are as of when they were read.
 */
export async function* backupLines(ctx: ServiceContext, slug?: string): AsyncGenerator<string> {
  const [workspaces, [audit]] = await ctx.db.read(
    slug === undefined ? selectWorkspaces() : selectWorkspaceBySlug(slug),
    selectLastAuditId(),
  );
  if (slug !== undefined && workspaces.length === 0) throw workspaceNotFound();
  const ids = new Map(workspaces.map((workspace) => [workspace.id, workspace.public_id]));
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
  yield JSON.stringify(head);

  async function* wholeTable(
    kept: TableInBackup,
    isRead: (place: string | number) => boolean,
  ): AsyncGenerator<string> {
    let after: (string | number)[] = [];
    for (;;) {
      const [page] = await ctx.db.read(selectTablePage(kept, coverage, after, ROWS_PER_PAGE));
      const rows = page.filter((row) => isRead(row[cursorColumn(0)] ?? 0));
      yield* toLines(kept, rows, ids);
      const last = page.at(-1);
      if (last === undefined || rows.length < ROWS_PER_PAGE) return;
      after = kept.order.map((_, index) => last[cursorColumn(index)] ?? "");
    }
  }

  const belonging = Object.values(TABLES).filter(
    (kept) => kept !== TABLES.blocked_hosts || slug === undefined,
  );
  for (const kept of belonging) if (kept !== TABLES.audit_log) yield* wholeTable(kept, () => true);

  const changing = belonging.filter((kept) => kept.changedWith !== null);
  const begun = audit?.last ?? 0;
  let seen = begun;
  for (let isExact = false; !isExact; ) {
    const [peek] = await ctx.db.read(selectSubjectsSince(seen, MAX_CHANGES + 1));
    if (peek.length === 0) break;
    isExact = peek.length <= MAX_CHANGES;
    const page = peek.slice(0, MAX_CHANGES);
    // Rows selected by the log in its own transaction cannot have an unknown change.
    const changed = isExact
      ? { since: seen, begun }
      : { names: [...new Set(page.map(({ subject }) => subject))] };
    const [subjects, ...tables] = await ctx.db.read(
      selectSubjectsSince(seen, isExact ? -1 : MAX_CHANGES),
      ...changing.map((kept) => selectChangedRows(kept, coverage, changed)),
    );
    yield JSON.stringify({ again: [...new Set(subjects.map(({ subject }) => subject))] });
    for (const [index, kept] of changing.entries()) yield* toLines(kept, tables[index] ?? [], ids);
    seen = subjects.at(-1)?.id ?? seen;
  }
  yield* wholeTable(TABLES.audit_log, (id) => Number(id) <= seen);
}
