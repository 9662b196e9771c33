import { assertNone } from "../../field-errors";
import { joinNames } from "../../lib/csv";
import type { ImportedCells } from "../../lib/import-columns";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { spellings } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { TOO_MANY_TAGS, UNKNOWN_GROUP } from "../links/link-errors";
import { nameProblem } from "../tags/tag-names";

/** What a member chooses for every new link of a file: a group by id or slug, tags by id, and names of tags. */
export interface ForAllInput {
  group?: string | undefined;
  tags?: readonly string[];
  newTags?: readonly string[];
}

/** What every new link of a file gets: the group if its row names none, and the tags besides those of its row. */
export interface ForAll {
  group: { id: string; name: string } | null;
  tags: readonly string[];
}

const NONE: ForAll = { group: null, tags: [] };

/** Resolves the choice; 422 on its field if a group or tag does not exist, or there are too many tags. */
export function resolveForAll(
  { group, tags = [], newTags = [] }: ForAllInput,
  [found]: readonly { public_id: string; name: string }[],
  known: readonly { public_id: string; name: string }[],
): ForAll {
  const nameOf = new Map(known.map(({ public_id: id, name }) => [id, name]));
  const chosen = tags.flatMap((id) => nameOf.get(storedId(id)) ?? []);
  const names = spellings([...chosen, ...newTags]).map(([, name]) => name);
  const message = "A chosen tag was not found in this workspace.";
  assertNone([
    group !== undefined && found === undefined ? UNKNOWN_GROUP : undefined,
    chosen.length < tags.length ? { field: "tag_ids", message, code: "unknown" } : undefined,
    newTags.map(nameProblem).find((problem) => problem !== undefined),
    names.length > MAX_TAGS_ON_LINK ? { ...TOO_MANY_TAGS, field: "new_tags" } : undefined,
  ]);
  return { group: found === undefined ? null : { id: found.public_id, name: found.name }, tags: names };
}

/** The cells of a new link with what every one gets. The stored cells stay as in the file, which may be sent again as updates. */
export const withForAll = (cells: ImportedCells, { group, tags } = NONE): ImportedCells => ({
  ...cells,
  ...(group !== null && !cells.activity_group?.trim() && { activity_group: group.id }),
  ...(tags.length > 0 && { tags: `${joinNames(tags)}, ${cells.tags ?? ""}` }),
});
