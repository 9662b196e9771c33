import { selectWorkspaceBySlug } from "../../access/workspace-statements";
import { auditEntryIn, type ServiceContext } from "../../context";
import { insertAuditRow } from "../../db/audit";
import { retryLostRaces, ServiceError, workspaceNotFound } from "../../errors";
import { newId } from "../../lib/ids";
import { namedKey } from "../../lib/short-url";
import { writeToKv } from "./kv-writer";
import { ensureSlugUnchanged, type SlugRow, selectSlug, updateSlugCounts } from "./statements/changes";
import { markSlugs, RANKS } from "./statements/marks";
import { selectTombstones } from "./statements/targets";

/** Why a slug cannot be given away. */
function findRefusal(slug: SlugRow, toRowId: number, to: string): string | undefined {
  const { key } = slug;
  if (slug.asset !== null) return `The slug ${key} is the code of an Offline Engagement asset.`;
  if (slug.workspace_id === toRowId) return `The slug ${key} belongs to the workspace ${to} already.`;
  if (slug.taken_down_at !== null)
    return `The slug ${key} has been taken down. End that first: link restore --slug ${key}`;
  if (slug.doubt_until !== null && slug.link_id === null) {
    return `The slug ${key} has changed a moment ago, and KV may not show it yet: try again in five minutes.`;
  }
  if (slug.link_id === null) return undefined;
  return `The slug ${key} opens a link. The link must be deleted, or an owner must drop the slug from it, first.`;
}

/**
 * Moves a tombstone to the workspace with the slug `to`, whose slug limit is not checked. Each workspace gets an audit row
 * that does not name the other one. Throws 404 or 422.
 */
export const releaseSlug = (ctx: ServiceContext, named: string, to: string) =>
  retryLostRaces(async () => {
    const [[slug], [workspace]] = await ctx.db.read(
      selectSlug(namedKey(ctx.config, named)),
      selectWorkspaceBySlug(to),
    );
    if (workspace === undefined) throw workspaceNotFound();
    if (slug === undefined) {
      throw new ServiceError(404, { message: `Nobody has ever used the slug ${named}: it is free.` });
    }
    const message = findRefusal(slug, workspace.id, workspace.slug);
    if (message !== undefined) throw new ServiceError(422, { message });
    const at = ctx.now();
    const { key } = slug;
    const [toWrite] = await ctx.db.write(
      {
        ...auditEntryIn(slug.workspace_id, ctx, "slug.release", key, at),
        space: "frees",
        guards: [ensureSlugUnchanged(slug)],
      },
      [
        insertAuditRow(newId(at), auditEntryIn(workspace.id, ctx, "slug.receive", key, at)),
        updateSlugCounts(slug.workspace_id, workspace.id),
        markSlugs("slugs", slug.workspace_id, [key], {
          at,
          rank: RANKS.edit,
          set: `workspace_id = ${workspace.id},`,
        }),
      ],
      selectTombstones(workspace.id, [key]),
    );
    await writeToKv(ctx, toWrite, at);
    return { slug: key, workspace: workspace.slug };
  });
