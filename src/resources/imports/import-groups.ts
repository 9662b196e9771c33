import type { Context } from "../../context";
import { chunksBySize } from "../../lib/chunks";
import type { Failure } from "../../lib/failure";
import { fold, foldSlug } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectGroupsByText } from "../activity-groups/group-statements";
import { UNKNOWN_GROUP } from "../links/link-errors";

const AMBIGUOUS_GROUP: Failure = {
  field: "activity_group",
  message: "More than one group has this name: write its slug instead.",
  code: "format",
};

type NamedGroup = string | null | undefined;

/** The id of the group that a text names, or the error; null without a text. */
export type FindGroup = (text: NamedGroup) => { id: string | null } | { error: Failure };

/** Finds the Activity Groups of links by id, else by slug, else by name. */
export async function findGroups(
  ctx: Context,
  links: readonly { activity_group?: NamedGroup }[],
): Promise<FindGroup> {
  const texts = new Set(links.flatMap((link) => link.activity_group ?? []));
  const wanted = [...texts].map((text) => [storedId(text), foldSlug(text), fold(text), text]);
  const found = await ctx.db.read(
    ...chunksBySize(wanted).map((chunk) => selectGroupsByText(ctx.workspace.rowId, JSON.stringify(chunk))),
  );
  const named = Map.groupBy(found.flat(), ({ text }) => text);
  return (text) => {
    if (text == null) return { id: null };
    const groups = named.get(text) ?? [];
    const best = Math.min(...groups.map(({ by }) => by));
    const [group, other] = groups.filter(({ by }) => by === best);
    if (group === undefined) return { error: UNKNOWN_GROUP };
    return other === undefined ? { id: group.id } : { error: AMBIGUOUS_GROUP };
  };
}
