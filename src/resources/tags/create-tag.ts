import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/workspace-statements";
import { auditEntry, type Context } from "../../context";
import { assertNone, type FieldError, retryLostRaces } from "../../errors";
import { chunksBySize } from "../../lib/chunks";
import { newId } from "../../lib/ids";
import { fold, spellings } from "../../lib/slug-text";
import { text } from "../../lib/validation";
import { insertTags, type NewTagRow } from "./tag-repository";
import type { CreateTag, Tag } from "./tag-schema";
import { freeTagSlug, MAX_TAGS, TAG_LIMIT_REACHED, takenProblems, toTag } from "./tag-service";
import { selectTags } from "./tag-statements";

/**
 * Writes new tags, each with its own audit entry, after one of the import if they are made for it. Throws LostRace if the
 * workspace has got a tag of the same name, or has become full.
 */
async function writeTags(
  ctx: Context,
  rows: readonly NewTagRow[],
  at: number,
  { importId, answer }: { importId?: string | undefined; answer?: Tag },
): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const entries = rows.map((row) => ({ action: "tag.create", subject: row.public_id, change: toTag(row) }));
  const head = { action: "tag.import", subject: importId ?? "", change: { tags: rows.length } };
  const [first = head, ...others] = importId === undefined ? entries : [head, ...entries];
  await ctx.db.write(
    {
      ...auditEntry(ctx, first.action, first.subject, at),
      change: first.change,
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
      colour: input.colour ?? null,
      description: input.description ?? null,
    };
    const tag = toTag(row);
    await writeTags(ctx, [row], at, { answer: tag });
    return tag;
  });

const MAX_NAME_CHARACTERS = 100;

export const nameProblem = (name: string): FieldError | undefined => {
  const failed = !text(MAX_NAME_CHARACTERS).safeParse(name).success;
  const message = `The name of a tag must not have more than ${MAX_NAME_CHARACTERS} characters, nor control characters.`;
  return failed ? { field: "new_tags", message, code: "format" } : undefined;
};

const distinctNames = (names: readonly string[]) =>
  spellings(names.map((name) => name.trim()).filter((name) => name !== ""));

/** Names in a text, with commas between them. */
export const splitTagNames = (names: string): string[] =>
  distinctNames(names.split(",")).map(([, name]) => name);

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
    const wanted = distinctNames(names);
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
    const at = ctx.now();
    const neighbours: { slug: string }[] = [...tags];
    const made = missing.map(([nameKey, name]) => {
      const slug = freeTagSlug(ctx, name, neighbours);
      neighbours.push({ slug });
      return { public_id: newId(at), name, name_key: nameKey, slug, colour: null, description: null };
    });
    if (made.length > 0) await writeTags(ctx, made, at, { importId });
    return new Map([...known, ...made].map((tag) => [tag.name_key, tag.public_id]));
  });
