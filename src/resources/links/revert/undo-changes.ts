import { selectServedDomains, selectUsage } from "../../../access/workspace-statements";
import type { Context } from "../../../context";
import { retryLostRaces } from "../../../errors";
import { chunksBySize, chunksWithin } from "../../../lib/chunks";
import { destinationHost } from "../../../lib/destination";
import { selectGroupsNamed } from "../../activity-groups/group-statements";
import { type AuditRow, readEntries, selectBatch, selectNextChange } from "../../audit/audit-statements";
import { parseObject } from "../../audit/field-changes";
import { isCreation, takesBack } from "../../audit/undoable";
import { checkedHost, hostsOfLink } from "../../destinations/hosts";
import { selectTagsByIds } from "../../tags/tag-statements";
import {
  assertOwnBulkChange,
  type BulkResult,
  bulkChangeAfter,
  type ChangeOutcome,
  type ChangeProgress,
  MAX_CHARACTERS_PER_CHUNK,
  MAX_LINKS_PER_COMMIT,
  newBulkChange,
  type Outcome,
} from "../bulk-change";
import { findRefusedHosts } from "../check-destinations";
import { chooseDomain } from "../choose-domain";
import { selectOutlines } from "../link-outlines-repository";
import { type LinkRow, type LinkState, selectLinksByIds } from "../link-repository";
import { externalIdProblem, valueProblems } from "../link-rules";
import { selectExternalIdOwners } from "../link-statements";
import type { BulkChange } from "../write/audit-entries";
import { commitLinks } from "../write/commit";
import { nextState } from "../write/next-state";
import { changedValues, fieldOf, toAsked, toUndoneState } from "./previous-state";
import { assertRevertible, revertOnce } from "./revert-link";

/** The version of a link that nobody has changed since its creation. */
const FIRST_VERSION = 1;

const NOTHING: ReturnType<typeof toAsked> = { asked: {}, failures: [] };

const notUndone = (message: string, outcome: "changed" | "refused" = "refused"): Outcome => ({
  outcome,
  failures: [{ field: "link", code: "state", message }],
});

const DELETED = notUndone("Deleted since.");

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

/** Selects at most so many entries, in their order, behind one if it is given. */
type SelectEntries = (most: number, after?: string) => ReturnType<typeof selectBatch>;

/** Reads the links of entries, as many as an instance can hold, with what their previous states need. */
async function readChunk(ctx: Context, select: SelectEntries, most: number, after?: string) {
  const workspaceId = ctx.workspace.rowId;
  const [found] = await ctx.db.read(selectOutlines(select(most + 1, after)));
  const [chunk = []] = chunksWithin(found.slice(0, most), {
    of: ({ size }) => size,
    max: MAX_CHARACTERS_PER_CHUNK,
  });
  const linkIds = chunk.map(({ subject }) => subject);
  const groupIds = chunk.map(({ activity_group_id: id }) => id);
  const tagIds = [...new Set(chunk.flatMap(({ tag_ids: ids }): string[] => JSON.parse(ids ?? "[]")))];
  // The entries are read again, so that the links and their later changes are of one moment.
  const [rows, links, served, groups, tags, [use]] = await ctx.db.read(
    readEntries(select(chunk.length, after)),
    selectLinksByIds(workspaceId, linkIds),
    selectServedDomains(workspaceId),
    selectGroupsNamed(workspaceId, groupIds),
    tagIds.length === 0 ? undefined : selectTagsByIds(workspaceId, tagIds),
    selectUsage(workspaceId),
  );
  const last = found.length > chunk.length ? rows.at(-1) : undefined;
  return { rows, links, served, groups, tags, zone: use?.time_zone, next: last?.operation_id ?? null };
}

type Chunk = Awaited<ReturnType<typeof readChunk>>;

const REFUSED: Readonly<Record<string, string>> = {
  destination_url: "The earlier destination is refused now.",
  external_id: "The earlier external ID is another link's.",
  ended_url: "The earlier address after the end is refused now.",
  rules: "An earlier rule is refused now.",
  preview_image_url: "The earlier picture in chats is refused now.",
};

