import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/statements";
import type { Context } from "../../context";
import type { FieldError } from "../../errors";
import { newId } from "../../lib/ids";
import { spellings } from "../../lib/slug-text";
import { text } from "../../lib/validation";
import { MAX_TAGS, TAG_LIMIT_REACHED } from "./errors";
import { insertTag, insertTags } from "./repository";
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
}

const NONE: NamedTags = { known: [], missing: [], problems: [], taken: [] };

const nameProblem = (name: string): FieldError | undefined => {
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
  const isFull = missing.length > 0 && (use?.tag_count ?? 0) + missing.length > MAX_TAGS;
  const wrong = missing.map(([, name]) => nameProblem(name)).find((problem) => problem !== undefined);
  return {
    known: wanted.flatMap(([key]) => byName.get(key) ?? []),
    missing,
    problems: [wrong, isFull ? TAG_LIMIT_REACHED : undefined].filter((problem) => problem !== undefined),
    taken: tags,
  };
}

/**
 * Creates the missing tags in one batch, each with its own audit entry, and returns all that were named. Throws LostRace
 * if the workspace has got a tag of the same name, or has become full.
 */
export async function createMissingTags(
  ctx: Context,
  { known, missing, taken }: NamedTags,
): Promise<TagRow[]> {
  const workspaceId = ctx.workspace.rowId;
  const at = ctx.now();
  const neighbours = [...taken];
  const made = missing.map(([nameKey, name]) => {
    const slug = freeTagSlug(slugBase(ctx, name), neighbours);
    neighbours.push({ slug });
    const times = { created_at: at, updated_at: at };
    const empty = { colour: null, description: null };
    // The columns in the order of `createTag`: the statement is prepared once for both.
    return {
      public_id: newId(at),
      workspace_id: workspaceId,
      name,
      name_key: nameKey,
      slug,
      ...empty,
      ...times,
    };
  });
  const [first, ...others] = made;
  if (first === undefined) return [...known];
  const [created] = await ctx.db.write(
    {
      workspaceId,
      actor: ctx.actor,
      action: "tag.create",
      subject: first.public_id,
      at,
      change: toTag(first),
      guards: [ensureRoomForTag(workspaceId, MAX_TAGS - made.length + 1)],
    },
    [
      insertTag(first),
      ...(others.length === 0
        ? []
        : insertTags(
            workspaceId,
            ctx.actor,
            others.map((tag) => ({ ...tag, operation_id: newId(at), change: toTag(tag) })),
            at,
          )),
      updateTagCount(workspaceId, made.length),
    ],
    selectTagsByNames(
      workspaceId,
      missing.map(([key]) => key),
    ),
  );
  return [...known, ...created];
}

/** Names in a text, with commas between them. */
export const splitTagNames = (names: string): string[] =>
  spellings(
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ).map(([, name]) => name);
