import type { Context } from "../context";
import { assertNone, LINK_IS_LIVE, untilDecided } from "../errors";
import { storedId } from "../lib/ulid-text";
import { releaseSlugs, slugsOfLink, tombstonesOfSlugs } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { softDelete } from "./changes";
import { assertUnchanged, found } from "./link";
import { isOnNoLiveAsset, linkById, linkIsThere, liveAssetOf, snapshotOf } from "./repository";

/** Deletes a link softly and frees its slugs for its own workspace; one on a live asset stays as it is. */
export const deleteLink = (ctx: Context, path: string): Promise<void> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, assets, slugs] = await ctx.db.read(
      linkById(workspaceId, storedId(path)),
      liveAssetOf(workspaceId, storedId(path)),
      slugsOfLink(workspaceId, storedId(path)),
    );
    const row = found(rows[0]);
    await assertUnchanged(ctx, row);
    assertNone([assets[0]?.live === 1 ? LINK_IS_LIVE : undefined]);

    const id = row.public_id;
    const at = ctx.now();
    const [released] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "link.delete",
        subject: id,
        at,
        before: snapshotOf(row, true),
        // At the version read, since a rename meanwhile would add a slug whose visitors have to be told.
        guards: [linkIsThere(workspaceId, id, row.version), isOnNoLiveAsset(workspaceId, id)],
      },
      [...softDelete(workspaceId, row, at), releaseSlugs(workspaceId, row.id, at)],
      tombstonesOfSlugs(
        workspaceId,
        slugs.map((slug) => slug.key),
      ),
    );
    await pushTargets(ctx, released, at);
  });
