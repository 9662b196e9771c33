import { groupByIdOrSlug } from "../activity-groups/repository";
import type { Context } from "../context";
import { assertNone, LostRace, MAX_SLUGS_OF_LINK, UNKNOWN_GROUP, untilDecided } from "../errors";
import { blockedAmong } from "../hosts/repository";
import { judgeHost } from "../hosts/resolver";
import { campaignChange } from "../lib/campaign";
import { destinationHost, hostAndParents } from "../lib/destination";
import { fold, slugKey } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { countSlugsOfLink } from "../slugs/limits";
import { claimOnSlug } from "../slugs/repository";
import { tagsByIds } from "../tags/repository";
import { usage } from "../workspaces/repository";
import type { LinkFields } from "./changes";
import { assertUnchanged, found } from "./link";
import { type GroupInLink, linkById } from "./repository";
import { hostProblem, renameProblems, unknownTags } from "./rules";
import { saveLink } from "./save";
import type { EditLink, Link, UpdateLink } from "./schema";

/** The columns that an update sets; `group` is the one that it names. */
export function fieldsOf(input: UpdateLink, group: GroupInLink | undefined): LinkFields {
  const { slug, destination_url, title, channel, utm_source, utm_medium, status } = input;
  return {
    slug,
    slug_key: slug === undefined ? undefined : slugKey(slug),
    destination_url,
    destination_key: destination_url === undefined ? undefined : fold(destination_url),
    destination_host: destination_url === undefined ? undefined : destinationHost(destination_url),
    title,
    title_key: title == null ? title : fold(title),
    channel,
    utm_source,
    utm_medium,
    archived: status === undefined ? undefined : status === "archived",
    activityGroup: input.activity_group_id === undefined ? undefined : (group?.id ?? null),
    campaign: campaignChange(input.utm_campaign, input.activity_group_id !== undefined),
  };
}

/**
 * Updates the given fields of a link and its tags, reconciles its assignment, and brings what visitors see to KV. How many
 * slugs the link and the workspace have is read only where something was refused: the batch itself holds their limits.
 */
export const updateLink = (ctx: Context, path: string, input: EditLink): Promise<Link> => {
  const { destination_url: destination, slug, tag_ids: tagIds } = input;
  const judged = destination === undefined ? undefined : judgeHost(ctx.config, destinationHost(destination));
  let readsLimits = false;
  return untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const groupId = input.activity_group_id ?? undefined;
    const [rows, blocked, claims, groups, tags, [opening], [use]] = await ctx.db.read(
      linkById(workspaceId, storedId(path)),
      destination === undefined ? undefined : blockedAmong(hostAndParents(destinationHost(destination))),
      slug === undefined ? undefined : claimOnSlug(workspaceId, slugKey(slug)),
      groupId === undefined ? undefined : groupByIdOrSlug(workspaceId, storedId(groupId), groupId),
      tagIds === undefined ? undefined : tagsByIds(workspaceId, tagIds.map(storedId)),
      readsLimits ? countSlugsOfLink(workspaceId, storedId(path), MAX_SLUGS_OF_LINK) : undefined,
      readsLimits ? usage(workspaceId) : undefined,
    );
    const row = found(rows[0]);
    await assertUnchanged(ctx, row);
    const group = groups[0];
    const verdict = await judged;
    const [slugProblem, claimProblem] = renameProblems(row, slug, {
      claims,
      slugs: opening?.slugs ?? 0,
      use,
    });
    const problems = [
      destination === undefined ? undefined : hostProblem(ctx, destination, blocked, verdict),
      slugProblem,
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
      ...(tagIds === undefined ? [] : unknownTags(tagIds, tags)),
      claimProblem,
    ];
    const isJudgedInFull = readsLimits || slug === undefined;
    readsLimits = slug !== undefined;
    if (!isJudgedInFull && problems.some((problem) => problem !== undefined)) throw new LostRace();
    assertNone(problems);

    return saveLink(ctx, {
      row,
      fields: fieldsOf(input, group),
      group,
      tags: tagIds === undefined ? undefined : tags,
      isNewSlug: claims.length === 0,
      verdict,
      action: "link.update",
      change: input,
    });
  });
};
