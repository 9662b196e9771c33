import { type ServedDomain, selectUsage } from "../../access/statements";
import type { Context } from "../../context";
import type { FieldError } from "../../errors";
import { chunksBySize } from "../../lib/chunks";
import { destinationHost } from "../../lib/destination";
import { MAX_TAGS_ON_LINK, storedWindow } from "../../lib/link-fields";
import { type SlugKey, spellings } from "../../lib/slug-text";
import { isNewClaim, slugProblem } from "../../redirect/slugs/rules";
import { selectSlugOwners } from "../../redirect/slugs/statements/owners";
import { hostProblem, toRefusedHosts } from "../destinations/rules";
import { selectRefusedAbove } from "../destinations/statements";
import { addressesOf } from "../links/choose-domain";
import { linkLimitReached, TOO_MANY_TAGS } from "../links/errors";
import { oldSlugProblem } from "../links/import";
import { claimProblem, endProblem, externalIdProblem } from "../links/rules";
import { selectExternalIdOwners } from "../links/statements";
import { MAX_TAGS, TAG_LIMIT_REACHED } from "../tags/errors";
import { selectTags, type TagRow } from "../tags/statements";
import type { FileRow } from "./file";
import { countTags, type ForAllInput, resolveForAll } from "./for-all";
import { findGroups } from "./groups";
import { selectImportByDigest, selectStoredImports } from "./repository";
import type { ImportedLink } from "./row";

/** A link's own address, if its slug is given, and its previous ones. */
const keysOf = ({ addresses: { key, old } }: ReturnType<typeof addressesOf>): SlugKey[] => [
  ...(key === undefined ? [] : [key]),
  ...old.map((one) => one.key),
];

/** Reads the facts for the rules, and a previous import of the same rows. */
export async function readRuleRows(
  ctx: Context,
  links: readonly ImportedLink[],
  { digest, chosen, served }: { digest: string; chosen: ForAllInput; served: readonly ServedDomain[] },
) {
  const workspaceId = ctx.workspace.rowId;
  const keys = [...new Set(links.flatMap((link) => keysOf(addressesOf(ctx.config, link, served))))];
  // Only full hosts: with their parent domains the list could be sixty times as long.
  const urls = links.flatMap((link) => [
    link.destination_url,
    ...(link.ended_url == null ? [] : [link.ended_url]),
  ]);
  const hosts = [...new Set(urls.map(destinationHost))];
  const externalIds = links.flatMap((link) => link.external_id ?? []);
  const [groupOf, [[stored], [earlier], tags, [use], ...claims], refused, owners] = await Promise.all([
    findGroups(
      ctx,
      [...links, { activity_group: chosen.group }].flatMap((link) => link.activity_group ?? []),
    ),
    ctx.db.read(
      selectStoredImports(workspaceId),
      selectImportByDigest(workspaceId, digest),
      selectTags(workspaceId),
      selectUsage(workspaceId),
      ...chunksBySize(keys).map((chunk) => selectSlugOwners(workspaceId, chunk)),
    ),
    ctx.db.read(...chunksBySize(hosts).map(selectRefusedAbove)),
    ctx.db.read(...chunksBySize(externalIds).map((chunk) => selectExternalIdOwners(workspaceId, chunk))),
  ]);
  return {
    served,
    stored,
    earlier,
    groupOf,
    forAll: resolveForAll(chosen, groupOf, tags),
    tags,
    use,
    claims: new Map(claims.flat().map((claim) => [claim.key, claim])),
    refusedHosts: toRefusedHosts(refused.flat()),
    externalIdOwners: new Map(owners.flat().map((link) => [link.external_id, link])),
  };
}

type RuleRows = Awaited<ReturnType<typeof readRuleRows>>;

/** The facts with further tags of every row. */
export function withTags(ruleRows: RuleRows, more: readonly TagRow[]): RuleRows {
  const { forAll, tags } = ruleRows;
  const known = new Set(tags.map(({ public_id: id }) => id));
  const named = more.map(({ public_id: id, name }) => ({ id, name }));
  const all = new Map([...forAll.tags, ...named].map((tag) => [tag.id, tag]));
  return {
    ...ruleRows,
    forAll: { ...forAll, tags: [...all.values()] },
    tags: [...tags, ...more.filter(({ public_id: id }) => !known.has(id))],
  };
}

