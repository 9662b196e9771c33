import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import {
  deleteTotals,
  recountTotals,
  recountWorkspace,
  renewCopies,
  renewTakedowns,
} from "../doctor/repository";
import { invalid } from "../errors";
import { indexChunk, lastLinkId } from "../links/search";
import { sweep } from "../slugs/sync";
import { checkFile, refused, type Source } from "./format";
import { migrationsOf } from "./migrations";
import {
  firstLinkOf,
  insertRows,
  markTombstones,
  operationsDone,
  pushSlugs,
  restoreStep,
  unmarkSlugs,
  workspacesLike,
} from "./repository";
import {
  assertSlugsFree,
  insertsOf,
  mapped,
  type Restore,
  rowsOf,
  unwritten,
  write,
  writeSlugs,
} from "./rows";
import { CHANGED_WITH, KEPT } from "./tables";

const MOST_STATEMENTS = 100;
/** The migration from which on a slug says that it is taken down. */
const FIRST_SCHEMA_WITH_MARKS = "0006";

/** KV may have values of these slugs from before: those alone are written anew. Returns how many were. */
async function pushWhatKvHas({ ctx, rowIds }: Restore): Promise<number> {
  const at = ctx.now();
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown, string> = await ctx.kv.list({ cursor });
    const keys = page.keys.map(({ name }) => name);
    const marks = [...rowIds.values()].map((rowId) => pushSlugs(rowId, keys, at));
    for (let from = 0; from < marks.length; from += 10)
      await ctx.db.writeUnaudited(...marks.slice(from, from + 10));
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return (await sweep(ctx)).pushed;
}

/** Counts and indexes what the workspaces have by now. */
async function recount({ ctx, rowIds }: Restore): Promise<void> {
  let from = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const rowId of rowIds.values()) {
    await ctx.db.writeUnaudited(
      renewCopies(rowId),
      deleteTotals(rowId),
      recountTotals(rowId),
      recountWorkspace(rowId),
    );
    const [[own], [all]] = await ctx.db.read(firstLinkOf(rowId), lastLinkId);
    from = Math.min(from, own?.first ?? from);
    last = all?.last ?? 0;
  }
  // Others' links among them are indexed again as they are.
  while (from <= last) {
    const { statement, next } = indexChunk(from);
    await ctx.db.writeUnaudited(statement);
    from = next;
  }
}

/** Counts the claims; for a backup from before slugs were marked as taken down, the links and the audit log say which are. */
async function completeSlugs({ ctx, checked, rowIds }: Restore): Promise<void> {
  const isUnmarked = checked.head.schema < FIRST_SCHEMA_WITH_MARKS;
  for (const rowId of rowIds.values()) {
    await ctx.db.writeUnaudited(
      ...(isUnmarked ? [unmarkSlugs(rowId), markTombstones(rowId)] : []),
      renewTakedowns(rowId),
      recountWorkspace(rowId),
    );
  }
}

/** Refuses what must not be restored, before anything is written; returns the restore. */
async function prepare(ctx: ServiceContext, source: Source, slug: string | undefined): Promise<Restore> {
  const checked = await checkFile(source, CHANGED_WITH);
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
    await ctx.db.writeUnaudited(
      insertRows(KEPT.workspaces, row.columns, null, [row.values]),
      step([id], "begin"),
    );
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
  await completeSlugs(restore);
  await assertSlugsFree(restore);
  const pushed = await pushWhatKvHas(restore);
  // The last keys and the end in one batch: from then on clients make changes, which no second run may touch.
  const keys: Statement[] = [];
  for await (const portion of insertsOf(restore, KEPT.api_keys, rowsOf(restore, "api_keys"))) {
    if (keys.length === MOST_STATEMENTS - 1) await ctx.db.writeUnaudited(...keys.splice(0));
    keys.push(portion);
  }
  await ctx.db.writeUnaudited(...keys, step([...wanted], "end"));
  return {
    workspaces: checked.workspaces.filter(({ id }) => wanted.has(id)).map((workspace) => workspace.slug),
    made_at: checked.head.at,
    pushed_to_kv: pushed,
  };
}
