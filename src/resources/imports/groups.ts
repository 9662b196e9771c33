import type { Context } from "../../context";
import type { FieldError } from "../../errors";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectGroupsByText } from "../activity-groups/statements";
import { UNKNOWN_GROUP } from "../links/errors";
import { chunksOf } from "./chunks";

const AMBIGUOUS_GROUP: FieldError = {
  field: "activity_group",
  message: "More than one Activity Group has this name: write its slug instead.",
  code: "format",
};

const TEXTS_PER_STATEMENT = 100;

/** The id of the group that a text names, or the error. */
export type FindGroup = (text: string) => { id: string } | { error: FieldError };

/** Finds Activity Groups by id, else by slug, else by name. */
export async function findGroups(ctx: Context, texts: readonly string[]): Promise<FindGroup> {
  const parts = chunksOf([...new Set(texts)], TEXTS_PER_STATEMENT);
  const found =
    parts.length === 0
      ? []
      : await ctx.db.read(
          ...parts.map((part) =>
            selectGroupsByText(
              ctx.workspace.rowId,
              JSON.stringify(part.map((text) => [storedId(text), text, fold(text)])),
            ),
          ),
        );
  const named = new Map<string, { id: string } | { error: FieldError }>();
  for (const [index, part] of parts.entries()) {
    for (const [place, text] of part.entries()) {
      const rows = (found[index] ?? []).filter((row) => row.text === place);
      const best = Math.min(...rows.map(({ by }) => by));
      const [group, other] = rows.filter(({ by }) => by === best);
      if (group !== undefined) {
        named.set(text, other === undefined ? { id: group.id } : { error: AMBIGUOUS_GROUP });
      }
    }
  }
  return (text) => named.get(text) ?? { error: UNKNOWN_GROUP };
}