export type CheckedRow = FileRow & { link: ImportedLink | undefined };

/** Refuses a previous slug that an earlier row has or that is taken. */
function oldSlugProblemInFile(
  { address: old, key }: { address: string; key: SlugKey },
  slugs: ReadonlyMap<string, number>,
  { claims }: RuleRows,
): FieldError | undefined {
  const twin = slugs.get(key);
  const claim = claims.get(key);
  if (twin !== undefined) {
    return {
      field: "old_slugs",
      message: `The old slug ${old} is already in row ${twin} of this file.`,
      code: "taken",
    };
  }
  return oldSlugProblem(old, slugProblem(claim === undefined ? [] : [claim], null));
}

/** Refuses an external id that an earlier row or a link of the workspace has. */
function externalIdProblemInFile(
  id: string | null,
  externalIds: ReadonlyMap<string, number>,
  { externalIdOwners }: RuleRows,
): FieldError | undefined {
  if (id === null) return undefined;
  const twin = externalIds.get(id);
  if (twin === undefined) return externalIdProblem(externalIdOwners.get(id), undefined);
  const message = `The external id is already in row ${twin} of this file.`;
  return { field: "external_id", message, code: "taken" };
}

/** Judges the rows in order. Slugs, tags and places within limits that a row takes are not available to later rows. */
export function checkRows(ctx: Context, rows: readonly CheckedRow[], rules: RuleRows) {
  const limit = rules.use?.link_limit ?? null;
  let links = (rules.use?.active_links ?? 0) + (rules.use?.archived_links ?? 0);
  let claims = 0;
  const slugs = new Map<string, number>();
  const externalIds = new Map<string, number>();
  const known = new Set(rules.tags.map((tag) => tag.name_key));
  const tags = new Map<string, string>();
  const checked = rows.map((row): FileRow => {
    const { link } = row;
    if (link === undefined) return row;
    const found = addressesOf(ctx.config, link, rules.served);
    const { key, old } = found.addresses;
    const twin = key === undefined ? undefined : slugs.get(key);
    const claim = key === undefined ? undefined : rules.claims.get(key);
    const group = link.activity_group == null ? undefined : rules.groupOf(link.activity_group);
    // A generated slug is always a new claim.
    const more =
      (key === undefined ? 1 : 0) + keysOf(found).filter((one) => isNewClaim(rules.claims.get(one))).length;
    const fresh = spellings(link.tags).filter(([tag]) => !known.has(tag));
    const added = fresh.filter(([tag]) => !tags.has(tag)).length;
    const failing: (FieldError | undefined)[] = [
      hostProblem(ctx, "destination_url", link.destination_url, rules.refusedHosts),
      twin === undefined
        ? slugProblem(claim === undefined ? [] : [claim], null)
        : { field: "slug", message: `The slug is already in row ${twin} of this file.`, code: "taken" },
      ...found.problems,
      ...old.map((one) => oldSlugProblemInFile(one, slugs, rules)),
      group !== undefined && "error" in group ? group.error : undefined,
      externalIdProblemInFile(link.external_id ?? null, externalIds, rules),
      endProblem(storedWindow(link)),
      hostProblem(ctx, "ended_url", link.ended_url, rules.refusedHosts),
      countTags(link.tags, rules.forAll) > MAX_TAGS_ON_LINK ? TOO_MANY_TAGS : undefined,
      known.size + tags.size + added > MAX_TAGS ? TAG_LIMIT_REACHED : undefined,
      limit !== null && links >= limit ? linkLimitReached(limit) : undefined,
      claimProblem(rules.use, claims + more),
    ];
    const errors = failing.filter((error) => error !== undefined);
    if (errors.length > 0) return { ...row, errors };
    links++;
    claims += more;
    if (link.external_id != null) externalIds.set(link.external_id, row.number);
    for (const one of keysOf(found)) slugs.set(one, row.number);
    for (const [tag, name] of fresh) if (!tags.has(tag)) tags.set(tag, name);
    return row;
  });
  return { checked, tags: [...tags.values()] };
}
