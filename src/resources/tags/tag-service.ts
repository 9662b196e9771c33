import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/workspace-statements";
import { auditEntry, type Context } from "../../context";
import { assertFound, changedSinceRead, retryLostRaces } from "../../errors";
import { alreadyTaken, assertNone, limitReached, SLUG_TAKEN, takenBy } from "../../field-errors";
import { chunksBySize } from "../../lib/chunks";
import { isMatched } from "../../lib/etag";
import type { Failure } from "../../lib/failure";
import { newId } from "../../lib/ids";
import { eachField } from "../../lib/link-fields";
import { sortNaturally } from "../../lib/natural-order";
import { fold, freeSlug, randomSlugText, slugFromName } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { batchOfImport } from "../audit/audit-statements";
import { type CreateTag, type Tag, tagTexts, type UpdateTag } from "./tag-schema";
import {
  ensureTagExists,
  insertTags,
  type NewTagRow,
  type ShownTag,
  selectTag,
  selectTags,
  selectTagsWithTotals,
  type TagRow,
  updateTagRow,
} from "./tag-statements";

export const toTag = (row: ShownTag): Tag => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  ...eachField(tagTexts, (name) => row[name]),
});

/** A tag as the audit trail keeps it. */
export function tagSnapshot(row: ShownTag): string {
  const { id: _, ...fields } = toTag(row);
  return JSON.stringify(fields);
}

/** Sorts by folded name in TypeScript, because SQLite's order differs. */
export const sortByName = <T extends Tag>(tags: readonly T[]): T[] =>
  tags
    .map((tag) => ({ tag, key: fold(tag.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.tag.id < b.tag.id ? -1 : 1))
    .map(({ tag }) => tag);

/** All tags by name. */
export async function listTags(ctx: Context): Promise<Tag[]> {
  const [rows] = await ctx.db.read(selectTags(ctx.workspace.rowId));
  return sortByName(rows.map(toTag));
}

/** All tags in natural order of their names, for people to choose from. */
export const listTagsNaturally = async (ctx: Context): Promise<Tag[]> => sortNaturally(await listTags(ctx));

/** All tags in natural order of their names, with their numbers of links. */
export async function listUsedTags(ctx: Context) {
  const [rows] = await ctx.db.read(selectTagsWithTotals(ctx.workspace.rowId));
  return sortNaturally(rows).map(({ active_links, archived_links, ...row }) => ({
    ...toTag(row),
    active_links,
    archived_links,
  }));
}

export type UsedTag = Awaited<ReturnType<typeof listUsedTags>>[number];

async function assertTag(ctx: Context, found: TagRow | undefined): Promise<TagRow> {
  const row = assertFound(found, "Tag");
  if (!(await isMatched(ctx.ifMatch, toTag(row)))) throw changedSinceRead("tag");
  return row;
}

/** The tag of a path. Throws 404, and 412 if `If-Match` does not match it. */
export async function getTagRow(ctx: Context, id: string): Promise<TagRow> {
  const [[row]] = await ctx.db.read(selectTag(ctx.workspace.rowId, storedId(id)));
  return assertTag(ctx, row);
}

export const MAX_TAGS = 1000;

export const TAG_LIMIT_REACHED = limitReached("tag", MAX_TAGS, "tags");

/** The errors of a folded name and a slug that another tag has. */
function takenProblems(
  others: readonly TagRow[],
  nameKey: string,
  slug: string | null | undefined,
): (Failure | undefined)[] {
  const namesake = others.find((tag) => tag.name_key === nameKey);
  const owner = others.find((tag) => tag.slug === slug);
  return [
    takenBy(alreadyTaken("name"), namesake && { id: namesake.public_id }),
    takenBy(SLUG_TAKEN, owner && { id: owner.public_id }),
  ];
}

const SLUG_LENGTH = 120;
/** Leaves room for the suffix of a thousandth tag, so a numbered slug keeps its whole base. */
const SLUG_BASE_LENGTH = SLUG_LENGTH - "-1000".length;

/** A slug for a name, with a number if a neighbour has it; random text if the name has no letters for a slug. */
export const freeTagSlug = (ctx: Context, name: string, neighbours: readonly { slug: string }[]): string =>
  freeSlug(
    slugFromName(name, SLUG_BASE_LENGTH) || `tag-${randomSlugText(8, ctx.random)}`,
    new Set(neighbours.map(({ slug }) => slug)),
    SLUG_LENGTH,
  );

/**
 * Writes new tags, each with its own audit entry, which belongs to the import that they are made for. Throws LostRace if the
 * workspace has got a tag of the same name, or has become full.
 */
export async function writeTags(
  ctx: Context,
  rows: readonly NewTagRow[],
  at: number,
  { importId, answer }: { importId?: string | undefined; answer?: Tag },
): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const [first, ...others] = rows.map((row) => ({ subject: row.public_id, change: toTag(row) }));
  if (first === undefined) return;
  await ctx.db.write(
    {
      ...auditEntry(ctx, "tag.create", first.subject, at),
      change: first.change,
      ...(importId !== undefined && { batch: batchOfImport(importId) }),
      space: "takes",
      guards: [ensureRoomForTag(workspaceId, MAX_TAGS - rows.length + 1)],
      others,
      ...(answer && { answer }),
    },
    [
      ...chunksBySize(rows).map((chunk) => insertTags(workspaceId, chunk, at)),
      updateTagCount(workspaceId, rows.length),
    ],
  );
}

/** Creates a tag. Without a slug, it is generated from the name. */
export const createTag = (ctx: Context, input: CreateTag): Promise<Tag> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const nameKey = fold(input.name);
    const [others, [use]] = await ctx.db.read(selectTags(workspaceId), selectUsage(workspaceId));
    assertNone([
      ...takenProblems(others, nameKey, input.slug),
      use !== undefined && use.tag_count >= MAX_TAGS ? TAG_LIMIT_REACHED : undefined,
    ]);

    const at = ctx.now();
    const row = {
      public_id: newId(at),
      name: input.name,
      name_key: nameKey,
      slug: input.slug ?? freeTagSlug(ctx, input.name, others),
      ...eachField(tagTexts, (field) => input[field] ?? null),
    };
    const tag = toTag(row);
    await writeTags(ctx, [row], at, { answer: tag });
    return tag;
  });

