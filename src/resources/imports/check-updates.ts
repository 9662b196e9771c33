import type { ServedDomain } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { chunksBySize, chunksWithin } from "../../lib/chunks";
import type { Conventions } from "../../lib/conventions";
import type { Failure } from "../../lib/failure";
import { fold } from "../../lib/slug-text";
import { selectSlugOwners } from "../../redirect/slugs/statements/slug-owners";
import { addressesOf } from "../links/choose-domain";
import { planUpdates } from "../links/import-updates";
import { keysOf } from "../links/link-rules";
import { selectExternalIdOwners } from "../links/link-statements";
import { differencesOf } from "../links/revert/previous-state";
import type { FileRow, PlannedUpdate } from "./import-file";
import { findGroups } from "./import-groups";
import { type ImportedUpdate, toImportedUpdate, toUpdateRow } from "./import-row";
import type { ReadCells } from "./row-cells";

const refuse = (field: string, message: string): Failure => ({ field, message, code: "taken" });

interface ParsedRow {
  row: FileRow;
  fields: ImportedUpdate;
}

/** The link that each row names, by its external id or else by its short link, with why it cannot be updated. */
async function findExisting(ctx: Context, rows: readonly ParsedRow[], served: readonly ServedDomain[]) {
  const workspaceId = ctx.workspace.rowId;
  const addressed = rows.map((row) => ({ ...row, ...addressesOf(ctx.config, row.fields, served) }));
  const keys = [...new Set(addressed.flatMap(keysOf))];
  const externalIds = rows.flatMap(({ fields }) => fields.external_id ?? []);
  const [owners, slugs] = await Promise.all([
    ctx.db.read(...chunksBySize(externalIds).map((chunk) => selectExternalIdOwners(workspaceId, chunk))),
    ctx.db.read(...chunksBySize(keys).map((chunk) => selectSlugOwners(workspaceId, chunk))),
  ]);
  const linkOfId = new Map(owners.flat().map((owner) => [owner.external_id, owner.id]));
  const linkOfKey = new Map(slugs.flat().map(({ key, link }) => [key, link]));
  const rowOf = new Map<string, number>();
  return addressed.flatMap(({ row, fields, addresses: { key, old }, problems }) => {
    const named = linkOfId.get(fields.external_id ?? "");
    const opened = (key !== undefined && problems.length === 0 && linkOfKey.get(key)) || undefined;
    const link = named ?? opened;
    if (link === undefined) return [];
    const earlier = rowOf.get(link);
    const other = old.find((one) => linkOfKey.get(one.key) !== link);
    const errors = [
      ...problems,
      named !== undefined && key !== undefined && opened !== named
        ? refuse("slug", "The slug is not that of the link with this external id. An import keeps slugs.")
        : undefined,
      earlier === undefined
        ? undefined
        : refuse("slug", `The link is already in row ${earlier} of this file.`),
      other && refuse("old_slugs", `The old slug ${other.address} is none of the link. An import adds none.`),
    ].filter((error) => error !== undefined);
    if (errors.length === 0) rowOf.set(link, row.number);
    return [{ row, fields, link, errors }];
  });
}

const KEPT_CHARACTERS = 200;

const beginningOf = (text: string | null): string | null =>
  text !== null && text.length > KEPT_CHARACTERS ? `${text.slice(0, KEPT_CHARACTERS).toWellFormed()}…` : text;

const toKeptChange = ({ field, is, willBe }: ReturnType<typeof differencesOf>[number]) =>
  [field, beginningOf(is), beginningOf(willBe)] as const;

/** Bounds what is held in memory of the links. */
const LINKS_PER_READ = 500;

/** Checks the rows that name existing links, as updates of these. Returns them by number, and their new tags and external ids. */
export async function checkUpdates(
  ctx: Context,
  rows: readonly FileRow[],
  read: ReadCells,
  { served, conventions }: { served: readonly ServedDomain[]; conventions: Conventions },
) {
  const checked = new Map<number, FileRow>();
  const tags = new Map<string, string>();
  const externalIds: { id: string; external_id: string }[] = [];
  const parsed = rows.flatMap((row) => {
    const result = row.errors.length === 0 ? toImportedUpdate(read(row.cells)) : undefined;
    if (result?.ok === true) return [{ row, fields: result.value }];
    checked.set(row.number, { ...row, errors: result?.failures ?? row.errors });
    return [];
  });
  const links = parsed.map(({ fields }) => fields);
  const [existing, groupOf] = await Promise.all([findExisting(ctx, parsed, served), findGroups(ctx, links)]);
  const updates = existing.flatMap(({ row, fields, link, errors }) => {
    const update =
      errors.length > 0 ? errors : toUpdateRow(row.number, fields, { link, version: undefined }, groupOf);
    checked.set(row.number, { ...row, errors: "input" in update ? [] : update });
    return "input" in update ? [update] : [];
  });
  for (const chunk of chunksWithin(updates, { of: () => 1, max: LINKS_PER_READ })) {
    const { planned, knows } = await planUpdates(ctx, chunk, conventions);
    for (const one of planned) {
      const { number, link, input } = one.row;
      const row = checked.get(number);
      if (row === undefined) continue;
      if ("errors" in one) {
        checked.set(number, { ...row, errors: one.errors });
        continue;
      }
      const { was, will } = one;
      const changes = will === undefined ? [] : differencesOf(was, will, ctx.config).map(toKeptChange);
      const planned: PlannedUpdate = { link, version: was.version, changes };
      checked.set(number, { ...row, updates: planned });
      if (input.external_id != null) externalIds.push({ id: link, external_id: input.external_id });
      for (const name of input.tag_names ?? []) if (!knows(name)) tags.set(fold(name), name);
    }
  }
  return { checked, tags: [...tags.values()], externalIds };
}
