import { type ServedDomain, selectServedDomains, selectUsage } from "../../access/workspace-statements";
import type { Context, WorkspaceContext } from "../../context";
import { chunksBySize } from "../../lib/chunks";
import { readConventions } from "../../lib/conventions";
import { hasPassed } from "../../lib/days";
import type { Encoding } from "../../lib/file-text";
import { newId } from "../../lib/ids";
import { fold, spellings } from "../../lib/slug-text";
import { selectSlugOwners } from "../../redirect/slugs/statements/slug-owners";
import { selectGroupNamed } from "../activity-groups/group-statements";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { hostsOfLink, toRefusedHosts } from "../destinations/hosts";
import { addressesOf } from "../links/choose-domain";
import { keysOf, rowRules } from "../links/link-rules";
import { selectConventions, selectExternalIdOwners } from "../links/link-statements";
import { MAX_TAGS, TAG_LIMIT_REACHED } from "../tags/tag-service";
import { selectTags, type TagRow } from "../tags/tag-statements";
import { checkUpdates } from "./check-updates";
import { digestOf } from "./file-digest";
import { type ForAllInput, resolveForAll, withForAll } from "./for-all";
import { type EarlierImport, type FileChoices, type FileRow, newEnd, readFile } from "./import-file";
import { findGroups } from "./import-groups";
import { selectImportByDigest, selectStoredImports } from "./import-repository";
import { type ImportedLink, toImportedLink } from "./import-row";
import { cellReader, type ReadCells } from "./row-cells";
import { storeFile } from "./store-file";
import type { AboutImport } from "./undo-import";

type CheckedRow = FileRow & { link?: ImportedLink };

/** Whether every row names its link, so that the file updates links when it is sent again, and makes none twice. */
const isRepeatable = (rows: readonly FileRow[], read: ReadCells): boolean =>
  rows.every((row) => {
    const { slug, external_id: externalId } = read(row.cells);
    return slug || externalId;
  });

const NO_UPDATES: Awaited<ReturnType<typeof checkUpdates>> = {
  checked: new Map(),
  tags: [],
  externalIds: [],
};

const MAX_IGNORED_NAMES = 100;
const MAX_NAME_CHARACTERS = 100;

/** The names of ignored columns as they are stored: the first hundred, and how many there are beyond. */
function namesToKeep(names: readonly string[]): string[] {
  const kept = names
    .slice(0, MAX_IGNORED_NAMES)
    .map((name) => (name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name));
  const more = names.length - kept.length;
  return more === 0 ? kept : [...kept, `and ${more.toLocaleString("en-GB")} more`];
}

interface StoredForRows {
  served: readonly ServedDomain[];
  tags: readonly TagRow[];
  /** Those that updates of the same file give to links. */
  externalIds: readonly { id: string; external_id: string }[];
}

/**
 * Checks the rows in order, by the rules for new links. A tag that a row adds takes a place within the workspace's limit. Also
 * reads what the workspace stores, and a previous import of the same rows.
 */
async function checkRows(
  ctx: Context,
  rows: readonly CheckedRow[],
  digest: string,
  { served, tags, externalIds }: StoredForRows,
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
  const problemsOf = rowRules(ctx, rules, (field, row) => ({ field, reason: "taken_in_row", row }));
  const known = new Set(tags.map((tag) => tag.name_key));
  const added = new Map<string, string>();
  const checked = rows.map((row): CheckedRow => {
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

/**
 * Checks a CSV file and stores it with the result for each row and with what is chosen for every new link; creates no links.
 * If the same heading and rows were imported before it returns that import, however they were read and whatever was chosen for
 * all of them, because rows without a slug would be created twice. With `updates`, rows that name existing links
 * update these, and get nothing that is chosen. With `mends`, damaged destinations are mended.
 */
export async function checkFile(
  ctx: WorkspaceContext,
  file: { name: string; bytes: Uint8Array; encoding?: Encoding | undefined },
  { updates = false, mends, matched, dates, ...chosen }: ForAllInput & FileChoices = {},
) {
  ctx.db.assertRoom();
  const workspaceId = ctx.workspace.rowId;
  const [served, [written], groups, known] = await ctx.db.read(
    selectServedDomains(workspaceId),
    selectConventions(workspaceId),
    selectGroupNamed(workspaceId, chosen.group),
    selectTags(workspaceId),
  );
  const conventions = readConventions(written?.conventions ?? null);
  const ownHosts = [ctx.config.shortHost, ...served.map(({ host }) => host)];
  const choices = { updates, mends, matched, dates };
  const found = readFile(file.bytes, ownHosts, ctx.workspace.timeZone, choices);
  const { ignored, reading, rows } = found;
  const read = cellReader(reading);
  const forAll = resolveForAll(chosen, groups, known);
  const at = ctx.now();
  const id = newId(at);
  const digest =
    (await digestOf(reading.heading, rows)) + (updates && isRepeatable(rows, read) ? `.${id}` : "");
  const existing = updates ? await checkUpdates(ctx, rows, read, { served, conventions }) : NO_UPDATES;
  const parsed = rows.map((row): CheckedRow => {
    const update = existing.checked.get(row.number);
    if (update !== undefined || row.errors.length > 0) return update ?? row;
    const result = toImportedLink(withForAll(read(row.cells), forAll), conventions, at);
    return result.ok ? { ...row, link: result.value } : { ...row, errors: result.failures };
  });
  const { checked, tags, stored, earlier } = await checkRows(ctx, parsed, digest, {
    served,
    tags: known,
    externalIds: existing.externalIds,
  });
  if (earlier !== undefined) {
    const found: EarlierImport = {
      ...earlier,
      datesNow: reading.dates?.order ?? null,
      namesLinks: isRepeatable(rows, read),
    };
    return { earlier: found };
  }
  const hasEnded = ({ errors, link, updates: update }: CheckedRow) =>
    errors.length === 0 && hasPassed(link?.ends_at ?? newEnd(update), ctx.workspace.timeZone, at);
  const ended = checked.filter(hasEnded).length;
  const about = JSON.stringify({
    ignored: namesToKeep(ignored),
    tags: [...new Map([...tags, ...existing.tags].map((tag) => [fold(tag), tag])).values()],
    forAll,
    reading,
    ended,
    encoding: file.encoding ?? found.encoding,
  } satisfies AboutImport);
  const name = file.name.slice(0, 255).toWellFormed() || "links.csv";
  const counts = await storeFile(ctx, {
    file: { public_id: id, name, digest, about, created_at: at },
    rows: checked,
    cellsToJson: found.cellsToJson,
    stored,
  });
  return { id, ended, ...counts };
}
