import { ulid } from "ulidx";
import { type ActivityGroupRow, groupByIdOrSlug } from "../activity-groups/repository";
import type { Context } from "../context";
import { assertNone, LostRace, UNKNOWN_GROUP, untilDecided } from "../errors";
import { blockedAmong } from "../hosts/repository";
import { judgeHost, nextCheck } from "../hosts/resolver";
import { readRules, settling } from "../idempotency/service";
import { destinationHost, hostAndParents } from "../lib/destination";
import { fold, randomSlug, slugKey } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { slugProblem } from "../slugs/claim";
import { isUnclaimed } from "../slugs/limits";
import { claimOnSlug, openSlug, slugIsFree, slugsToPush } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { tagsByIds } from "../tags/repository";
import { hasRoomForLink, usage } from "../workspaces/repository";
import { beginItem } from "./assignment";
import { attachTags, insertLink } from "./changes";
import { toLink } from "./link";
import { NO_GROUP } from "./repository";
import { claimProblem, hostProblem, limitProblem, unknownTags } from "./rules";
import type { CreateLink, Link } from "./schema";
import { indexLink } from "./search";
import { moveTotals } from "./totals";

/** The columns of a new link that what is asked for decides. */
export const newLink = (input: CreateLink, slug: string, group: ActivityGroupRow | undefined) => ({
  slug,
  slug_key: slugKey(slug),
  destination_url: input.destination_url,
  destination_key: fold(input.destination_url),
  destination_host: destinationHost(input.destination_url),
  title: input.title ?? null,
  title_key: input.title == null ? null : fold(input.title),
  channel: input.channel ?? null,
  utm_source: input.utm_source ?? null,
  utm_medium: input.utm_medium ?? null,
  utm_campaign: input.utm_campaign ?? group?.default_utm_campaign ?? null,
  utm_campaign_origin: input.utm_campaign == null ? ("inherited" as const) : ("explicit" as const),
  activity_group_id: group?.id ?? null,
});

/** Creates a link: in a group, with tags and under a slug of its own, as far as they are given. */
export const createLink = (ctx: Context, input: CreateLink): Promise<Link> => {
  const judged = judgeHost(ctx.config, destinationHost(input.destination_url));
  return untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const slug = input.slug ?? randomSlug(ctx.random);
    const key = slugKey(slug);
    const host = destinationHost(input.destination_url);
    const groupId = input.activity_group_id ?? undefined;
    const tagIds = input.tag_ids ?? [];
    const [blocked, claims, groups, tagRows, [use]] = await readRules(ctx, [
      blockedAmong(hostAndParents(host)),
      claimOnSlug(workspaceId, key),
      groupId === undefined ? undefined : groupByIdOrSlug(workspaceId, storedId(groupId), groupId),
      tagIds.length === 0 ? undefined : tagsByIds(workspaceId, tagIds.map(storedId)),
      usage(workspaceId),
    ]);
    const group: ActivityGroupRow | undefined = groups[0];
    const verdict = await judged;
    assertNone([
      hostProblem(ctx, input.destination_url, blocked, verdict),
      input.slug == null ? undefined : slugProblem(claims, null),
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
      ...unknownTags(tagIds, tagRows),
      limitProblem(use),
      claimProblem(use, claims.length === 0 ? 1 : 0),
    ]);
    if (input.slug == null && claims.length > 0) throw new LostRace();

    const readAt = ctx.now();
    const id = ulid(readAt);
    const own = newLink(input, slug, group);
    const link = toLink(
      {
        ...own,
        public_id: id,
        version: 1,
        group: group ?? NO_GROUP,
        tags: tagRows,
        archived_at: null,
        created_at: readAt,
        updated_at: readAt,
      },
      ctx.config.shortBaseUrl,
    );
    const settle = await settling(ctx, link);
    const isNewSlug = claims.length === 0;
    const [toPush] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "link.create",
        subject: id,
        at: readAt,
        change: input,
        guards: [
          hasRoomForLink(workspaceId),
          isNewSlug ? isUnclaimed(key) : slugIsFree(workspaceId, key, id),
          ...settle.guards,
        ],
      },
      [
        ...moveTotals(
          workspaceId,
          undefined,
          {
            archived: false,
            tags: tagRows.map((row) => row.id),
            group: group?.id ?? null,
            channel: own.channel,
          },
          isNewSlug ? 1 : 0,
        ),
        insertLink({
          ...own,
          public_id: id,
          workspace_id: workspaceId,
          verdict,
          check_at: nextCheck(ctx.config, verdict, readAt),
          created_at: readAt,
          updated_at: readAt,
        }),
        openSlug(workspaceId, key, id, readAt),
        ...(group === undefined ? [] : [beginItem(workspaceId, id, group.id, own.channel, readAt)]),
        ...(tagRows.length === 0
          ? []
          : [
              attachTags(
                workspaceId,
                id,
                tagRows.map((row) => row.public_id),
              ),
            ]),
        indexLink(workspaceId, id),
        ...settle.statements,
      ],
      slugsToPush(workspaceId, id),
    );
    await pushTargets(ctx, toPush, readAt);
    return link;
  });
};
