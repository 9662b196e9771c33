import { type ServedDomain, selectServedDomains, selectUsage } from "../../access/statements";
import type { Context } from "../../context";
import { type FieldError, retryLostRaces, SLUG_TAKEN } from "../../errors";
import { idsInOrder } from "../../lib/ids";
import { storedWindow } from "../../lib/link-fields";
import { fold, randomSlug, type SlugKey, slugKey } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { oldSlugTaken, oldSlugTakenDown } from "../../redirect/slugs/errors";
import { isNewClaim, slugProblem } from "../../redirect/slugs/rules";
import { selectSlugOwners } from "../../redirect/slugs/statements/owners";
import { type ActivityGroupRow, selectGroupsByIdOrSlug } from "../activity-groups/statements";
import { hostProblem, hostsAbove, toRefusedHosts } from "../destinations/rules";
import { selectRefusedHosts } from "../destinations/statements";
import { selectTagsByIds, selectTagsByNames } from "../tags/statements";
import { addressesOf } from "./choose-domain";
import { linkLimitReached, type RowError, toRowErrors, UNKNOWN_GROUP } from "./errors";
import { selectDoneOperations } from "./repository";
import { pickRequested, requestedTags, unknownTags, withTagIds } from "./requested-tags";
import { claimProblem, endProblem, externalIdProblem } from "./rules";
import type { CreateLink } from "./schema";
import { selectExternalIdOwners } from "./statements";
import { commitLinks } from "./write/commit";
import { type Found, newState } from "./write/next-state";
import type { LinkChange } from "./write/state";

/** One row of an import, numbered as in its file. */
export interface ImportRow {
  number: number;
  input: CreateLink;
  archived?: boolean;
  /** Whether the campaign is inherited. It is then taken as it is, instead of the group's current default. */
  inherited?: boolean;
  /** Further slugs that open the link. */
  old_slugs?: readonly string[];
}

/** The result of a row; `existing` means that an earlier run created the link. */
type ImportOutcome = { number: number } & (
  | { outcome: "created" | "existing"; link: string }
  | { outcome: "refused"; errors: readonly RowError[] }
);

/** Each slug is pushed to KV and settled. */
const MAX_CHUNK_SLUGS = 50;
/** Of JSON: keeps each bound parameter of a batch below 100 KB. */
const MAX_CHUNK_BYTES = 30_000;

const auditedInput = (
  { input, archived, old_slugs: old = [] }: ImportRow,
  tags: readonly { public_id: string }[],
) => ({
  ...withTagIds(input, tags),
  ...(archived === true && { status: "archived" }),
  ...(old.length > 0 && { old_slugs: old }),
});

/** Converts the error of a slug to that of an old slug. */
export const oldSlugProblem = (slug: string, problem: FieldError | undefined): FieldError | undefined =>
  problem && (problem.code === "taken_down" ? oldSlugTakenDown : oldSlugTaken)(slug);

