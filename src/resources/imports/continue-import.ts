import { selectServedDomains } from "../../access/workspace-statements";
import type { Context, ServiceContext, WorkspaceContext } from "../../context";
import { LostRace, notFound } from "../../errors";
import { type Conventions, readConventions } from "../../lib/conventions";
import type { Failure } from "../../lib/failure";
import { MINUTE_MS } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { deliverSoon } from "../events/deliver-events";
import type { WorkspaceEvent } from "../events/event-kinds";
import { queueEvents, selectIsWanted } from "../events/event-statements";
import { beginImport } from "../links/begin-import";
import { chunks, type ImportRow, importChunk } from "../links/import-links";
import { importUpdates, type UpdateRow } from "../links/import-updates";
import { selectConventions } from "../links/link-statements";
import { ensureTags } from "../tags/tag-names";
import { getWorkspace } from "../workspaces/workspace-service";
import { withForAll } from "./for-all";
import type { EarlierImport, PlannedUpdate } from "./import-file";
import { findGroups } from "./import-groups";
import {
  ensureStartable,
  type ImportFile,
  selectImport,
  selectImportByDigest,
  selectRunningImports,
  updateFinished,
  updateStarted,
} from "./import-repository";
import { toCreateRow, toImportedLink, toImportedUpdate, toUpdateRow } from "./import-row";
import { countRows, type KeptRow, selectRowPage, updateOutcomes } from "./import-row-repository";
import { cellReader } from "./row-cells";
import { type AboutImport, readAbout } from "./undo-import";

/** Of the schedule. They are one chunk. */
export const ROWS_PER_RUN = 50;
/** The most that a run of the schedule sends, with what it reads. */
export const STATEMENTS_OF_RUN = 40;

/** As many as a request imports in a few seconds. */
export const ROWS_PER_REQUEST = 10 * ROWS_PER_RUN;

type Outcome = readonly [number: number, link: string | null, errors: string | null];

const refused = (number: number, errors: readonly Failure[]): Outcome => [
  number,
  null,
  JSON.stringify(errors),
];

/** Starts an import, unless another import with the same rows has started: then returns it. */
async function startUnlessImported(ctx: Context, file: ImportFile) {
  const workspaceId = ctx.workspace.rowId;
  const { public_id: id, name, digest } = file;
  const guards = [ensureStartable(workspaceId, id, digest)];
  const statements = [updateStarted(workspaceId, id, ctx.now())];
  await beginImport(ctx, { id, file: name, guards, statements }).catch((error: unknown) => {
    if (!(error instanceof LostRace)) throw error;
  });
  const [[now], [earlier]] = await ctx.db.read(
    selectImport(workspaceId, id),
    selectImportByDigest(workspaceId, digest),
  );
  if (now?.started_at !== null || earlier === undefined) return undefined;
  return { ...earlier, datesNow: readAbout(file).reading.dates?.order ?? null, namesLinks: false };
}

/** Parses rows, finds their groups and tags, and creates the missing tags. Refuses the rows that have errors. */
async function prepareRows(
  ctx: Context,
  id: string,
  rows: readonly KeptRow[],
  { forAll, reading }: AboutImport,
  conventions: Conventions,
) {
  const read = cellReader(reading);
  const parsed = rows.map((row) => {
    const { number, updates } = row;
    const cells = read(JSON.parse(row.input ?? "[]"));
    if (updates === null) {
      return {
        number,
        update: null,
        result: toImportedLink(withForAll(cells, forAll), conventions, ctx.now()),
      };
    }
    const update: PlannedUpdate = JSON.parse(updates);
    return { number, update, result: toImportedUpdate(cells) };
  });
  const links = parsed.flatMap(({ result }) => (result.ok ? [result.value] : []));
  const names = links.flatMap((link) => link.tags ?? []);
  const [groupOf, tags] = await Promise.all([
    findGroups(ctx, links),
    ensureTags(ctx, names, { importId: id }),
  ]);
  const created: ImportRow[] = [];
  const updated: UpdateRow[] = [];
  const outcomes: Outcome[] = [];
  for (const { number, update, result } of parsed) {
    const row = !result.ok
      ? result.failures
      : update === null
        ? toCreateRow(number, result.value, groupOf, tags)
        : toUpdateRow(number, result.value, update, groupOf, tags);
    if (!("input" in row)) outcomes.push(refused(number, row));
    else if ("link" in row) updated.push(row);
    else created.push(row);
  }
  return { created, updated, outcomes };
}

