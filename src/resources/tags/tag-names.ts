import { selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { newId } from "../../lib/ids";
import { eachField } from "../../lib/link-fields";
import { spellings } from "../../lib/slug-text";
import { tagName, tagTexts } from "./tag-schema";
import { freeTagSlug, MAX_TAGS, TAG_LIMIT_REACHED, writeTags } from "./tag-service";
import { selectTags } from "./tag-statements";

export const nameProblem = (name: string): Failure | undefined => {
  const message = "The name of a tag must not have more than 100 characters, nor control characters.";
  return tagName().safeParse(name).success ? undefined : { field: "new_tags", message, code: "format" };
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
      return { public_id: newId(at), name, name_key: nameKey, slug, ...eachField(tagTexts, () => null) };
    });
    // The operation of a form is that of what it changes besides.
    if (made.length > 0) await writeTags({ ...ctx, operation: undefined }, made, at, { importId });
    return new Map([...known, ...made].map((tag) => [tag.name_key, tag.public_id]));
  });
