import { ulid } from "ulidx";
import { type ActivityGroupRow, groupByIdOrSlug } from "../activity-groups/repository";
import type { Context } from "../context";
import {
  assertNone,
  BLOCKED_HOST,
  type FieldError,
  LostRace,
  linkLimitReached,
  UNKNOWN_GROUP,
  unknownTag,
  untilDecided,
} from "../errors";
import { blockedAmong } from "../hosts/repository";
import { readRules, settling } from "../idempotency/service";
import { destinationHost, hostAndParents, ownHostProblem } from "../lib/destination";
import { fold, randomSlug, slugKey } from "../lib/slug-text";
import { ulidOf } from "../lib/ulid-text";
import { slugProblem } from "../slugs/claim";
import { claimOnSlug, openSlug, slugIsFree, slugsToPush } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { type TagRow, tagsByIds } from "../tags/repository";
import { countLinkCreated, hasRoomForLink, type Usage, usage } from "../workspaces/repository";
import { attachTags, insertLink, reconcileItem } from "./changes";
import { toLink } from "./link";
import { NO_GROUP } from "./repository";
import type { CreateLink, Link } from "./schema";

/** The refusal of a destination on one of the service's own hosts or on the operator's blocklist. */
export function hostProblem(
  ctx: Context,
  destination: string,
  blocked: readonly unknown[],
): FieldError | undefined {
  const own = ownHostProblem(destinationHost(destination), ctx.config.ownHosts);
  if (own !== undefined) return { field: "destination_url", message: own.message };
  return blocked.length > 0 ? BLOCKED_HOST : undefined;
}

/** The refusals of tag ids that name no tag of the workspace, each at its place in the request. */
export const unknownTags = (ids: readonly string[], rows: readonly TagRow[]): FieldError[] =>
  ids.flatMap((id, index) => (rows.some((row) => row.public_id === storedId(id)) ? [] : [unknownTag(index)]));

export const storedId = (id: string): string => ulidOf(id) ?? "";

const limitProblem = (use: Usage | undefined): FieldError | undefined =>
  use !== undefined && use.link_limit !== null && use.active_links + use.archived_links >= use.link_limit
    ? linkLimitReached(use.link_limit)
    : undefined;

/** Creates a link: in a group, with tags and under a slug of its own, as far as they are given. */
export const createLink = (ctx: Context, input: CreateLink): Promise<Link> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const slug = input.slug ?? randomSlug(ctx.random);
    const key = slugKey(slug);
    const host = destinationHost(input.destination_url);
    const groupId = input.activity_group_id ?? undefined;
    const tagIds = input.tag_ids ?? [];
    const [blocked, claims, groups, tagRows, [use]] = await readRules(ctx, [
      blockedAmong(hostAndParents(host)),
      claimOnSlug(workspaceId, key),
      groupByIdOrSlug(workspaceId, ulidOf(groupId ?? ""), groupId ?? ""),
      tagsByIds(workspaceId, tagIds.map(storedId)),
      usage(workspaceId),
    ]);
    const group: ActivityGroupRow | undefined = groups[0];
    assertNone([
      hostProblem(ctx, input.destination_url, blocked),
      input.slug == null ? undefined : slugProblem(claims, null),
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
      ...unknownTags(tagIds, tagRows),
      limitProblem(use),
    ]);
    if (input.slug == null && claims.length > 0) throw new LostRace();

    const readAt = ctx.now();
    const id = ulid(readAt);
    const own = {
      public_id: id,
      slug,
      slug_key: key,
      destination_url: input.destination_url,
      title: input.title ?? null,
      title_key: input.title == null ? null : fold(input.title),
      channel: input.channel ?? null,
      utm_source: input.utm_source ?? null,
      utm_medium: input.utm_medium ?? null,
      utm_campaign: input.utm_campaign ?? group?.default_utm_campaign ?? null,
      utm_campaign_origin: input.utm_campaign == null ? ("inherited" as const) : ("explicit" as const),
      archived_at: null,
      created_at: readAt,
      updated_at: readAt,
    };
    const link = toLink(
      { ...own, version: 1, group: group ?? NO_GROUP, tags: JSON.stringify(tagRows) },
      ctx.config.shortBaseUrl,
    );
    const settle = await settling(ctx, link);
    const [toPush] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "link.create",
        subject: id,
        at: readAt,
        change: input,
        guards: [hasRoomForLink(workspaceId), slugIsFree(workspaceId, key, id), ...settle.guards],
      },
      [
        countLinkCreated(workspaceId),
        insertLink({
          ...own,
          workspace_id: workspaceId,
          destination_key: fold(input.destination_url),
          destination_host: host,
          activity_group_id: group?.id ?? null,
        }),
        openSlug(workspaceId, key, id, readAt),
        ...(group === undefined ? [] : reconcileItem(workspaceId, id, readAt)),
        ...(tagRows.length === 0
          ? []
          : [
              attachTags(
                workspaceId,
                id,
                tagRows.map((row) => row.public_id),
              ),
            ]),
        ...settle.statements,
      ],
      slugsToPush(workspaceId, id),
    );
    await pushTargets(ctx, toPush, readAt);
    return link;
  });
