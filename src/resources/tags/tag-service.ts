import type { Context } from "../../context";
import {
  alreadyTaken,
  changedSinceRead,
  type FieldError,
  limitReached,
  notFound,
  SLUG_TAKEN,
  takenBy,
} from "../../errors";
import { isMatched } from "../../lib/etag";
import { sortNaturally } from "../../lib/natural-order";
import { fold, freeSlug, randomSlugText, slugFromName } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectTagsWithTotals } from "./tag-repository";
import type { Tag } from "./tag-schema";
import { selectTag, selectTags, type TagRow } from "./tag-statements";

export const toTag = (row: Pick<TagRow, "public_id" | "name" | "slug" | "colour" | "description">): Tag => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  colour: row.colour,
  description: row.description,
});

/** The errors of a folded name and a slug that another tag has. */
export function takenProblems(
  others: readonly TagRow[],
  nameKey: string,
  slug: string | null | undefined,
): (FieldError | undefined)[] {
  const namesake = others.find((tag) => tag.name_key === nameKey);
  const owner = others.find((tag) => tag.slug === slug);
  return [
    takenBy(alreadyTaken("name"), namesake && { id: namesake.public_id }),
    takenBy(SLUG_TAKEN, owner && { id: owner.public_id }),
  ];
}

export const MAX_TAGS = 1000;

export const TAG_LIMIT_REACHED = limitReached("tag", MAX_TAGS, "tags");

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

export async function assertTag(ctx: Context, row: TagRow | undefined): Promise<TagRow> {
  if (row === undefined) throw notFound("Tag");
  if (!(await isMatched(ctx.ifMatch, toTag(row)))) throw changedSinceRead("tag");
  return row;
}

/** Throws 404 if the path names no tag, and 412 if `If-Match` does not match it. */
export async function assertTagPath(ctx: Context, id: string): Promise<void> {
  const [rows] = await ctx.db.read(selectTag(ctx.workspace.rowId, storedId(id)));
  await assertTag(ctx, rows[0]);
}
