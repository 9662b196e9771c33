import type { Context } from "../../../context";
import type { Statement } from "../../../db/client";
import { retryLostRaces } from "../../../errors";
import { newId } from "../../../lib/ids";
import { domainNamed } from "../../../lib/short-url";
import { parseObject } from "../../audit/field-changes";
import {
  type AuditRow,
  type BatchRow,
  selectBatch,
  selectNextChange,
  selectOperations,
} from "../../audit/statements";
import { selectTagsByIds } from "../../tags/statements";
import { archiveUnchanged } from "../archive-unchanged";
import { assertOwnBatch, MAX_LINKS_PER_COMMIT } from "../batch";
import { type LinkRow, type LinkState, selectGroupsOfLinks, selectLinksByIds } from "../repository";
import type { Batch } from "../write/audit";
import { commitLinks } from "../write/commit";
import { nextState } from "../write/next-state";
import { type Checks, checkPrevious, ruleProblem } from "./check-previous";
import {
  assertRevertible,
  findEntry,
  getRevertible,
  isRevertible,
  type PreviousState,
  revertOnce,
  toPreviousState,
  toRevertChange,
} from "./revert";

/** What became of one link. `null` means that its state before the change is back. */
export interface Undone {
  slug: string;
  problem: "changed" | "undone" | "deleted" | "destination" | "external_id" | "tag" | null;
}

export interface UndoneOperation {
  links: readonly Undone[];
  /** Why fields of a single link could not come back. */
  refused: readonly string[];
  /** The batch of the undo, to be continued or undone; null if nothing was changed. */
  batch: Batch | null;
  /** Where the next request goes on; null at the end. */
  next: number | null;
}

/** Where an undo of many links goes on, and the batch that it has begun. */
export interface UndoProgress {
  after: number;
  batch: Batch | null;
}

/** Why the state before an operation does not come back: the link has changed since, or this was undone already. */
const problemOf = (laterChange: string | null, operation: string): Undone["problem"] =>
  parseObject(laterChange)["reverted"] === operation ? "undone" : "changed";

/** Reads the links of entries, at most 250, with what their previous states need. */
async function readChunk(ctx: Context, select: (most: number) => Statement<BatchRow[]>) {
  const workspaceId = ctx.workspace.rowId;
  const [found] = await ctx.db.read(select(MAX_LINKS_PER_COMMIT + 1));
  const states = found.map((row) => toPreviousState(row, ctx.config));
  const groupIds = [...new Set(states.flatMap(({ input }) => input.activity_group_id ?? []))];
  const tagIds = [...new Set(states.flatMap((state) => state.tagIds ?? []))];
  // The entries are read again, so that the links and their later changes are of one moment.
  const [rows, links, groups, tags] = await ctx.db.read(
    select(MAX_LINKS_PER_COMMIT),
    selectLinksByIds(
      workspaceId,
      found.map(({ subject }) => subject),
    ),
    groupIds.length === 0 ? undefined : selectGroupsOfLinks(workspaceId, groupIds),
    tagIds.length === 0 ? undefined : selectTagsByIds(workspaceId, tagIds),
  );
  const last = found.length > MAX_LINKS_PER_COMMIT ? rows.at(-1) : undefined;
  return { rows, links, groups, tags, next: last?.id ?? null };
}

type Chunk = Awaited<ReturnType<typeof readChunk>>;

/** The state before the change. */
function previousOf(
  was: LinkRow,
  { input, campaign, tagIds }: PreviousState,
  { groups, tags }: Pick<Chunk, "groups" | "tags">,
  { destinations }: Checks,
  at: number,
  { config }: Pick<Context, "config">,
): { will: LinkState | undefined; hasLostTag: boolean } {
  const isMoved = input.destination_url !== undefined && input.destination_url !== was.destination_url;
  const found = isMoved ? destinations.get(input.destination_url ?? "")?.found : undefined;
  const group = groups.find(({ public_id: id }) => id === input.activity_group_id);
  const kept = tagIds && tags.filter(({ public_id: id }) => tagIds.includes(id));
  const domain = input.domain === undefined ? undefined : domainNamed(config, input.domain);
  const will = nextState(was, input, { domain, group, campaign, tags: kept, ...found }, at);
  return { will, hasLostTag: kept?.length !== tagIds?.length };
}

