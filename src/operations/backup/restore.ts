import type { ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import { selectDoneOperations } from "../../resources/audit/audit-statements";
import { indexLinks } from "../../resources/links/build-search-index";
import { selectLastLinkId } from "../../resources/links/link-statements";
import { settleDays } from "../../resources/workspaces/change-zone";
import { readMigrations } from "../applied-migrations";
import { recountStatements, updateWorkspaceTotals } from "../consistency/doctor-statements";
import { refusal, type Source, verifyFile } from "./backup-format";
import {
  assertHostsFree,
  assertSlugsFree,
  mapRows,
  type Restore,
  readRows,
  toInserts,
  writeRows,
  writeSlugs,
} from "./backup-rows";
import { TABLES } from "./backup-tables";
import {
  insertRestoreStep,
  insertRows,
  selectFirstLink,
  selectSimilarWorkspaces,
} from "./restore-repository";

const MAX_STATEMENTS = 100;

/** Recounts the totals, and indexes the links of the workspaces. */
async function recount({ ctx, rowIds }: Restore): Promise<void> {
  let from = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const rowId of rowIds.values()) {
    await ctx.db.writeGuarded(recountStatements(rowId));
    // A zone that changed while the backup was made has not moved what was read before.
    await settleDays(ctx, rowId);
    const [[own], [all]] = await ctx.db.read(selectFirstLink(rowId), selectLastLinkId());
    from = Math.min(from, own?.first ?? from);
    last = all?.last ?? 0;
  }
  // Links of other workspaces in the range are indexed again, unchanged.
  await indexLinks(ctx, from, last);
}

/** Verifies the file, and chooses its workspaces: all, or one by its slug. Throws 422. */
export async function openRestore(ctx: ServiceContext, source: Source, slug: string | undefined) {
  const checked = await verifyFile(source);
  const { head } = checked;
  const migrations = await readMigrations(ctx.db);
  if (!migrations.includes(head.schema)) {
    throw refusal(
      `${source.name} was made with the migration ${head.schema}, which the database does not have: its last is ${migrations.at(-1)}.`,
    );
  }
  const workspaces = checked.workspaces.filter((workspace) => slug === undefined || workspace.slug === slug);
  if (slug !== undefined && workspaces.length === 0) {
    const list = head.workspaces.map((name) => `"${name}"`).join(", ") || "none";
    throw refusal(`${source.name} has no workspace "${slug}"; it has ${list}.`, "workspace");
  }
  const wanted = new Set(workspaces.map(({ id }) => id));
  const restore: Restore = { ctx, source, checked, rowIds: new Map(), wanted };
  return { restore, workspaces, isOlder: migrations.at(-1) !== head.schema };
}

/** Checks everything that can prevent the restore, before anything is written. */
async function prepare(ctx: ServiceContext, source: Source, slug: string | undefined): Promise<Restore> {
  const { restore, workspaces } = await openRestore(ctx, source, slug);
  const { wanted, checked } = restore;
  const { seal } = checked;
  const begun = (id: string) => stepId(seal.sha256, id, "begin");
  const ended = (id: string) => stepId(seal.sha256, id, "end");
  const [there, done] = await ctx.db.read(
    selectSimilarWorkspaces(
      [...wanted],
      workspaces.map((workspace) => workspace.slug),
    ),
    selectDoneOperations([...wanted].flatMap((id) => [begun(id), ended(id)])),
  );
  const isDone = (id: string) => done.some((operation) => operation.id === id);
  for (const { id, public_id: publicId, slug: taken } of there) {
    if (!wanted.has(publicId) || !isDone(begun(publicId)) || isDone(ended(publicId))) {
      throw refusal(
        `The database has a workspace "${taken}" (${publicId}) already, and a restore changes none: restore into another database, or only the others with --workspace.`,
      );
    }
    restore.rowIds.set(publicId, id);
  }
  await assertSlugsFree(restore);
  await assertHostsFree(restore);
  return restore;
}

const stepId = (checksum: string, workspace: string, step: "begin" | "end"): string =>
  `restore.${checksum.slice(0, 32)}.${workspace}.${step}`;

/**
 * Restores a backup or one of its workspaces. After an interruption the same command continues, and no row is written
 * twice. Slugs are written after the links that they open, and keys last.
 */
export async function restoreFrom(ctx: ServiceContext, source: Source, slug?: string) {
  const restore = await prepare(ctx, source, slug);
  const { checked, rowIds, wanted } = restore;
  const { sha256 } = checked.seal;
  const step = (ids: readonly string[], name: "begin" | "end") =>
    insertRestoreStep(
      ids.map((id) => [stepId(sha256, id, name), id]),
      ctx.actor,
      `workspace.restore.${name}`,
      ctx.now(),
    );
  for await (const row of readRows(restore, "workspaces")) {
    const id = row.workspace ?? "";
    await ctx.db.writeGuarded([
      insertRows(TABLES.workspaces, row.columns, null, [row.values]),
      step([id], "begin"),
    ]);
    const [[made]] = await ctx.db.read(selectSimilarWorkspaces([id], []));
    if (made !== undefined) rowIds.set(id, made.id);
  }
  for (const [table, kept] of Object.entries(TABLES)) {
    if (["workspaces", "slugs", "api_keys"].includes(table)) continue;
    // Rows that belong to no workspace are restored only with the whole backup.
    const rows = mapRows(readRows(restore, table), (row) =>
      row.workspace === null && slug !== undefined ? undefined : row,
    );
    await writeRows(restore, kept, rows);
  }
  await recount(restore);
  await writeSlugs(restore);
  for (const rowId of rowIds.values()) await ctx.db.writeGuarded([updateWorkspaceTotals(rowId)]);
  await assertSlugsFree(restore);
  // The last keys and the end are one batch: clients can change data from then on, which no second run may touch.
  const keys: Statement[] = [];
  for await (const chunk of toInserts(restore, TABLES.api_keys, readRows(restore, "api_keys"))) {
    if (keys.length === MAX_STATEMENTS - 1) await ctx.db.writeGuarded(keys.splice(0));
    keys.push(...chunk);
  }
  await ctx.db.writeGuarded([...keys, step([...wanted], "end")]);
  return {
    workspaces: checked.workspaces.filter(({ id }) => wanted.has(id)).map((workspace) => workspace.slug),
    made_at: checked.head.at,
  };
}
