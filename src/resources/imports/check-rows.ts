import { type ServedDomain, selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { chunksBySize } from "../../lib/chunks";
import { spellings } from "../../lib/slug-text";
import { selectSlugOwners } from "../../redirect/slugs/statements/slug-owners";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { hostsOfLink, toRefusedHosts } from "../destinations/hosts";
import { addressesOf } from "../links/choose-domain";
import { keysOf, rowRules } from "../links/link-rules";
import { selectExternalIdOwners } from "../links/link-statements";
import { MAX_TAGS, TAG_LIMIT_REACHED } from "../tags/tag-service";
import type { TagRow } from "../tags/tag-statements";
import type { FileRow } from "./import-file";
import { findGroups } from "./import-groups";
import { selectImportByDigest, selectStoredImports } from "./import-repository";
import type { ImportedLink } from "./import-row";

export type CheckedRow = FileRow & { link?: ImportedLink };

interface Known {
  served: readonly ServedDomain[];
  tags: readonly TagRow[];
  /** Those that updates of the same file give to links. */
  externalIds: readonly { id: string; external_id: string }[];
}

/**
 * Checks the rows in order, by the rules for new links. A tag that a row adds takes a place within the workspace's limit. Also
 * reads what the workspace stores, and a previous import of the same rows.
 */
export async function checkRows(
  ctx: Context,
  rows: readonly CheckedRow[],
  digest: string,
  { served, tags, externalIds }: Known,
) {
  const workspaceId = ctx.workspace.rowId;
  const links = rows.flatMap(({ link }) => link ?? []);
  const keys = [...new Set(links.flatMap((link) => keysOf(addressesOf(ctx.config, link, served))))];
  const hosts = [...new Set(links.flatMap(hostsOfLink))];
  const newIds = links.flatMap((link) => link.external_id ?? []);
  const [groupOf, [[stored], [earlier], [use], ...claims], refused, owners] = await Promise.all([
    findGroups(ctx, links),
    ctx.db.read(
      selectStoredImports(workspaceId),
      selectImportByDigest(workspaceId, digest),
      selectUsage(workspaceId),
      ...chunksBySize(keys).map((chunk) => selectSlugOwners(workspaceId, chunk)),
    ),
    ctx.db.read(...chunksBySize(hosts).map((chunk) => selectRefusedHosts(chunk))),
    ctx.db.read(...chunksBySize(newIds).map((chunk) => selectExternalIdOwners(workspaceId, chunk))),
  ]);
  const rules = {
    claims: claims.flat(),
    refusedHosts: toRefusedHosts(refused.flat()),
    externalIdOwners: [...owners.flat(), ...externalIds],
    use,
  };
  const problemsOf = rowRules(ctx, rules, (row) => `is already in row ${row} of this file.`);
  const known = new Set(tags.map((tag) => tag.name_key));
  const added = new Map<string, string>();
  const checked = rows.map((row): FileRow => {
    const { link } = row;
    if (link === undefined) return row;
    const group = groupOf(link.activity_group);
    const fresh = spellings(link.tags).filter(([key]) => !known.has(key) && !added.has(key));
    const errors = problemsOf({
      number: row.number,
      link,
      addressed: addressesOf(ctx.config, link, served),
      group: "error" in group ? group.error : undefined,
      tags: [known.size + added.size + fresh.length > MAX_TAGS ? TAG_LIMIT_REACHED : undefined],
    });
    if (errors.length > 0) return { ...row, errors };
    for (const [key, name] of fresh) added.set(key, name);
    return row;
  });
  return { stored, earlier, checked, tags: [...added.values()] };
}
