import { parseObject } from "../../audit/facts";
import {
  type AuditRow,
  type BatchRow,
  selectAuditEntry,
  selectBatch,
  selectNextChange,
} from "../../audit/repository";
import type { Context } from "../../context";
import { retryLostRaces, ServiceError } from "../../errors";
import { newId } from "../../lib/ids";
import { selectTagsByIds } from "../../tags/repository";
import { assertOwnBatch, MAX_LINKS_PER_COMMIT } from "../batch";
import {
  type GroupInLink,
  type LinkRow,
  selectGroupsOfLinks,
  selectLinksByIds,
  type TagInLink,
} from "../repository";
import type { Batch } from "../write/audit";
import { commitLinks } from "../write/commit";
import { nextState } from "../write/next-state";
import type { LinkChange } from "../write/state";
import { type Former, formerOf, inputOfFormer } from "./former";
import { changeNotFound, isRevertible, revertOnce } from "./revert";

/** What became of one link. `null` means that its state before the change is back. */
export interface Undone {
  slug: string;
  problem: "changed" | "undone" | "deleted" | "tag" | null;
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

/** Why the state before an entry does not come back: the link has changed since, or this was undone already. */
function laterProblem(row: BatchRow): Undone["problem"] {
  if (row.has_next === 0) return null;
  return parseObject(row.next_change)["reverted"] === row.operation_id ? "undone" : "changed";
}

/** The change back to the former state of one link; undefined if it is as it was. */
function changeBack(
  was: LinkRow,
  former: Former,
  groups: readonly GroupInLink[],
  tags: readonly TagInLink[],
  at: number,
): { change: LinkChange & { was: LinkRow }; input: object } | undefined {
  const { tagIds, groupId, campaign } = former;
  const group = groups.find(({ public_id: id }) => id === groupId);
  const known = tagIds && tags.filter(({ public_id: id }) => tagIds.includes(id));
  const input = inputOfFormer(former);
  const will = nextState(
    was,
    input,
    { ...(group && { group }), ...(known && { tags: known }), ...(campaign && { campaign }) },
    at,
  );
  if (will === undefined) return undefined;
  return {
    change: { was, will },
    input: { ...input, ...(known && { tag_ids: known.map(({ public_id: id }) => id) }) },
  };
}

/** Reads the next links of a batch with what their former states need. */
async function readPortion(ctx: Context, batch: string, after: number) {
  const workspaceId = ctx.workspace.rowId;
  const [found] = await ctx.db.read(selectBatch(workspaceId, batch, after, MAX_LINKS_PER_COMMIT + 1));
  const rows = found.slice(0, MAX_LINKS_PER_COMMIT).filter(({ action }) => isRevertible(action));
  const formers = new Map(rows.map((row) => [row.operation_id, formerOf(row)]));
  const all = [...formers.values()].flatMap((former) => former ?? []);
  const groupIds = [...new Set(all.flatMap(({ groupId }) => groupId ?? []))];
  const tagIds = [...new Set(all.flatMap(({ tagIds: ids }) => ids ?? []))];
  // The entries are read again, so that the links and their later changes are of one moment.
  const [again, links, groups, tags] = await ctx.db.read(
    selectBatch(workspaceId, batch, after, MAX_LINKS_PER_COMMIT),
    selectLinksByIds(
      workspaceId,
      rows.map(({ subject }) => subject),
    ),
    groupIds.length === 0 ? undefined : selectGroupsOfLinks(workspaceId, groupIds),
    tagIds.length === 0 ? undefined : selectTagsByIds(workspaceId, tagIds),
  );
  const last = found.length > MAX_LINKS_PER_COMMIT ? found[MAX_LINKS_PER_COMMIT - 1] : undefined;
  return {
    rows: again.filter(({ action }) => isRevertible(action)),
    formers,
    links,
    groups,
    tags,
    next: last?.id ?? null,
  };
}

/** Undoes a portion of a batch: each link that has not changed since gets its former state. */
const undoPortion = (ctx: Context, id: string, progress: UndoProgress): Promise<UndoneOperation> => {
  const batch = progress.batch ?? { id: newId(ctx.now()), isStarted: false };
  return retryLostRaces(async () => {
    const { rows, formers, links, groups, tags, next } = await readPortion(ctx, id, progress.after);
    const at = ctx.now();
    const linkOf = new Map(links.map((link) => [link.public_id, link]));
    const changes: (NonNullable<ReturnType<typeof changeBack>> & { operation: string })[] = [];
    const undone = rows.map((row): Undone => {
      const was = linkOf.get(row.subject);
      if (was === undefined) return { slug: row.subject, problem: "deleted" };
      const former = formers.get(row.operation_id);
      const problem = former === undefined ? "changed" : laterProblem(row);
      if (former === undefined || problem !== null) return { slug: was.slug, problem };
      const change = changeBack(was, former, groups, tags, at);
      if (change !== undefined) changes.push({ ...change, operation: row.operation_id });
      const lostTag = former.tagIds?.some((tag) => tags.every(({ public_id: known }) => known !== tag));
      return { slug: was.slug, problem: lostTag === true ? "tag" : null };
    });
    if (changes.length > 0) {
      await commitLinks(
        ctx,
        changes.map(({ change }) => change),
        {
          action: "link.revert",
          inputs: changes.map(({ input, operation }) => ({ ...input, reverted: operation })),
          batch,
          at,
        },
      );
    }
    return {
      links: undone,
      refused: [],
      batch: changes.length > 0 ? { id: batch.id, isStarted: true } : progress.batch,
      next,
    };
  });
};

/** Undoes the change of one link, unless the link has changed since. */
const undoSingle = (ctx: Context, { operation_id: operation, subject }: AuditRow): Promise<UndoneOperation> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[link], [later]] = await ctx.db.read(
      selectLinksByIds(workspaceId, [subject]),
      selectNextChange(workspaceId, operation),
    );
    const only = (slug: string, problem: Undone["problem"], refused: readonly string[] = []) => ({
      links: [{ slug, problem }],
      refused,
      batch: null,
      next: null,
    });
    if (link === undefined) return only(subject, "deleted");
    if (later !== undefined) {
      return only(link.slug, parseObject(later.change)["reverted"] === operation ? "undone" : "changed");
    }
    const { refused } = await revertOnce(ctx, operation, link.version);
    return only(
      link.slug,
      null,
      refused.map(({ message }) => message),
    );
  });

async function getRevertible(ctx: Context, operation: string): Promise<AuditRow> {
  const [[entry]] = await ctx.db.read(selectAuditEntry(ctx.workspace.rowId, operation));
  if (entry === undefined) throw changeNotFound();
  if (!isRevertible(entry.action)) {
    throw new ServiceError(422, { message: "A change of this kind cannot be undone." });
  }
  return entry;
}

/** Undoes the change of one link alone. The first entry of a change of many has the id of the batch. */
export const undoOfLink = async (ctx: Context, operation: string): Promise<UndoneOperation> =>
  undoSingle(ctx, await getRevertible(ctx, operation));

/**
 * Undoes the change of one link or of many, as far as the links have not changed since. One request undoes at most 250
 * links; `progress` is where the next one goes on.
 */
export async function undoOperation(
  ctx: Context,
  operation: string,
  progress: UndoProgress = { after: 0, batch: null },
): Promise<UndoneOperation> {
  const entry = await getRevertible(ctx, operation);
  if (entry.batch !== operation) return undoSingle(ctx, entry);
  if (progress.batch !== null) await assertOwnBatch(ctx, progress.batch.id, "link.revert");
  return undoPortion(ctx, operation, progress);
}