/** It is queued once, since the import's id is its own. */
function finishedEvent(
  { config, workspace }: Pick<WorkspaceContext, "config" | "workspace">,
  { public_id: id, name }: ImportFile,
  {
    made,
    updated,
    unchanged,
    refused,
  }: { made: number; updated: number; unchanged: number; refused: number },
): WorkspaceEvent {
  const url = `${config.baseUrl}/app/${workspace.slug}/import/${id}`;
  const data = { id, name, created: made - updated - unchanged, updated, unchanged, refused, url };
  return { id, kind: "import.finished", subject: id, data };
}

/**
 * Imports the next rows of a file; `done` is true after the last. Repeated and concurrent calls create each link once.
 * If another import has the same rows, nothing is imported and that one is returned.
 */
export async function continueImport(
  ctx: WorkspaceContext,
  path: string,
  maxRows = ROWS_PER_REQUEST,
): Promise<{ done: boolean } | { earlier: EarlierImport }> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [[file], pending, served, [workspace], [wanted]] = await ctx.db.read(
    selectImport(workspaceId, id),
    selectRowPage(workspaceId, id, "pending", { limit: maxRows + 1 }),
    selectServedDomains(workspaceId),
    selectConventions(workspaceId),
    selectIsWanted(workspaceId, "import.finished"),
  );
  if (file === undefined) throw notFound("Import");
  if (file.started_at === null) {
    const earlier = await startUnlessImported(ctx, file);
    if (earlier !== undefined) return { earlier };
  }
  if (file.finished_at !== null) return { done: true };

  const conventions = readConventions(workspace?.conventions ?? null);
  const rows = pending.slice(0, maxRows);
  const { created, updated, outcomes } = await prepareRows(ctx, id, rows, readAbout(file), conventions);
  const parts = [
    ...[...chunks(created)].map((part) => () => importChunk(ctx, id, part, served)),
    ...[...chunks(updated)].map((part) => () => importUpdates(ctx, id, part, conventions)),
  ];
  const now = parts.slice(0, Math.ceil(maxRows / ROWS_PER_RUN));
  const settle = () => updateOutcomes(workspaceId, id, JSON.stringify(outcomes.splice(0)));
  for (const part of now) {
    for (const result of await part()) {
      outcomes.push(
        result.outcome === "refused"
          ? refused(result.number, result.errors)
          : [result.number, result.link, null],
      );
    }
    await ctx.db.writeGuarded([settle()]);
  }
  const done = now.length === parts.length && pending.length <= maxRows;
  const rest = outcomes.length === 0 ? [] : [settle()];
  const isTold = done && wanted !== undefined;
  const counts = isTold ? (await ctx.db.writeGuarded(rest, countRows(workspaceId, id)))[0][0] : undefined;
  await ctx.db.writeGuarded([
    ...(isTold ? [] : rest),
    ...(done ? [updateFinished(workspaceId, id, ctx.now())] : []),
    ...(counts === undefined ? [] : queueEvents(workspaceId, [finishedEvent(ctx, file, counts)], ctx.now())),
  ]);
  if (isTold) deliverSoon(ctx, workspaceId);
  return { done };
}

/**
 * Imports the next rows of one running import. Workspaces take turns from minute to minute, so an import that fails does
 * not stop the others. An import waits if the person who started it may no longer edit links.
 */
export async function continueImports(ctx: ServiceContext) {
  if (ctx.db.statementsLeft() < STATEMENTS_OF_RUN) return { running: 0 };
  const [running] = await ctx.db.read(selectRunningImports());
  const next = running[Math.floor(ctx.now() / MINUTE_MS) % running.length];
  if (next === undefined) return { running: 0 };
  const workspace = await getWorkspace(ctx, next.workspace);
  // The entries of the audit log name the person who started the import.
  const outcome = await continueImport({ ...ctx, actor: next.actor, workspace }, next.id, ROWS_PER_RUN);
  return { running: running.length, import: next.id, done: "done" in outcome && outcome.done };
}
