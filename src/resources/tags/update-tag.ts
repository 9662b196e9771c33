import { auditEntry, type Context } from "../../context";
import { assertFound, assertNone, retryLostRaces } from "../../errors";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { updateTagRow } from "./tag-repository";
import type { Tag, UpdateTag } from "./tag-schema";
import { assertTag, freeTagSlug, takenProblems, toTag } from "./tag-service";
import { ensureTagExists, selectTag, selectTagSnapshot, selectTags } from "./tag-statements";

/** Updates the given fields. A null slug is generated from the name. */
export const updateTag = (ctx: Context, id: string, input: UpdateTag): Promise<Tag> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, all] = await ctx.db.read(selectTag(workspaceId, storedId(id)), selectTags(workspaceId));
    const row = await assertTag(ctx, rows[0]);

    const others = all.filter((tag) => tag.id !== row.id);
    const name = input.name ?? row.name;
    const nameKey = fold(name);
    assertNone(takenProblems(others, nameKey, input.slug));

    const remade = input.slug === null ? freeTagSlug(ctx, name, others) : undefined;
    const next = {
      name,
      name_key: nameKey,
      slug: input.slug ?? remade ?? row.slug,
      colour: input.colour === undefined ? row.colour : input.colour,
      description: input.description === undefined ? row.description : input.description,
    };
    const changed = Object.fromEntries(
      Object.entries(next).filter(([field, value]) => value !== row[field as keyof typeof next]),
    );
    if (Object.keys(changed).length === 0) return toTag(row);

    const at = ctx.now();
    const [after] = await ctx.db.write(
      {
        ...auditEntry(ctx, "tag.update", row.public_id, at),
        before: selectTagSnapshot(workspaceId, row.public_id),
        change: input,
        guards: [ensureTagExists(workspaceId, row.public_id, row.version)],
      },
      [updateTagRow(workspaceId, row.public_id, { ...changed, updated_at: at })],
      selectTag(workspaceId, row.public_id),
    );
    return toTag(assertFound(after[0], "Tag"));
  });
