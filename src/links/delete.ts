import type { Context } from "../context";
import { assertNone, LINK_IS_LIVE, retryLostRaces } from "../errors";
import { storedId } from "../lib/ulid-text";
import { selectSlugsOfLink } from "../slugs/repository";
import { assertUnchanged, found } from "./link";
import { linkById, liveAssetOf } from "./repository";
import { commitLinks } from "./write/commit";

/** Deletes a link softly and frees its slugs for its own workspace; one on a live asset stays as it is. */
export const deleteLink = (ctx: Context, path: string): Promise<void> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const id = storedId(path);
    const [[row], [asset], slugs] = await ctx.db.read(
      linkById(workspaceId, id),
      liveAssetOf(workspaceId, id),
      selectSlugsOfLink(workspaceId, id),
    );
    const was = found(row);
    await assertUnchanged(ctx, was);
    assertNone([asset?.live === 1 ? LINK_IS_LIVE : undefined]);
    const otherSlugs = slugs.map(({ key }) => key).filter((key) => key !== was.slug_key);
    await commitLinks(ctx, [{ was, will: undefined, otherSlugs }], { action: "link.delete", at: ctx.now() });
  });