/** Updates the given fields. A null slug is generated from the name. */
export const updateTag = (ctx: Context, id: string, input: UpdateTag): Promise<Tag> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, all] = await ctx.db.read(selectTag(workspaceId, storedId(id)), selectTags(workspaceId));
    const row = await assertTag(ctx, rows[0]);

    const others = all.filter((tag) => tag.id !== row.id);
    const name = input.name ?? row.name;
    const nameKey = fold(name);
    assertNone(takenProblems(others, nameKey, input.slug));

    const remade = input.slug === null ? freeTagSlug(ctx, name, others) : undefined;
    const next = {
      name,
      name_key: nameKey,
      slug: input.slug ?? remade ?? row.slug,
      ...eachField(tagTexts, (field) => (input[field] === undefined ? row[field] : input[field])),
    };
    const changed = Object.fromEntries(
      Object.entries(next).filter(([field, value]) => value !== row[field as keyof typeof next]),
    );
    if (Object.keys(changed).length === 0) return toTag(row);

    const at = ctx.now();
    const [after] = await ctx.db.write(
      {
        ...auditEntry(ctx, "tag.update", row.public_id, at),
        before: tagSnapshot(row),
        change: input,
        guards: [ensureTagExists(workspaceId, row.public_id, row.version)],
      },
      [updateTagRow(workspaceId, row.public_id, { ...changed, updated_at: at })],
      selectTag(workspaceId, row.public_id),
    );
    return toTag(assertFound(after[0], "Tag"));
  });
