import { selectServedDomains } from "../../../access/statements";
import type { Context } from "../../../context";
import type { Statement } from "../../../db/client";
import { retryLostRaces } from "../../../errors";
import { selectGroupsByIdOrSlug } from "../../activity-groups/statements";
import { parseObject } from "../../audit/field-changes";
import { type AuditRow, type EntryWithNext, selectBatch, selectNextChange } from "../../audit/statements";
import { isCreation } from "../../audit/undoable";
import { selectTagsByIds } from "../../tags/statements";
import {
  assertOwnBatch,
  batchAfter,
  type ChangedLinks,
  type ChangeProgress,
  MAX_LINKS_PER_COMMIT,
  newBatch,
} from "../batch";
import type { ChangeOutcome, Outcome } from "../change-many";
import { chooseDomain } from "../choose-domain";
import { type LinkRow, type LinkState, selectLinksByIds } from "../repository";
import type { Batch } from "../write/audit";
import { commitLinks } from "../write/commit";
import { nextState } from "../write/next-state";
import { type Checks, checkPrevious, ruleProblem } from "./check-previous";
import { assertRevertible, type PreviousState, revertOnce, toPreviousState, toRevertChange } from "./revert";

/** The version of a link that nobody has changed since its creation. */
const FIRST_VERSION = 1;

const DELETED: Outcome = { outcome: "refused", message: "Deleted since." };
const LOST_TAG = "A tag of it has been deleted.";
const LOST_DOMAIN = "The earlier domain is no longer one of the workspace.";

/** Why a change is not undone, whatever the rules say: it is not the last of its link. */
function laterProblem(
  { action, operation_id: operation }: Pick<AuditRow, "action" | "operation_id">,
  { version }: LinkRow,
  later: { change: string | null } | undefined,
): string | undefined {
  // A takedown is an entry after the creation, but changes no version.
  const isLast = action === "link.create" ? version === FIRST_VERSION : later === undefined;
  if (isLast) return undefined;
  return parseObject(later?.change ?? null)["reverted"] === operation ? "Undone already." : "Changed since.";
}

/** Reads at most so many entries, in their order. */
type SelectEntries = (most: number) => Statement<EntryWithNext[]>;

/** Reads the links of entries, at most 250, with what their previous states need. */
async function readChunk(ctx: Context, select: SelectEntries) {
  const workspaceId = ctx.workspace.rowId;
  const [found] = await ctx.db.read(select(MAX_LINKS_PER_COMMIT + 1));
  const states = found.map((row) => toPreviousState(row, ctx.config));
  const groupIds = [...new Set(states.flatMap(({ input }) => input.activity_group_id ?? []))];
  const tagIds = [...new Set(states.flatMap((state) => state.tagIds ?? []))];
  // The entries are read again, so that the links and their later changes are of one moment.
  const [rows, links, served, groups, tags] = await ctx.db.read(
    select(MAX_LINKS_PER_COMMIT),
    selectLinksByIds(
      workspaceId,
      found.map(({ subject }) => subject),
    ),
    selectServedDomains(workspaceId),
    selectGroupsByIdOrSlug(
      workspaceId,
      groupIds.map((id) => [id, id]),
    ),
    tagIds.length === 0 ? undefined : selectTagsByIds(workspaceId, tagIds),
  );
  const last = found.length > MAX_LINKS_PER_COMMIT ? rows.at(-1) : undefined;
  return { rows, links, served, groups, tags, next: last?.operation_id ?? null };
}

type Chunk = Awaited<ReturnType<typeof readChunk>>;

/** The state before the change. */
function previousOf(
  was: LinkRow,
  { input, campaign, tagIds }: PreviousState,
  { groups, tags }: Pick<Chunk, "groups" | "tags">,
  { destinations }: Checks,
  at: number,
  domain: string | undefined,
): { will: LinkState | undefined; hasLostTag: boolean } {
  const isMoved = input.destination_url !== undefined && input.destination_url !== was.destination_url;
  const found = isMoved ? destinations.get(input.destination_url ?? "")?.found : undefined;
  const group = groups.find(({ public_id: id }) => id === input.activity_group_id);
  const kept = tagIds && tags.filter(({ public_id: id }) => tagIds.includes(id));
  const will = nextState(was, input, { domain, group, campaign, tags: kept, ...found }, at);
  return { will, hasLostTag: kept?.length !== tagIds?.length };
}

