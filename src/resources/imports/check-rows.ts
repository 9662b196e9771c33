import { type ServedDomain, selectUsage } from "../../access/statements";
import type { Context } from "../../context";
import { chunksBySize } from "../../lib/chunks";
import { spellings } from "../../lib/slug-text";
import { selectSlugOwners } from "../../redirect/slugs/statements/owners";
import { hostsOfLink, toRefusedHosts } from "../destinations/rules";
import { selectRefusedAbove } from "../destinations/statements";
import { addressesOf } from "../links/choose-domain";
import { keysOf, rowRules } from "../links/row-rules";
import { selectExternalIdOwners } from "../links/statements";
import { MAX_TAGS, TAG_LIMIT_REACHED } from "../tags/errors";
import type { TagRow } from "../tags/statements";
import type { FileRow } from "./file";
import { findGroups } from "./groups";
import { selectImportByDigest, selectStoredImports } from "./repository";
import type { ImportedLink } from "./row";

/** Reads the facts for the rules, and a previous import of the same rows. */
export async function readRuleRows(
  ctx: Context,
  links: readonly ImportedLink[],
  { digest, served, tags }: { digest: string; served: readonly ServedDomain[]; tags: readonly TagRow[] },
) {
  const workspaceId = ctx.workspace.rowId;
  const keys = [...new Set(links.flatMap((link) => keysOf(addressesOf(ctx.config, link, served))))];
  // Only full hosts: with their parent domains the list could be sixty times as long.
  const hosts = [...new Set(links.flatMap(hostsOfLink))];
  const externalIds = links.flatMap((link) => link.external_id ?? []);
  const [groupOf, [[stored], [earlier], [use], ...claims], refused, owners] = await Promise.all([
    findGroups(
      ctx,
      links.flatMap((link) => link.activity_group ?? []),
    ),
    ctx.db.read(
      selectStoredImports(workspaceId),
      selectImportByDigest(workspaceId, digest),
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
    tags,
    use,
    claims: claims.flat(),
    refusedHosts: toRefusedHosts(refused.flat()),
    externalIdOwners: owners.flat(),
  };
}

type RuleRows = Awaited<ReturnType<typeof readRuleRows>>;

export type CheckedRow = FileRow & { link: ImportedLink | undefined };

/** Checks the rows in order. A tag that a row adds takes a place within the workspace's limit. */
export function checkRows(ctx: Context, rows: readonly CheckedRow[], rules: RuleRows) {
  const problemsOf = rowRules(ctx, rules, (row) => `is already in row ${row} of this file.`);
  const known = new Set(rules.tags.map((tag) => tag.name_key));
  const added = new Map<string, string>();
  const checked = rows.map((row): FileRow => {
    const { link } = row;
    if (link === undefined) return row;
    const group = link.activity_group == null ? undefined : rules.groupOf(link.activity_group);
    const fresh = spellings(link.tags).filter(([key]) => !known.has(key) && !added.has(key));
    const errors = problemsOf({
      number: row.number,
      link,
      addressed: addressesOf(ctx.config, link, rules.served),
      group: group !== undefined && "error" in group ? group.error : undefined,
      tags: [known.size + added.size + fresh.length > MAX_TAGS ? TAG_LIMIT_REACHED : undefined],
    });
    if (errors.length > 0) return { ...row, errors };
    for (const [key, name] of fresh) added.set(key, name);
    return row;
  });
  return { checked, tags: [...added.values()] };
}
