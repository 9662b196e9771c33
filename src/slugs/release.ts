import type { ServiceContext } from "../context";
import { retryLostRaces, ServiceError, workspaceNotFound } from "../errors";
import { newId } from "../lib/ids";
import { slugKey } from "../lib/slug-text";
import { workspaceBySlug } from "../workspaces/repository";
import { auditReceipt, giveSlug, moveClaim, type SlugAnywhere, slugAnywhere, slugIsAsRead } from "./changes";

const refused = (message: string) => new ServiceError(422, { message });

function assertGivable(slug: SlugAnywhere, toRowId: number, to: string): void {
  const { key } = slug;
  if (slug.workspace_id === toRowId) throw refused(`The slug ${key} belongs to the workspace ${to} already.`);
  if (slug.taken_down_at !== null) {
    throw refused(`The slug ${key} has been taken down. End that first: link restore --slug ${key}`);
  }
  if (slug.link_id !== null) {
    throw refused(
      `The slug ${key} opens a link. The link must be deleted, or an owner must drop the slug from it, first.`,
    );
  }
}

/**
 * Gives a slug that opens nothing to another workspace, named by its slug; the limits of that workspace are not asked. The
 * audit log of each workspace says that the slug went or came, and names no other workspace.
 */
export const releaseSlug = (
  ctx: ServiceContext,
  named: string,
  to: string,
): Promise<{ slug: string; workspace: string }> =>
  retryLostRaces(async () => {
    const [[slug], [workspace]] = await ctx.db.read(slugAnywhere(slugKey(named)), workspaceBySlug(to));
    if (workspace === undefined) throw workspaceNotFound();
    if (slug === undefined) {
      throw new ServiceError(404, { message: `Nobody has ever used the slug ${named}: it is free.` });
    }
    assertGivable(slug, workspace.id, workspace.slug);
    const at = ctx.now();
    const { key } = slug;
    await ctx.db.write(
      {
        workspaceId: slug.workspace_id,
        actor: ctx.actor,
        action: "slug.release",
        subject: key,
        at,
        guards: [slugIsAsRead(slug)],
      },
      [
        auditReceipt(newId(at), { workspaceId: workspace.id, actor: ctx.actor, subject: key, at }),
        moveClaim(slug.workspace_id, workspace.id),
        giveSlug(key, workspace.id),
      ],
    );
    return { slug: key, workspace: workspace.slug };
  });
