import type { Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { storedId } from "../../lib/ulid-text";
import { selectKeysOfLink } from "../../redirect/slugs/statements/targets";
import { assertLinkUnchanged } from "./link";
import { LINK_IS_LIVE } from "./link-errors";
import { selectLink, selectLiveAssets } from "./link-repository";
import { commitLinks } from "./write/commit";

/** Soft-deletes a link and turns its slugs, which its workspace may use again, and its assets' codes into tombstones. 422 if a live asset carries the link. */
export const deleteLink = (ctx: Context, path: string): Promise<void> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const id = storedId(path);
    const [[row], liveAssets, slugs] = await ctx.db.read(
      selectLink(workspaceId, id),
      selectLiveAssets(workspaceId, id),
      selectKeysOfLink(workspaceId, id),
    );
    const was = assertFound(row, "Link");
    await assertLinkUnchanged(ctx, was);
    assertNone([liveAssets.length > 0 ? LINK_IS_LIVE : undefined]);
    const otherSlugs = slugs.map(({ key }) => key).filter((key) => key !== was.slug_key);
    await commitLinks(ctx, [{ was, will: undefined, otherSlugs }], { action: "link.delete", at: ctx.now() });
  });
