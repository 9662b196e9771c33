import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/statements";
import type { Context } from "../../context";
import { type FieldError, retryLostRaces } from "../../errors";
import { chunksBySize } from "../../lib/chunks";
import { newId } from "../../lib/ids";
import { spellings } from "../../lib/slug-text";
import { text } from "../../lib/validation";
import { MAX_TAGS, TAG_LIMIT_REACHED } from "./errors";
import { insertTags } from "./repository";
import { toTag } from "./service";
import { freeTagSlug, slugBase } from "./slug";
import { selectTags, selectTagsByNames, type TagRow } from "./statements";

const MAX_NAME_CHARACTERS = 100;

/** Tags that a form names. */
export interface NamedTags {
  /** Those that the workspace has. */
  known: readonly TagRow[];
  /** Those that it lacks, by folded name. */
  missing: readonly (readonly [key: string, name: string])[];
  problems: readonly FieldError[];
  /** Slugs that new tags cannot have. */
  taken: readonly { slug: string }[];
  /** How many tags the workspace may still get. */
  room: number;
}

const NONE: NamedTags = { known: [], missing: [], problems: [], taken: [], room: 0 };

export const nameProblem = (name: string): FieldError | undefined => {
  const failed = !text(MAX_NAME_CHARACTERS).safeParse(name).success;
  const message = `The name of a tag must not have more than ${MAX_NAME_CHARACTERS} characters, nor control characters.`;
  return failed ? { field: "new_tags", message, code: "format" } : undefined;
};

/** Finds the tags that these names stand for, without regard to case, and checks those that are missing. */
export async function findNamedTags(ctx: Context, names: readonly string[]): Promise<NamedTags> {
  const wanted = spellings(names.map((name) => name.trim()).filter((name) => name !== ""));
  if (wanted.length === 0) return NONE;
  const workspaceId = ctx.workspace.rowId;
  const [tags, [use]] = await ctx.db.read(selectTags(workspaceId), selectUsage(workspaceId));
  const byName = new Map(tags.map((tag) => [tag.name_key, tag]));
  const missing = wanted.filter(([key]) => !byName.has(key));
  const room = Math.max(0, MAX_TAGS - (use?.tag_count ?? 0));
  const isFull = missing.length > room;
  const wrong = missing.map(([, name]) => nameProblem(name)).find((problem) => problem !== undefined);
  return {
    known: wanted.flatMap(([key]) => byName.get(key) ?? []),
    missing,
    problems: [wrong, isFull ? TAG_LIMIT_REACHED : undefined].filter((problem) => problem !== undefined),
    taken: tags,
    room,
  };
}

/**
 * Creates tags, each with its own audit entry, after the entry `head` if there is one. Throws LostRace if the workspace has
 * got a tag of the same name, or has become full.
 */
async function insertMissing(
  ctx: Context,
  { missing, taken }: Pick<NamedTags, "missing" | "taken">,
  head?: { action: string; subject: string; change: object },
): Promise<TagRow[]> {
  const workspaceId = ctx.workspace.rowId;
  const at = ctx.now();
  const neighbours = [...taken];
  const rows = missing.map(([nameKey, name]) => {
    const slug = freeTagSlug(slugBase(ctx, name), neighbours);
    neighbours.push({ slug });
    return { public_id: newId(at), name, name_key: nameKey, slug, colour: null, description: null };
  });
  const entries = rows.map((row) => ({
    action: "tag.create",
    subject: row.public_id,
    change: toTag(row),
  }));
  const [first, ...others] = head === undefined ? entries : [head, ...entries];
  if (first === undefined) return [];
  const [created] = await ctx.db.write(
    {
      ...first,
      workspaceId,
      actor: ctx.actor,
      at,
      guards: [ensureRoomForTag(workspaceId, MAX_TAGS - rows.length + 1)],
      others,
    },
    [
      ...chunksBySize(rows).map((chunk) => insertTags(workspaceId, chunk, at)),
      updateTagCount(workspaceId, rows.length),
    ],
    selectTagsByNames(
      workspaceId,
      missing.map(([key]) => key),
    ),
  );
  return created;
}

/** Creates the missing tags in one batch, and returns all that were named. Throws LostRace. */
export const createMissingTags = async (ctx: Context, named: NamedTags): Promise<TagRow[]> => [
  ...named.known,
  ...(named.missing.length === 0 ? [] : await insertMissing(ctx, named)),
];

/**
 * Creates the tags of `names` that are missing, up to the workspace's limit. Returns their ids by folded name.
 * `importId` is the subject of the audit entry.
 */
export const ensureTags = (
  ctx: Context,
  importId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  retryLostRaces(async () => {
    const { known, taken, room, ...named } = await findNamedTags(ctx, names);
    const missing = named.missing.slice(0, room);
    const head = { action: "tag.import", subject: importId, change: { tags: missing.length } };
    const made = missing.length === 0 ? [] : await insertMissing(ctx, { missing, taken }, head);
    return new Map([...known, ...made].map((tag) => [tag.name_key, tag.public_id]));
  });

/** Names in a text, with commas between them. */
export const splitTagNames = (names: string): string[] =>
  spellings(
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ).map(([, name]) => name);
