import type { Context } from "../../context";
import { assertNone, type FieldError, invalid, retryLostRaces } from "../../errors";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { TOO_MANY_TAGS } from "../links/errors";
import { createMissingTags, findNamedTags } from "../tags/create-many";
import type { TagRow } from "../tags/statements";
import type { FindGroup } from "./groups";
import type { ForAllRow } from "./repository";

/**
 * What a member chose for every link of an import: an Activity Group by id, slug or name, tags by id, and names of tags that
 * are created if the workspace lacks them.
 */
export interface ForAllInput {
  group?: string | undefined;
  tags?: readonly string[];
  newTags?: readonly string[];
}

interface Named {
  id: string;
  name: string;
}

/** What every link of an import gets. The Activity Group of a row takes precedence; its tags are added to these. */
interface ForAll {
  group: { id: string } | null;
  tags: readonly Named[];
}

const refuse = (field: "activity_group_id" | "tag_ids", message: string): never => {
  throw invalid([{ field, message, code: "unknown" }]);
};

/** Resolves the choice; 422 on its field if a group or tag does not exist. */
export function resolveForAll(
  { group, tags = [] }: ForAllInput,
  groupOf: FindGroup,
  known: readonly { public_id: string; name: string }[],
): ForAll {
  const found = group === undefined ? undefined : groupOf(group);
  if (found !== undefined && "error" in found) refuse("activity_group_id", found.error.message);
  const tagOf = new Map(known.map(({ public_id: id, name }) => [id, name]));
  return {
    group: found !== undefined && "id" in found ? found : null,
    tags: [...new Set(tags.map(storedId))].map((id) => {
      const name = tagOf.get(id) ?? refuse("tag_ids", "A chosen tag was not found in this workspace.");
      return { id, name };
    }),
  };
}

/** Finds or creates the tags that a member named for every link of an import. 422 on `new_tags`. */
export async function createTagsForAll(
  ctx: Context,
  { tags }: Pick<ForAll, "tags">,
  names: readonly string[],
): Promise<TagRow[]> {
  const tooMany = { ...TOO_MANY_TAGS, field: "new_tags" };
  // More names are refused before they are read or written.
  if (names.length > MAX_TAGS_ON_LINK) throw invalid([tooMany]);
  return retryLostRaces(async () => {
    const named = await findNamedTags(ctx, names);
    assertNone([...named.problems, countTags(names, { tags }) > MAX_TAGS_ON_LINK ? tooMany : undefined]);
    return createMissingTags(ctx, named);
  });
}

/** The number of different tags of a row with those of every row. */
export const countTags = (names: readonly string[], { tags }: Pick<ForAll, "tags">): number =>
  new Set([...names, ...tags.map(({ name }) => name)].map(fold)).size;

/** What has been deleted since it was chosen, as the error of each row that would have it. */
export function missingProblems(rows: readonly ForAllRow[], hasOwnGroup: boolean): FieldError[] {
  const isMissing = (kind: ForAllRow["kind"]) => rows.some((row) => row.kind === kind && row.name === null);
  const problem = (field: string, what: string): FieldError => ({
    field,
    message: `${what} was chosen for every row, and has been deleted since.`,
    code: "unknown",
  });
  return [
    ...(isMissing("group") && !hasOwnGroup ? [problem("activity_group", "An Activity Group")] : []),
    ...(isMissing("tag") ? [problem("tags", "A tag")] : []),
  ];
}

/** The rows as what every link gets, without what no longer exists. */
export function toForAll(rows: readonly ForAllRow[]): { group: Named | null; tags: Named[]; isCut: boolean } {
  const named = rows.flatMap(({ kind, id, name }) => (name === null ? [] : [{ kind, id, name }]));
  const only = (kind: ForAllRow["kind"]): Named[] =>
    named.filter((row) => row.kind === kind).map(({ id, name }) => ({ id, name }));
  return { group: only("group")[0] ?? null, tags: only("tag"), isCut: named.length < rows.length };
}
