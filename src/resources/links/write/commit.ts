import type { Context } from "../../../context";
import { chargeStored } from "../../../db/meter";
import type { SlugKey } from "../../../lib/slug-text";
import { writeToKv } from "../../../redirect/slugs/kv-writer";
import { isNewClaim } from "../../../redirect/slugs/slug-rules";
import type { SlugOwnerRow } from "../../../redirect/slugs/statements/slug-owners";
import type { HostChecks } from "../../destinations/hosts";
import { deliverSoon } from "../../events/deliver-events";
import { queueEvents, selectIsDue, selectIsWanted } from "../../events/event-statements";
import { toLink } from "../link";
import { type AuditedOperation, toAuditEntries } from "./audit-entries";
import { guardsOf } from "./commit-guards";
import { assignmentStatements, moveSearchRows, ruleStatements, tagStatements } from "./derived-rows";
import { eventsOf } from "./link-events";
import { deleteRows, writeRows } from "./link-rows";
import { selectPushedSlugs, slugStatements } from "./link-slugs";
import { type LinkChange, newSlugKeys, sizeOfChangedRules } from "./link-state";
import { totalsStatements } from "./link-totals";

interface Claim {
  key: SlugKey;
  /** False for a slug of a workspace that had its domain before. */
  isUnclaimed: boolean;
}

interface Commit extends AuditedOperation {
  /** When the states were computed, in milliseconds. */
  at: number;
  /** The zone of the workspace, where links get days. */
  zone?: string | undefined;
  /** The new claims among the slugs that the links open, as they were when the rules were checked. */
  claims?: readonly Claim[];
  /** What the resolver said of the hosts of rules, if it was asked. */
  hostChecks?: HostChecks;
}

/** The claim of a slug whose owner was read; none if the workspace has it already. */
export const claimsOf = (owner: SlugOwnerRow | undefined, key: SlugKey): Claim[] =>
  isNewClaim(owner) ? [{ key, isUnclaimed: owner === undefined }] : [];

/** Events of more characters are made only if the workspace has a receiver, which costs one more read of D1. */
const MAX_CHARACTERS_UNASKED = 500_000;

const charactersOf = ({ will }: LinkChange): number =>
  (will?.destination_url.length ?? 0) + (will?.rules?.length ?? 0);

async function eventsFor({ db, config, workspace }: Context, changes: readonly LinkChange[]) {
  if (changes.reduce((sum, change) => sum + charactersOf(change), 0) > MAX_CHARACTERS_UNASKED) {
    const [wanted] = await db.read(selectIsWanted(workspace.rowId));
    if (wanted.length === 0) return [];
  }
  return eventsOf(config, changes);
}

/**
 * Writes changes of links, with all derived rows, in one batch, and then the values of their slugs to KV. All changes of
 * links use this function. Throws LostRace if a link or limit changed since it was read.
 */
export async function commitLinks(
  ctx: Context,
  changes: readonly LinkChange[],
  commit: Commit,
): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const { at } = commit;
  const opened = new Set(changes.flatMap(newSlugKeys));
  const claims = (commit.claims ?? []).filter(({ key }) => opened.has(key));
  const unclaimed = new Set(claims.flatMap(({ key, isUnclaimed }) => (isUnclaimed ? [key] : [])));
  const [only, ...others] = changes;
  const answer = only?.will && others.length === 0 ? toLink(only.will, ctx.config) : undefined;
  const audited = toAuditEntries(
    changes,
    { ...commit, claims },
    {
      workspaceId,
      actor: ctx.actor,
      at,
      operation: ctx.operation,
    },
  );
  const events = await eventsFor(ctx, changes);
  const { importId } = commit;
  const many = importId === undefined ? { many: audited.batch ?? null } : { importId };
  const [isDue, ...pushed] = await ctx.db.write(
    {
      ...audited,
      guards: guardsOf(workspaceId, changes, { unclaimed, claimed: claims.length, zone: commit.zone }),
      ...(answer && { answer }),
    },
    [
      ...totalsStatements(workspaceId, changes, claims.length),
      ...writeRows(workspaceId, changes),
      ...deleteRows(workspaceId, changes, at),
      ...slugStatements(workspaceId, changes, at),
      ...assignmentStatements(workspaceId, changes, at),
      ...tagStatements(workspaceId, changes),
      ...ruleStatements(workspaceId, changes, commit.hostChecks ?? new Map(), { config: ctx.config, at }),
      ...moveSearchRows(workspaceId, changes),
      ...queueEvents(workspaceId, events, at, many),
    ],
    selectIsDue(workspaceId, at),
    ...selectPushedSlugs(workspaceId, changes, unclaimed),
  );
  chargeStored(
    ctx.meter,
    changes.reduce((sum, change) => sum + sizeOfChangedRules(change), 0),
  );
  await writeToKv(ctx, pushed.flat(), at);
  if (isDue.length > 0) deliverSoon(ctx, workspaceId);
}
