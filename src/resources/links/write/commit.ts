import { ensureDomainsServed } from "../../../access/statements";
import type { Context } from "../../../context";
import type { Guard } from "../../../db/client";
import { domainOfKey, SHORT_HOST, type SlugKey } from "../../../lib/slug-text";
import type { SlugOwnerRow } from "../../../redirect/slugs/statements/owners";
import { pushTargets } from "../../../redirect/slugs/sync";
import { toLink } from "../link";
import { assignmentStatements } from "./assignments";
import { type Operation, toAuditEntries } from "./audit";
import {
  ensureNotDone,
  ensureOnNoLiveAsset,
  ensureRoomForLinks,
  ensureRoomForSlugs,
  ensureSlugsFree,
  ensureTagsUnchanged,
  ensureUnchanged,
} from "./guards";
import { deleteRows, writeRows } from "./rows";
import { moveSearchRows } from "./search-rows";
import { selectPushedSlugs, slugStatements } from "./slugs";
import { isDeletion, type LinkChange, newSlugKeys } from "./state";
import { tagStatements } from "./tags";
import { totalsStatements } from "./totals";

interface Commit extends Operation {
  /** When the states were computed, in milliseconds. Leases in KV start at this time. */
  at: number;
  /** Keys of slugs that were unclaimed when the rules were checked. */
  unclaimed?: readonly SlugKey[];
  /** Keys of slugs that a workspace owned which had their domain before. */
  received?: readonly SlugKey[];
}

/** How a commit counts a slug whose owner was read. */
export function claimsOf(
  owner: Pick<SlugOwnerRow, "own"> | undefined,
  key: SlugKey,
): Pick<Commit, "unclaimed" | "received"> {
  if (owner === undefined) return { unclaimed: [key] };
  return owner.own === 1 ? {} : { received: [key] };
}

function guardsOf(
  workspaceId: number,
  changes: readonly LinkChange[],
  unclaimed: ReadonlySet<string>,
  { import: imported }: Commit,
): Guard[] {
  const read = changes.flatMap(({ was }) => was ?? []);
  const created = changes.filter(({ was }) => was === undefined).length;
  const shown = changes.flatMap(({ was, will }) => [...(was?.tags ?? []), ...(will?.tags ?? [])]);
  const deleted = changes.filter(isDeletion).map(({ was }) => was.id);
  const opened = changes.flatMap((change) =>
    newSlugKeys(change).map((key) => ({
      key,
      link: change.was?.id ?? null,
      isUnclaimed: unclaimed.has(key),
    })),
  );
  const added = opened.flatMap(({ key, link }) => (link === null ? [] : [{ key, link }]));
  const domains = [...new Set(opened.map(({ key }) => domainOfKey(key)))].filter(
    (domain) => domain !== SHORT_HOST,
  );
  return [
    ...(imported === undefined ? [] : [ensureNotDone(imported.operations.map(({ id }) => id))]),
    ...(read.length === 0 ? [] : [ensureUnchanged(workspaceId, read)]),
    ...(shown.length === 0 ? [] : [ensureTagsUnchanged(workspaceId, shown)]),
    ...(created === 0 ? [] : [ensureRoomForLinks(workspaceId, created)]),
    ...(deleted.length === 0 ? [] : [ensureOnNoLiveAsset(workspaceId, deleted)]),
    ...(opened.length === 0 ? [] : [ensureSlugsFree(workspaceId, opened)]),
    ...(domains.length === 0 ? [] : [ensureDomainsServed(workspaceId, domains)]),
    ...(added.length === 0 ? [] : [ensureRoomForSlugs(workspaceId, added)]),
  ];
}

/**
 * Writes changes of links, with all derived rows, in one batch and pushes affected slugs to KV. All changes of links
 * use this function. Throws LostRace if a link or limit changed since it was read.
 */
export async function commitLinks(
  ctx: Context,
  changes: readonly LinkChange[],
  commit: Commit,
): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const { at } = commit;
  const opened = new Set(changes.flatMap(newSlugKeys));
  const unclaimed = new Set((commit.unclaimed ?? []).filter((key) => opened.has(key)));
  const received = (commit.received ?? []).filter((key) => opened.has(key));
  const audit = toAuditEntries(changes, commit, { workspaceId, actor: ctx.actor, at });
  const [only, ...others] = changes;
  const answer = only?.will && others.length === 0 ? toLink(only.will, ctx.config) : undefined;
  const pushed = await ctx.db.write(
    { ...audit.head, guards: guardsOf(workspaceId, changes, unclaimed, commit), ...(answer && { answer }) },
    [
      ...audit.statements,
      ...totalsStatements(workspaceId, changes, unclaimed.size + received.length),
      ...writeRows(workspaceId, changes),
      ...deleteRows(workspaceId, changes, at),
      ...slugStatements(workspaceId, changes, at),
      ...assignmentStatements(workspaceId, changes, at),
      ...tagStatements(workspaceId, changes),
      ...moveSearchRows(workspaceId, changes),
    ],
    ...selectPushedSlugs(workspaceId, changes, unclaimed),
  );
  await pushTargets(ctx, pushed.flat(), at);
}