/** Splits rows into chunks that fit a batch. */
export function* chunks(rows: readonly ImportRow[]): Generator<ImportRow[]> {
  let chunk: ImportRow[] = [];
  let bytes = 0;
  let slugs = 0;
  for (const row of rows) {
    const opening = 1 + (row.old_slugs?.length ?? 0);
    const size = new TextEncoder().encode(JSON.stringify([row.input, row.old_slugs])).length;
    if (chunk.length > 0 && (slugs + opening > MAX_CHUNK_SLUGS || bytes + size > MAX_CHUNK_BYTES)) {
      yield chunk;
      chunk = [];
      bytes = 0;
      slugs = 0;
    }
    chunk.push(row);
    bytes += size;
    slugs += opening;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Creates the links of one chunk in one batch, without the rows that a rule refuses. Rows that an earlier run has
 * created are skipped.
 */
export const importChunk = (
  ctx: Context,
  importId: string,
  rows: readonly ImportRow[],
  served: readonly ServedDomain[],
): Promise<ImportOutcome[]> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const operationOf = ({ number }: ImportRow) => `${importId}.${number}`;
    const addressed = rows.map(({ input, old_slugs = [] }) => {
      const slug = input.slug ?? randomSlug(ctx.random);
      const { addresses, problems } = addressesOf(ctx.config, { ...input, slug, old_slugs }, served);
      const keys = [slugKey(addresses.domain, slug), ...addresses.old.map(({ key }) => key)];
      return { ...addresses, slug, keys, problems };
    });
    const groupNames = [...new Set(rows.flatMap(({ input }) => input.activity_group_id ?? []))];
    const [done, refusedHosts, claims, tagsById, tagsByName, owners, [use], groups] = await ctx.db.read(
      selectDoneOperations(rows.map(operationOf)),
      selectRefusedHosts(hostsAbove(rows.flatMap(({ input }) => [input.destination_url, input.ended_url]))),
      selectSlugOwners(workspaceId, [...new Set(addressed.flatMap(({ keys }) => keys))]),
      selectTagsByIds(workspaceId, rows.flatMap(({ input }) => input.tag_ids ?? []).map(storedId)),
      selectTagsByNames(workspaceId, rows.flatMap(({ input }) => input.tag_names ?? []).map(fold)),
      selectExternalIdOwners(
        workspaceId,
        rows.flatMap(({ input }) => input.external_id ?? []),
      ),
      selectUsage(workspaceId),
      groupNames.length === 0
        ? undefined
        : selectGroupsByIdOrSlug(
            workspaceId,
            groupNames.map((name) => [storedId(name), name]),
          ),
    );
    const limit = use?.link_limit ?? null;
    const refused = toRefusedHosts(refusedHosts);
    const taken = new Set<SlugKey>();
    const takenIds = new Map(owners.map((link) => [link.external_id, { id: link.id }]));
    const claimOf = new Map(claims.map((claim) => [claim.key, claim]));
    const problemOf = (key: SlugKey): FieldError | undefined => {
      const claim = claimOf.get(key);
      return taken.has(key) ? SLUG_TAKEN : slugProblem(claim === undefined ? [] : [claim], null);
    };
    let newClaims = 0;
    const made: { row: ImportRow; change: LinkChange }[] = [];
    const at = ctx.now();
    // Links created in one millisecond keep the order of their rows.
    const nextId = idsInOrder();
    const outcomes = rows.map((row, index): ImportOutcome => {
      const { number, input } = row;
      const existing = done.find(({ id }) => id === operationOf(row));
      if (existing !== undefined) return { number, outcome: "existing", link: existing.link };
      const address = addressed[index];
      if (address === undefined) throw new Error("a row without an address");
      const { domain, slug, old, keys } = address;
      const more = keys.filter((key) => isNewClaim(claimOf.get(key))).length;
      const group: ActivityGroupRow | undefined = groups.find(
        ({ named }) => named === input.activity_group_id,
      );
      const requested = requestedTags(input);
      const tags = requested?.field === "tag_names" ? tagsByName : tagsById;
      const errors = [
        hostProblem(ctx, "destination_url", input.destination_url, refused),
        problemOf(slugKey(domain, slug)),
        ...address.problems,
        ...old.map((one) => oldSlugProblem(one.address, problemOf(one.key))),
        input.activity_group_id != null && group === undefined ? UNKNOWN_GROUP : undefined,
        externalIdProblem(takenIds.get(input.external_id ?? ""), undefined),
        endProblem(storedWindow(input)),
        hostProblem(ctx, "ended_url", input.ended_url, refused),
        ...unknownTags(requested, tags),
        use !== undefined && limit !== null && use.active_links + use.archived_links + made.length >= limit
          ? linkLimitReached(limit)
          : undefined,
        claimProblem(use, newClaims + more),
      ].filter((error) => error !== undefined);
      if (errors.length > 0) return { number, outcome: "refused", errors: toRowErrors(errors) };
      newClaims += more;
      for (const key of keys) taken.add(key);
      const id = nextId(at);
      if (input.external_id != null) takenIds.set(input.external_id, { id });
      const found: Found = {
        group,
        tags: pickRequested(requested, tags),
        // An import does not wait for a resolver; the schedule checks its destinations.
        checkAt: ctx.config.resolver === null ? null : at,
        ...(row.inherited === true &&
          group !== undefined && {
            campaign: { kind: "restore", value: input.utm_campaign ?? null, origin: "inherited" },
          }),
      };
      const will = {
        ...newState(input, { domain, slug }, found, { id, at }),
        archived_at: row.archived === true ? at : null,
      };
      made.push({ row, change: { was: undefined, will, otherSlugs: keys.slice(1) } });
      return { number, outcome: "created", link: id };
    });
    if (made.length === 0) return outcomes;
    await commitLinks(
      ctx,
      made.map(({ change }) => change),
      {
        action: "link.create",
        at,
        unclaimed: [...taken].filter((key) => !claimOf.has(key)),
        received: [...taken].filter((key) => claimOf.has(key) && isNewClaim(claimOf.get(key))),
        import: {
          id: importId,
          operations: made.map(({ row, change }) => ({
            id: operationOf(row),
            input: auditedInput(row, change.will?.tags ?? []),
          })),
        },
      },
    );
    return outcomes;
  });

/** Imports all rows in chunks. `id` names the import in its workspace, so a repeat creates nothing twice. */
export async function importLinks(ctx: Context, id: string, rows: readonly ImportRow[]) {
  const refused: { number: number; errors: readonly RowError[] }[] = [];
  let created = 0;
  let existing = 0;
  const [served] = await ctx.db.read(selectServedDomains(ctx.workspace.rowId));
  for (const chunk of chunks(rows)) {
    for (const result of await importChunk(ctx, `${ctx.workspace.id}.${id}`, chunk, served)) {
      if (result.outcome === "refused") refused.push({ number: result.number, errors: result.errors });
      else if (result.outcome === "created") created++;
      else existing++;
    }
  }
  return { id, created, existing, refused };
}