/** The previous states of links that have not changed since, and what becomes of each link. */
async function toPrevious(ctx: Context, chunk: Chunk, at: number) {
  const linkOf = new Map(chunk.links.map((link) => [link.public_id, link]));
  const entries = chunk.rows
    .filter(({ action }) => isRevertible(action))
    .map((row) => ({ row, was: linkOf.get(row.subject), state: toPreviousState(row, ctx.config) }));
  const checks = await checkPrevious(
    ctx,
    entries.flatMap(({ row, was, state }) =>
      was === undefined || row.has_next === 1 ? [] : [{ was, state }],
    ),
  );
  const changes: { was: LinkRow; will: LinkState; input: object }[] = [];
  const links = entries.map(({ row, was, state }): Undone => {
    const { subject, operation_id: operation } = row;
    if (was === undefined) return { slug: subject, problem: "deleted" };
    if (row.has_next === 1) return { slug: was.slug, problem: problemOf(row.next_change, operation) };
    const problem = ruleProblem(was, state.input, checks);
    if (problem !== undefined) return { slug: was.slug, problem };
    const { will, hasLostTag } = previousOf(was, state, chunk, checks, at, ctx);
    if (will !== undefined)
      changes.push({ was, will, input: toRevertChange(was, will, operation, ctx.config) });
    return { slug: was.slug, problem: hasLostTag ? "tag" : null };
  });
  return { links, changes };
}

/** The links that operations have changed, at most 250, with the previous states of those that have not changed since. */
export async function previousStates(ctx: Context, operations: readonly string[]) {
  if (operations.length === 0) return { links: [], changes: [] };
  const chunk = await readChunk(ctx, () => selectOperations(ctx.workspace.rowId, operations));
  return { links: chunk.links, changes: (await toPrevious(ctx, chunk, ctx.now())).changes };
}

/** Undoes a chunk of a batch: each link that has not changed since gets its previous state. */
const undoChunk = (ctx: Context, id: string, progress: UndoProgress): Promise<UndoneOperation> => {
  const batch = progress.batch ?? { id: newId(ctx.now()), isStarted: false };
  return retryLostRaces(async () => {
    const chunk = await readChunk(ctx, (most) => selectBatch(ctx.workspace.rowId, id, progress.after, most));
    const at = ctx.now();
    const { links, changes } = await toPrevious(ctx, chunk, at);
    if (changes.length > 0) await commitLinks(ctx, changes, { action: "link.revert", batch, at });
    return {
      links,
      refused: [],
      batch: changes.length > 0 ? { ...batch, isStarted: true } : progress.batch,
      next: chunk.next,
    };
  });
};

/** Undoes the change of one link by the rules of an update, unless the link has changed since. */
const undoSingle = (ctx: Context, { operation_id: operation, subject }: AuditRow): Promise<UndoneOperation> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[link], [later]] = await ctx.db.read(
      selectLinksByIds(workspaceId, [subject]),
      selectNextChange(workspaceId, operation),
    );
    const only = (problem: Undone["problem"], refused: readonly { message: string }[] = []) => ({
      links: [{ slug: link?.slug ?? subject, problem }],
      refused: refused.map(({ message }) => message),
      batch: null,
      next: null,
    });
    if (link === undefined) return only("deleted");
    if (later !== undefined) return only(problemOf(later.change, operation));
    return only(null, (await revertOnce(ctx, operation, link.version)).refused);
  });

/** Undoes the change of one link alone. The first entry of a change of many has the id of the batch. */
export const undoOfLink = async (ctx: Context, operation: string): Promise<UndoneOperation> =>
  undoSingle(ctx, await getRevertible(ctx, operation));

/** Whether an entry is the first of links that were created together. An import has an entry of its own before them. */
export const isCreation = (
  { action, batch }: Pick<AuditRow, "action" | "batch">,
  operation: string,
): boolean => action === "link.create" && batch === operation;

/** Archives the links that were created together, those that nobody has changed since. Nothing that was printed breaks. */
const undoCreation = (ctx: Context, operation: string): Promise<UndoneOperation> =>
  retryLostRaces(async () => {
    const [rows] = await ctx.db.read(selectBatch(ctx.workspace.rowId, operation, 0, MAX_LINKS_PER_COMMIT));
    const batch = { id: newId(ctx.now()), isStarted: false };
    const ids = rows.map(({ subject }) => subject);
    const { links, archived, changed } = await archiveUnchanged(ctx, ids, batch);
    const linkOf = new Map(links.map((link) => [link.public_id, link]));
    return {
      links: ids.map((id): Undone => {
        const link = linkOf.get(id);
        if (link === undefined) return { slug: id, problem: "deleted" };
        const problem = link.archived_at === null ? "changed" : "undone";
        return { slug: link.slug, problem: changed.has(id) ? problem : null };
      }),
      refused: [],
      batch: archived > 0 ? { ...batch, isStarted: true } : null,
      next: null,
    };
  });

/**
 * Undoes the change of one link or of many, as far as the links have not changed since. One request undoes at most 250
 * links; `progress` is where the next one goes on.
 */
export async function undoOperation(
  ctx: Context,
  operation: string,
  progress: UndoProgress = { after: 0, batch: null },
  known?: AuditRow,
): Promise<UndoneOperation> {
  const entry = known ?? (await findEntry(ctx, operation));
  if (entry !== undefined && isCreation(entry, operation)) return undoCreation(ctx, operation);
  assertRevertible(entry);
  if (entry.batch !== operation) return undoSingle(ctx, entry);
  if (progress.batch !== null) await assertOwnBatch(ctx, progress.batch.id, "link.revert");
  return undoChunk(ctx, operation, progress);
}
