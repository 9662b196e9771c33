import { type ServedDomain, selectServedDomains, selectUsage } from "../../access/workspace-statements";
import type { Context, WorkspaceContext } from "../../context";
import { LostRace, retryLostRaces } from "../../errors";
import { chunksWithin } from "../../lib/chunks";
import type { Failure } from "../../lib/failure";
import { idsByTime, newId } from "../../lib/ids";
import { fold, randomSlug } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectSlugOwners } from "../../redirect/slugs/statements/slug-owners";
import { selectGroupsNamed } from "../activity-groups/group-statements";
import { selectDoneOperations } from "../audit/audit-statements";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkedHost, hostsOfLink, toRefusedHosts } from "../destinations/hosts";
import { selectTagsByIds, selectTagsByNames } from "../tags/tag-statements";
import { beginImport } from "./begin-import";
import { addressesOf } from "./choose-domain";
import { toRowErrors, UNKNOWN_GROUP } from "./link-errors";
import { keysOf, rowRules } from "./link-rules";
import type { CreateLink } from "./link-schema";
import { selectExternalIdOwners } from "./link-statements";
import { pickRequested, requestedTags, unknownTags, withTagIds } from "./requested-tags";
import { claimsOf, commitLinks } from "./write/commit";
import { type LinkChange, newSlugKeys } from "./write/link-state";
import { newState, type Resolved } from "./write/next-state";

export interface ImportRow {
  number: number;
  input: CreateLink;
  archived?: boolean;
  /** Whether the campaign is inherited. It is then taken as it is, instead of the group's current default. */
  inherited?: boolean;
  /** Further slugs that open the link. */
  old_slugs?: readonly string[];
  /** What its file says of it elsewhere: when it was made, as an ISO time in the past, and its clicks. */
  history?: { created_at?: string | null | undefined; clicks_before?: number | null | undefined };
}

export type ImportOutcome = { number: number } & (
  | { outcome: "created" | "existing"; link: string }
  | { outcome: "refused"; errors: readonly Failure[] }
);

/** Each slug is pushed to KV and settled. */
const MAX_CHUNK_SLUGS = 50;
/** Of JSON: keeps each bound parameter of a batch below 100 KB. */
const MAX_CHUNK_BYTES = 30_000;

interface SizedRow {
  input: object;
  old_slugs?: readonly string[];
}

const bytesOf = ({ input, old_slugs: old }: SizedRow): number =>
  new TextEncoder().encode(JSON.stringify([input, old])).length;

export const chunks = <Row extends SizedRow>(rows: readonly Row[]): Row[][] =>
  chunksWithin(
    rows,
    { of: ({ old_slugs: old = [] }) => 1 + old.length, max: MAX_CHUNK_SLUGS },
    { of: bytesOf, max: MAX_CHUNK_BYTES },
  );

/**
 * Creates the links of one chunk in one batch, without the rows that a rule refuses; with `isWhole` all of them or none. Rows
 * that an earlier run has created are skipped.
 */
