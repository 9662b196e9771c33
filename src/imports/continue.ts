import type { Context } from "../context";
import { type FieldError, importNotFound, type RowError, TAG_LIMIT_REACHED, toRowErrors } from "../errors";
import type { ImportedCells } from "../lib/import-columns";
import { fold } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { type ImportRow, importPortion, portions } from "../links/import";
import { ensureTags } from "../tags/create-many";
import { type FindGroup, findGroups } from "./groups";
import {
  countRows,
  selectImport,
  selectImportOfSameRows,
  selectPendingRows,
  updateFinished,
  updateOutcomes,
  updateStarted,
} from "./repository";
import { type ImportedLink, toImportedLink } from "./row";

/** As many as a request imports in a few seconds. */
const ROWS_PER_REQUEST = 500;
const PORTIONS_PER_REQUEST = 10;

type Outcome = readonly [number: number, link: string | null, errors: string | null];

const refused = (number: number, errors: readonly RowError[]): Outcome => [
  number,
  null,
  JSON.stringify(toRowErrors(errors)),
];

/** Resolves the group and tags of a row; returns errors if they cannot be found. */
function toImportRow(
  number: number,
  link: ImportedLink,
  groupOf: FindGroup,
  tags: ReadonlyMap<string, string>,
): ImportRow | readonly FieldError[] {
  const {
    activity_group: group,
    tags: names,
    status,
    utm_campaign_origin: origin,
    old_slugs,
    ...input
  } = link;
  const found = group == null ? undefined : groupOf(group);
  const ids = names.map((name) => tags.get(fold(name)));
  const errors = [
    found !== undefined && "error" in found ? found.error : undefined,
    ids.includes(undefined) ? TAG_LIMIT_REACHED : undefined,
  ].filter((error) => error !== undefined);
  if (errors.length > 0) return errors;
  return {
    number,
    archived: status === "archived",
    inherited: origin === "inherited",
    old_slugs,
    input: {
      ...input,
      activity_group_id: found !== undefined && "id" in found ? found.id : null,
      tag_ids: [...new Set(ids.filter((tag) => tag !== undefined))],
    },
  };
}

/** Starts an import, unless another import with the same rows has started: then returns its id. */
async function startUnlessImported(ctx: Context, id: string): Promise<string | undefined> {
  const workspaceId = ctx.workspace.rowId;
  await ctx.db.writeUnaudited(updateStarted(workspaceId, id, ctx.now()));
  const [[file], [earlier]] = await ctx.db.read(
    selectImport(workspaceId, id),
    selectImportOfSameRows(workspaceId, id),
  );
  return file?.started_at === null ? earlier?.id : undefined;
}

/**
 * Imports the next rows of a file; `done` is true after the last. Repeated and concurrent calls create each link once.
 * If another import has the same rows, nothing is imported and its id is returned.
 */
export async function continueImport(
  ctx: Context,
  path: string,
): Promise<{ done: boolean; made: number; refused: number } | { earlier: string }> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [[file], rows, counts] = await ctx.db.read(
    selectImport(workspaceId, id),
    selectPendingRows(workspaceId, id, ROWS_PER_REQUEST),
    countRows(workspaceId, id),
  );
  if (file === undefined) throw importNotFound();
  const { made = 0, refused: refusals = 0 } = counts[0] ?? {};
  if (file.finished_at !== null) return { done: true, made, refused: refusals };
  const earlier = file.started_at === null ? await startUnlessImported(ctx, id) : undefined;
  if (earlier !== undefined) return { earlier };

  const parsed = rows.map((row) => {
    const cells: ImportedCells = JSON.parse(row.input ?? "{}");
    return { number: row.number, result: toImportedLink(cells) };
  });
  const links = parsed.flatMap(({ result }) => (result.ok ? [result.link] : []));
  const names = links.flatMap((link) => link.tags);
  const [groupOf, tags] = await Promise.all([
    findGroups(
      ctx,
      links.flatMap((link) => link.activity_group ?? []),
    ),
    names.length === 0 ? new Map<string, string>() : ensureTags(ctx, id, names),
  ]);

  const ready: ImportRow[] = [];
  const outcomes: Outcome[] = [];
  for (const { number, result } of parsed) {
    const row = result.ok ? toImportRow(number, result.link, groupOf, tags) : result.errors;
    if ("input" in row) ready.push(row);
    else outcomes.push(refused(number, row));
  }
  const parts = [...portions(ready)];
  const now = parts.slice(0, PORTIONS_PER_REQUEST);
  const settled = { made, refused: refusals };
  const settle = () => {
    for (const [, link] of outcomes) settled[link === null ? "refused" : "made"]++;
    return updateOutcomes(workspaceId, id, JSON.stringify(outcomes.splice(0)));
  };
  for (const part of now) {
    for (const result of await importPortion(ctx, id, part)) {
      outcomes.push(
        result.outcome === "refused"
          ? refused(result.number, result.errors)
          : [result.number, result.link, null],
      );
    }
    await ctx.db.writeUnaudited(settle());
  }
  const done = now.length === parts.length && rows.length < ROWS_PER_REQUEST;
  await ctx.db.writeUnaudited(
    ...(outcomes.length === 0 ? [] : [settle()]),
    ...(done ? [updateFinished(workspaceId, id, ctx.now())] : []),
  );
  return { done, ...settled };
}