/** The previous states of links that have not changed since, and what becomes of each link. */
async function toPrevious(ctx: Context, chunk: Chunk, at: number) {
  const linkOf = new Map(chunk.links.map((link) => [link.public_id, link]));
  const entries = chunk.rows.map((row) => {
    const was = linkOf.get(row.subject);
    const later = row.has_next === 1 ? { change: row.next_change } : undefined;
    const problem = was && laterProblem(row, was, later);
    return { row, was, state: toPreviousState(row, ctx.config), problem };
  });
  const checks = await checkPrevious(
    ctx,
    entries.flatMap(({ was, state, problem }) =>
      was === undefined || problem !== undefined ? [] : [{ was, state }],
    ),
  );
  const changes: { was: LinkRow; will: LinkState; input: object }[] = [];
  const undo = ({ row, was, state, problem }: (typeof entries)[number]): Outcome => {
    if (was === undefined) return DELETED;
    const domain = chooseDomain(ctx.config, state.input.domain, chunk.served, was.domain);
    const lost = domain === undefined ? LOST_DOMAIN : undefined;
    const message = problem ?? ruleProblem(was, state.input, checks) ?? lost;
    if (message !== undefined) return { outcome: "refused", message };
    const { will, hasLostTag } = previousOf(was, state, chunk, checks, at, domain);
    if (will === undefined)
      return hasLostTag ? { outcome: "refused", message: LOST_TAG } : { outcome: "unchanged" };
    changes.push({ was, will, input: toRevertChange(was, will, row.operation_id, ctx.config) });
    return { outcome: "changed", ...(hasLostTag && { message: LOST_TAG }) };
  };
  const outcomes = entries.map(
    (entry): ChangeOutcome => ({ id: entry.row.subject, slug: entry.was?.slug ?? null, ...undo(entry) }),
  );
  return { outcomes, changes };
}

/** Undoes the changes of a chunk of entries: each link that has not changed since gets its previous state. */
export const undoEntries = (ctx: Context, select: SelectEntries, batch: Batch): Promise<ChangedLinks> =>
  retryLostRaces(async () => {
    const chunk = await readChunk(ctx, select);
    const at = ctx.now();
    const { outcomes, changes } = await toPrevious(ctx, chunk, at);
    if (changes.length > 0) await commitLinks(ctx, changes, { action: "link.revert", batch, at });
    return { outcomes, batch: batchAfter(batch, outcomes), next: chunk.next };
  });

/** Undoes the change of one link by the rules of an update, unless the link has changed since. */
const undoSingle = (ctx: Context, entry: AuditRow): Promise<ChangedLinks> =>
  retryLostRaces(async () => {
    const { operation_id: operation, subject } = entry;
    const [[link], [later]] = await ctx.db.read(
      selectLinksByIds(ctx.workspace.rowId, [subject]),
      selectNextChange(ctx.workspace.rowId, operation),
    );
    const only = (outcome: Outcome): ChangedLinks => ({
      outcomes: [{ id: subject, slug: link?.slug ?? null, ...outcome }],
      batch: null,
      next: null,
    });
    if (link === undefined) return only(DELETED);
    const problem = laterProblem(entry, link, later);
    if (problem !== undefined) return only({ outcome: "refused", message: problem });
    const { refused } = await revertOnce(ctx, operation, link.version);
    return only({ outcome: "changed", message: refused.map(({ message }) => message).join(" ") });
  });

/**
 * Undoes the change of one link or of many, as far as the links have not changed since. One request undoes at most 250
 * links; `progress` is where the next one goes on. `isOfLink` undoes one link alone: the first entry of a change of many has
 * the id of the batch.
 */
export async function undoOperation(
  ctx: Context,
  entry: AuditRow | undefined,
  { after = "", batch }: ChangeProgress = { batch: null },
  isOfLink = false,
): Promise<ChangedLinks> {
  if (entry === undefined || isOfLink || !isCreation(entry)) assertRevertible(entry);
  const { operation_id: operation } = entry;
  if (isOfLink || entry.batch !== operation) return undoSingle(ctx, entry);
  if (batch !== null) await assertOwnBatch(ctx, batch.id, "link.revert");
  const select = (most: number) => selectBatch(ctx.workspace.rowId, operation, after, most);
  return undoEntries(ctx, select, batch ?? newBatch(ctx));
}
