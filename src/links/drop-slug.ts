import type { Context } from "../context";
import { assertNone, type FieldError, retryLostRaces, SLUG_TAKEN_DOWN } from "../errors";
import { slugKey } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { detachSlug, whereOldSlug } from "../slugs/changes";
import { type SlugOwnerRow, selectSlugOwner } from "../slugs/owners";
import { selectTombstones } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { found } from "./link";
import { type LinkRow, linkById } from "./repository";

const NOT_OF_LINK: FieldError = { field: "slug", message: "The slug does not open this link." };
const OWN_SLUG: FieldError = {
  field: "slug",
  message: "This is the link’s own slug: give the link another one first.",
};

function problemOf(row: LinkRow, key: string, claim: SlugOwnerRow | undefined): FieldError | undefined {
  if (claim?.link !== row.public_id) return NOT_OF_LINK;
  if (claim.taken_down === 1 || row.taken_down_by === "operator") return SLUG_TAKEN_DOWN;
  return key === row.slug_key ? OWN_SLUG : undefined;
}

/**
 * Takes an old slug off a link: its visitors get 404, and it stays the workspace's own. The link's version stays, since
 * nothing that a client reads of the link changes.
 */
export const dropSlug = (ctx: Context, path: string, slug: string): Promise<void> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const key = slugKey(slug);
    const [rows, [claim]] = await ctx.db.read(
      linkById(workspaceId, storedId(path)),
      selectSlugOwner(workspaceId, key),
    );
    const row = found(rows[0]);
    assertNone([problemOf(row, key, claim)]);
    const at = ctx.now();
    const [toPush] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "link.drop_slug",
        subject: row.public_id,
        at,
        change: { dropped_slug: key },
        guards: [whereOldSlug(workspaceId, row.id, key)],
      },
      [detachSlug(workspaceId, key, at)],
      selectTombstones(workspaceId, [key]),
    );
    await pushTargets(ctx, toPush, at);
  });