export const importChunk = (
  ctx: Context,
  importId: string,
  rows: readonly ImportRow[],
  served: readonly ServedDomain[],
  isWhole = false,
): Promise<ImportOutcome[]> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const addressed = rows.map((row) => {
      const { input, old_slugs = [] } = row;
      const slug = input.slug ?? randomSlug(ctx.random);
      const found = addressesOf(ctx.config, { ...input, slug, old_slugs }, served);
      return { row, slug, found, operation: `${importId}.${row.number}` };
    });
    const externalIds = rows.flatMap(({ input }) => input.external_id ?? []);
    const groupNames = rows.map(({ input }) => input.activity_group_id);
    const [done, refusedHosts, claims, tagsById, tagsByName, externalIdOwners, [use], groups] =
      await ctx.db.read(
        selectDoneOperations(addressed.map(({ operation }) => operation)),
        selectRefusedHosts(rows.flatMap(({ input }) => hostsOfLink(input))),
        selectSlugOwners(workspaceId, [...new Set(addressed.flatMap(({ found }) => keysOf(found)))]),
        selectTagsByIds(workspaceId, rows.flatMap(({ input }) => input.tag_ids ?? []).map(storedId)),
        selectTagsByNames(workspaceId, rows.flatMap(({ input }) => input.tag_names ?? []).map(fold)),
        selectExternalIdOwners(workspaceId, externalIds),
        selectUsage(workspaceId),
        selectGroupsNamed(workspaceId, groupNames),
      );
    const keys = addressed.flatMap(({ found }) => keysOf(found));
    const isRandomTaken = addressed.some(({ row, found: { addresses } }) => {
      const isOfSlug = (key: string) => row.input.slug == null && key === addresses.key;
      return claims.some((claim) => isOfSlug(claim.key)) || keys.filter(isOfSlug).length > 1;
    });
    // The next attempt has others.
    if (isRandomTaken) throw new LostRace();
    const rules = { claims, refusedHosts: toRefusedHosts(refusedHosts), externalIdOwners, use };
    const problemsOf = rowRules(ctx, rules);
    const changes: LinkChange[] = [];
    const at = ctx.now();
    // Links created in one millisecond keep the order of their rows.
    const nextId = idsByTime();
    const outcomes = addressed.map(({ row, slug, found, operation }): ImportOutcome => {
      const { number, input } = row;
      const existing = done.find(({ id }) => id === operation);
      if (existing !== undefined) return { number, outcome: "existing", link: existing.subject };
      const group = groups.find(({ named }) => named === input.activity_group_id);
      const requested = requestedTags(input);
      const tags = requested?.field === "tag_names" ? tagsByName : tagsById;
      const errors = problemsOf({
        number,
        link: input,
        addressed: found,
        group: input.activity_group_id != null && group === undefined ? UNKNOWN_GROUP : undefined,
        tags: unknownTags(requested, tags),
      });
      if (errors.length > 0) return { number, outcome: "refused", errors };
      const { created_at: created, clicks_before: clicksBefore = null } = row.history ?? {};
      // Lists by creation are sorted by the id.
      const createdAt = created == null ? at : Date.parse(created);
      const id = nextId(createdAt);
      const state: Resolved = {
        group,
        zone: use?.time_zone,
        tags: pickRequested(requested, tags),
        // An import does not wait for a resolver; the schedule checks its destinations.
        ...checkedHost(ctx.config, undefined, at),
        ...(row.inherited === true &&
          group !== undefined && {
            campaign: { kind: "set", value: input.utm_campaign ?? null, origin: "inherited" },
          }),
      };
      const { domain, old } = found.addresses;
      const will = {
        ...newState(input, { domain, slug }, state, { id, at, by: ctx.actor, createdAt, clicksBefore }),
        archived_at: row.archived === true ? at : null,
      };
      changes.push({
        was: undefined,
        will,
        otherSlugs: old.map(({ key }) => key),
        input: {
          ...withTagIds(input, will.tags),
          ...row.history,
          ...(row.archived === true && { status: "archived" }),
          ...(old.length > 0 && { old_slugs: row.old_slugs }),
        },
        ...(!isWhole && { operation }),
      });
      return { number, outcome: "created", link: id };
    });
    if (changes.length < (isWhole ? rows.length : 1)) return outcomes;
    const owned = new Map(claims.map((claim) => [claim.key, claim]));
    await commitLinks(ctx, changes, {
      action: "link.create",
      at,
      zone: use?.time_zone,
      claims: changes.flatMap(newSlugKeys).flatMap((key) => claimsOf(owned.get(key), key)),
      ...(isWhole ? { batch: { id: importId, isStarted: false } } : { importId }),
    });
    return outcomes;
  });

/** More are imported from a file. */
export const MAX_SEVERAL_LINKS = 40;

/**
 * Creates links, all of them or none, in one change that can be undone as one. Returns the batch of the new links, or the errors
 * of each that is refused, by its place.
 */
export async function createSeveral(
  ctx: WorkspaceContext,
  inputs: readonly CreateLink[],
  served: readonly ServedDomain[],
) {
  ctx.db.assertRoom();
  const batch = ctx.operation ?? newId(ctx.now());
  const rows = inputs.map((input, number) => ({ number, input }));
  const outcomes = await importChunk(ctx, batch, rows, served, true);
  const refused = outcomes.flatMap((one) =>
    one.outcome === "refused" ? [[one.number, one.errors] as const] : [],
  );
  if (refused.length > 0) return { refused: new Map(refused) };
  return { batch, ids: outcomes.flatMap((one) => ("link" in one ? one.link : [])) };
}

/** Imports all rows in chunks. `id` names the import in its workspace, so a repeat creates nothing twice. */
export async function importLinks(ctx: WorkspaceContext, id: string, rows: readonly ImportRow[]) {
  const refused: { number: number; errors: ReturnType<typeof toRowErrors> }[] = [];
  let created = 0;
  let existing = 0;
  const importId = `${ctx.workspace.id}.${id}`;
  const [served] = await ctx.db.read(selectServedDomains(ctx.workspace.rowId));
  if (rows.length > 0) await beginImport(ctx, { id: importId });
  for (const chunk of chunks(rows)) {
    for (const result of await importChunk(ctx, importId, chunk, served)) {
      if (result.outcome === "refused")
        refused.push({ number: result.number, errors: toRowErrors(result.errors) });
      else if (result.outcome === "created") created++;
      else existing++;
    }
  }
  return { id, created, existing, refused };
}
