import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/statements";
import type { Context } from "../../context";
import { assertNone, type FieldError, retryLostRaces } from "../../errors";
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

export const nameProblem = (name: string): FieldError | undefined => {
  const failed = !text(MAX_NAME_CHARACTERS).safeParse(name).success;
  const message = `The name of a tag must not have more than ${MAX_NAME_CHARACTERS} characters, nor control characters.`;
  return failed ? { field: "new_tags", message, code: "format" } : undefined;
};

/**
 * Creates tags, each with its own audit entry, after one of the import if they are made for it. Throws LostRace if the workspace
 * has got a tag of the same name, or has become full.
 */
async function insertMissing(
  ctx: Context,
  missing: readonly (readonly [key: string, name: string])[],
  taken: readonly { slug: string }[],
  importId: string | undefined,
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
  const head = { action: "tag.import", subject: importId ?? "", change: { tags: rows.length } };
  const [first, ...others] = importId === undefined ? entries : [head, ...entries];
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

/**
 * Finds the tags that names stand for, without regard to case, and creates those that the workspace lacks. Returns their ids by
 * folded name. Throws 422 where one cannot be created; an import gets as many as the workspace has room for.
 */
export const ensureTags = (
  ctx: Context,
  names: readonly string[],
  { importId, field }: { importId?: string; field?: string } = {},
): Promise<ReadonlyMap<string, string>> =>
  retryLostRaces(async () => {
    const wanted = spellings(names.map((name) => name.trim()).filter((name) => name !== ""));
    if (wanted.length === 0) return new Map();
    const workspaceId = ctx.workspace.rowId;
    const [tags, [use]] = await ctx.db.read(selectTags(workspaceId), selectUsage(workspaceId));
    const tagOf = new Map(tags.map((tag) => [tag.name_key, tag]));
    const known = wanted.flatMap(([key]) => tagOf.get(key) ?? []);
    const lacking = wanted.filter(([key]) => !tagOf.has(key));
    const missing = lacking.slice(0, Math.max(0, MAX_TAGS - (use?.tag_count ?? 0)));
    const problems = [
      lacking.map(([, name]) => nameProblem(name)).find((problem) => problem !== undefined),
      missing.length < lacking.length ? TAG_LIMIT_REACHED : undefined,
    ];
    if (importId === undefined)
      assertNone(problems.map((problem) => problem && { ...problem, field: field ?? problem.field }));
    const made = missing.length === 0 ? [] : await insertMissing(ctx, missing, tags, importId);
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