/** The previous states of links that have not changed since, and what becomes of each link. */
async function toPrevious(ctx: Context, { links, rows, served, groups, tags, zone }: Chunk, at: number) {
  const linkOf = new Map(links.map((link) => [link.public_id, link]));
  const entries = rows.map((row) => {
    const was = linkOf.get(row.subject);
    const later = row.has_next === 1 ? { change: row.next_change } : undefined;
    const problem = was && laterProblem(row, was, later);
    const state = toUndoneState(row, ctx.config);
    const asked = was && problem === undefined ? toAsked(was, state, ctx.config) : NOTHING;
    return { row, was, state, problem, ...asked };
  });
  const hosts = [...new Set(entries.flatMap(({ asked }) => hostsOfLink(asked)))];
  const externalIds = chunksBySize(entries.flatMap(({ asked }) => asked.external_id ?? []));
  const [refused, owners] = await Promise.all([
    findRefusedHosts(ctx, hosts),
    ctx.db.read(...externalIds.map((ids) => selectExternalIdOwners(ctx.workspace.rowId, ids))),
  ]);
  const ownerOf = new Map(owners.flat().map((owner) => [owner.external_id, owner]));
  const changes: { was: LinkRow; will: LinkState; input: object }[] = [];
  const undo = ({ row, was, state, problem, asked, failures }: (typeof entries)[number]): Outcome => {
    if (was === undefined) return DELETED;
    const { campaign, tagIds } = state;
    const owner = externalIdProblem(ownerOf.get(asked.external_id ?? ""), was.public_id);
    const [broken] = [...failures, ...valueProblems(ctx, asked, was, refused, owner, zone)].filter(
      (failure) => failure !== undefined,
    );
    const domain = chooseDomain(ctx.config, asked.domain, served, was.domain);
    const message = problem ?? (broken && REFUSED[fieldOf(broken)]);
    if (message !== undefined) return notUndone(message);
    if (broken !== undefined) return { outcome: "refused", failures: [broken] };
    if (domain === undefined) return notUndone("The earlier domain is no longer one of the workspace.");
    const group = groups.find(({ public_id: id }) => id === asked.activity_group_id);
    const kept = tagIds && tags.filter(({ public_id: id }) => tagIds.includes(id));
    const lost = kept?.length === tagIds?.length ? undefined : "A tag of it has been deleted.";
    const { destination_url: url } = asked;
    const checked = url && checkedHost(ctx.config, refused.checks.get(destinationHost(url)), at);
    const will = nextState(
      was,
      asked,
      { domain, zone, hasExactDates: true, group, campaign, tags: kept, ...(checked || {}) },
      at,
    );
    if (will === undefined) return lost === undefined ? { outcome: "unchanged" } : notUndone(lost);
    const input = { ...changedValues(was, will, ctx.config), ...takesBack(row) };
    changes.push({ was, will, input });
    return lost === undefined ? { outcome: "changed" } : notUndone(lost, "changed");
  };
  const outcomes = entries.map(
    (entry): ChangeOutcome => ({ id: entry.row.subject, slug: entry.was?.slug ?? null, ...undo(entry) }),
  );
  return { outcomes, changes, hostChecks: refused.checks };
}

/** Undoes the changes of at most 250 entries, in chunks: each link that has not changed since gets its previous state. */
export async function undoEntries(
  ctx: Context,
  select: SelectEntries,
  batch: BulkChange,
): Promise<BulkResult> {
  const undone: BulkResult = { outcomes: [], batch: null, next: null };
  do {
    const left = MAX_LINKS_PER_COMMIT - undone.outcomes.length;
    const after = undone.next ?? undefined;
    const chunk = await undoChunk(ctx, select, undone.batch ?? batch, left, after);
    undone.outcomes.push(...chunk.outcomes);
    undone.batch = chunk.batch;
    undone.next = chunk.next;
  } while (undone.next !== null && undone.outcomes.length < MAX_LINKS_PER_COMMIT);
  return undone;
}

const undoChunk = (ctx: Context, select: SelectEntries, batch: BulkChange, most: number, after?: string) =>
  retryLostRaces(async () => {
    const chunk = await readChunk(ctx, select, most, after);
    const at = ctx.now();
    const { outcomes, changes, hostChecks } = await toPrevious(ctx, chunk, at);
    if (changes.length > 0) {
      const { zone } = chunk;
      await commitLinks(ctx, changes, { action: "link.revert", batch, at, zone, hostChecks });
    }
    return { outcomes, batch: bulkChangeAfter(batch, outcomes), next: chunk.next };
  });

/** Undoes the change of one link by the rules of an update, unless the link has changed since. */
const undoSingle = (ctx: Context, entry: AuditRow): Promise<BulkResult> =>
  retryLostRaces(async () => {
    const { operation_id: operation, subject } = entry;
    const [[link], [later]] = await ctx.db.read(
      selectLinksByIds(ctx.workspace.rowId, [subject]),
      selectNextChange(ctx.workspace.rowId, operation),
    );
    const only = (outcome: Outcome): BulkResult => ({
      outcomes: [{ id: subject, slug: link?.slug ?? null, ...outcome }],
      batch: null,
      next: null,
    });
    if (link === undefined) return only(DELETED);
    const problem = laterProblem(entry, link, later);
    if (problem !== undefined) return only(notUndone(problem));
    const { refused } = await revertOnce(ctx, operation, link.version);
    return only({ outcome: "changed", ...(refused.length > 0 && { failures: refused }) });
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
): Promise<BulkResult> {
  if (entry === undefined || isOfLink || !isCreation(entry)) assertRevertible(entry);
  const { operation_id: operation } = entry;
  if (isOfLink || entry.batch !== operation) return undoSingle(ctx, entry);
  await assertOwnBulkChange(ctx, batch, "link.revert");
  const select: SelectEntries = (most, behind = after) =>
    selectBatch(ctx.workspace.rowId, operation, behind, most);
  // Each chunk has an operation of its own: what is undone already is refused.
  return undoEntries({ ...ctx, operation: undefined }, select, batch ?? newBulkChange(ctx));
}
