import type { Context } from "../../context";
import type { Statement } from "../../db/client";
import { isImportMissing } from "../../db/failure";
import { invalid, type ServiceError } from "../../errors";
import { chunksBySize } from "../../lib/chunks";
import { sha256Hex } from "../../lib/hash";
import { newId } from "../../lib/ids";
import { toRowErrors } from "../links/errors";
import { type CheckedRow, checkRows, readRuleRows, withTags } from "./check-rows";
import { type FileRow, readFile } from "./file";
import { createTagsForAll, type ForAllInput } from "./for-all";
import { insertImport, insertImportRows, MAX_IMPORTS, updateRowCount } from "./repository";
import { toImportedLink, truncateCells } from "./row";
import type { AboutImport } from "./undo";

/** Each has up to 2 MB of rows. */
const STATEMENTS_A_BATCH = 5;

const importLimitReached = (): ServiceError =>
  invalid([
    {
      field: "file",
      message: `The workspace has ${MAX_IMPORTS} imports, which is all it may have. Discard one; each is removed 7 days after it was sent.`,
      code: "limit",
    },
  ]);

/** Stores a file; 422 if the workspace has reached its limit of imports. */
async function storeFile(ctx: Context, statements: readonly Statement[]): Promise<void> {
  try {
    for (let from = 0; from < statements.length; from += STATEMENTS_A_BATCH) {
      await ctx.db.writeUnaudited(...statements.slice(from, from + STATEMENTS_A_BATCH));
    }
  } catch (error) {
    throw isImportMissing(error) ? importLimitReached() : error;
  }
}

/** A hash of the cells, so that byte order mark and separator make no difference. */
const digestOf = (rows: readonly FileRow[]): Promise<string> =>
  sha256Hex(JSON.stringify(rows.map(({ number, cells }) => [number, cells])));

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

/**
 * Checks a CSV file and stores it with the result for each row and with what is chosen for every row; creates no links, but
 * the new tags that are chosen.
 * If the same rows were imported before it returns that import, whatever was chosen for it, because rows without a slug
 * would be created twice.
 */
export async function checkFile(
  ctx: Context,
  file: { name: string; bytes: Uint8Array },
  chosen: ForAllInput = {},
) {
  ctx.db.assertRoom();
  const { ignored, rows } = readFile(file.bytes);
  const digest = await digestOf(rows);
  const parsed = rows.map((row): CheckedRow => {
    if (row.errors.length > 0) return { ...row, link: undefined };
    const result = toImportedLink(row.cells);
    return result.ok ? { ...row, link: result.link } : { ...row, errors: result.errors, link: undefined };
  });
  const ruleRows = await readRuleRows(
    ctx,
    parsed.flatMap(({ link }) => link ?? []),
    digest,
    chosen,
  );
  if (ruleRows.earlier !== undefined) return { earlier: ruleRows.earlier.id };
  if (ruleRows.isFull) throw importLimitReached();
  const named = await createTagsForAll(ctx, ruleRows.forAll, chosen.newTags ?? []);
  const known = new Set(ruleRows.tags.map((tag) => tag.public_id));
  const rules = withTags(ruleRows, named);
  const { checked, tags } = checkRows(ctx, parsed, rules);
  const workspaceId = ctx.workspace.rowId;
  const at = ctx.now();
  const id = newId(at);
  const about: AboutImport = {
    ignored: namesToKeep(ignored),
    tags,
    created: named.filter((tag) => !known.has(tag.public_id)).map(({ name }) => name),
  };
  const kept = checked.map(({ number, cells, errors }) => [
    number,
    JSON.stringify(truncateCells(cells)),
    errors.length === 0 ? null : JSON.stringify(toRowErrors(errors)),
  ]);
  const refused = checked.filter(({ errors }) => errors.length > 0).length;
  const { group, tags: chosenTags } = rules.forAll;
  const name = file.name.slice(0, 255).toWellFormed() || "links.csv";
  const statements = [
    insertImport({
      public_id: id,
      workspace_id: workspaceId,
      name,
      digest,
      about: JSON.stringify(about),
      created_at: at,
      activity_group_id: group?.id ?? null,
      tag_ids: chosenTags.length === 0 ? null : JSON.stringify(chosenTags.map((tag) => tag.id)),
    }),
    ...chunksBySize(kept).map((chunk) => insertImportRows(workspaceId, id, JSON.stringify(chunk))),
    updateRowCount(workspaceId, id, checked.length, refused === checked.length ? at : null),
  ];
  await storeFile(ctx, statements);
  return { id, rows: checked.length, refused };
}
