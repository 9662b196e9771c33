import { groupByIdOrSlug } from "../activity-groups/repository";
import type { Context } from "../context";
import { assertNone, UNKNOWN_GROUP, untilDecided } from "../errors";
import { blockedAmong } from "../hosts/repository";
import { judgeHost, nextCheck } from "../hosts/resolver";
import { campaignChange } from "../lib/campaign";
import { destinationHost, hostAndParents } from "../lib/destination";
import { fold, slugKey } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { slugProblem } from "../slugs/claim";
import { claimOnSlug, openSlug, outdateSlugs, slugIsFree, slugsToPush } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { type TagRow, tagsByIds } from "../tags/repository";
import {
  attachTags,
  bumpVersion,
  changesTarget,
  detachTags,
  type LinkFields,
  mayChangeTarget,
  moveItem,
  setStatusOfTags,
  updateLinkRow,
} from "./changes";
import { assertUnchanged, found, toLink, versionToFind } from "./link";
import {
  type GroupInLink,
  groupOf,
  type LinkRow,
  linkById,
  linkIsThere,
  linkSnapshot,
  type TagInLink,
  tagsIn,
  wholeSnapshot,
} from "./repository";
import { hostProblem, unknownTags } from "./rules";
import type { EditLink, Link, UpdateLink } from "./schema";
import { indexLink, unindexLink } from "./search";
import { type Counted, countedFor, moveTotals } from "./totals";

/** What an update sets of a link. */
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

/** Whether an update may change what a link counts for: what it counted for before is told by the row that was read. */
const countsElsewhere = ({ archived, activityGroup, channel }: LinkFields): boolean =>
  [archived, activityGroup, channel].some((value) => value !== undefined);

export const willCountFor = (was: Counted, { archived, activityGroup, channel }: LinkFields): Counted => ({
  ...was,
  ...(archived === undefined ? {} : { archived }),
  ...(activityGroup === undefined ? {} : { group: activityGroup }),
  ...(channel === undefined ? {} : { channel }),
});

/** Whether the row is already as the fields would make it, the origin of its campaign included. */
export function isAsAsked(row: LinkRow, fields: LinkFields, group: GroupInLink | undefined): boolean {
  const same = <T>(asked: T | undefined, is: T): boolean => asked === undefined || asked === is;
  const { campaign } = fields;
  const inherited = (fields.activityGroup === undefined ? groupOf(row) : group)?.default_utm_campaign ?? null;
  const campaignStays =
    campaign.kind === "keep" ||
    (campaign.kind === "give"
      ? row.utm_campaign_origin === "explicit" && row.utm_campaign === campaign.value
      : row.utm_campaign_origin === "explicit"
        ? campaign.explicitStays
        : row.utm_campaign === inherited);
  return (
    campaignStays &&
    same(fields.slug, row.slug) &&
    same(fields.destination_url, row.destination_url) &&
    same(fields.title, row.title) &&
    same(fields.channel, row.channel) &&
    same(fields.utm_source, row.utm_source) &&
    same(fields.utm_medium, row.utm_medium) &&
    same(fields.archived, row.archived_at !== null) &&
    same(fields.activityGroup, row.group.id)
  );
}

/** What a link's tags become, by their row ids, and which come and go; undefined where they stay. */
function tagMoves(row: LinkRow, wanted: readonly TagRow[]) {
  const carried = tagsIn(row);
  const without = (tags: readonly TagInLink[], others: readonly TagInLink[]) =>
    tags.filter(({ id }) => others.every((other) => other.id !== id)).map((tag) => tag.public_id);
  const added = without(wanted, carried);
  const gone = without(carried, wanted);
  return added.length + gone.length === 0 ? undefined : { all: wanted.map(({ id }) => id), added, gone };
}

/** Updates the given fields of a link and its tags, reconciles its assignment, and brings what visitors see to KV. */
export const updateLink = (ctx: Context, path: string, input: EditLink): Promise<Link> => {
  const { destination_url: destination, slug, tag_ids: tagIds } = input;
  const judged = destination === undefined ? undefined : judgeHost(ctx.config, destinationHost(destination));
  return untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const groupId = input.activity_group_id ?? undefined;
    const [rows, blocked, claims, groups, wantedTags] = await ctx.db.read(
      linkById(workspaceId, storedId(path)),
      destination === undefined ? undefined : blockedAmong(hostAndParents(destinationHost(destination))),
      slug === undefined ? undefined : claimOnSlug(workspaceId, slugKey(slug)),
      groupId === undefined ? undefined : groupByIdOrSlug(workspaceId, storedId(groupId), groupId),
      tagIds === undefined ? undefined : tagsByIds(workspaceId, tagIds.map(storedId)),
    );
    const row = found(rows[0]);
    await assertUnchanged(ctx, row);
    const group = groups[0];
    const verdict = await judged;
    assertNone([
      destination === undefined ? undefined : hostProblem(ctx, destination, blocked, verdict),
      slugProblem(claims, row.public_id),
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
      ...(tagIds === undefined ? [] : unknownTags(tagIds, wantedTags)),
    ]);

    const tags = tagIds === undefined ? undefined : tagMoves(row, wantedTags);
    const asked = fieldsOf(input, group);
    if (isAsAsked(row, asked, group) && tags === undefined) return toLink(row, ctx.config.shortBaseUrl);

    const id = row.public_id;
    const at = ctx.now();
    const fields: LinkFields = {
      ...asked,
      ...(verdict && { verdict, check_at: nextCheck(ctx.config, verdict, at) }),
    };
    const key = fields.slug_key;
    const was = countedFor(row);
    const will = { ...willCountFor(was, fields), ...(tags && { tags: tags.all }) };
    const totals = moveTotals(workspaceId, was, will);
    const visible = mayChangeTarget(fields);
    const isFoundBy = [fields.archived, key, fields.title, destination].some((value) => value !== undefined);
    const [after, toPush] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "link.update",
        subject: id,
        at,
        before: tags === undefined ? linkSnapshot(workspaceId, id) : wholeSnapshot(row),
        change: input,
        guards: [
          linkIsThere(
            workspaceId,
            id,
            tags !== undefined || countsElsewhere(fields) ? row.version : versionToFind(ctx, row),
          ),
          ...(key === undefined ? [] : [slugIsFree(workspaceId, key, id)]),
        ],
      },
      [
        ...totals,
        ...(was.archived === will.archived ? [] : [setStatusOfTags(row.id, will.archived ? 1 : 0)]),
        ...moveItem(workspaceId, row, fields, at),
        ...(isFoundBy ? [unindexLink(workspaceId, id)] : []),
        ...(visible ? [outdateSlugs(workspaceId, id, changesTarget(workspaceId, id, fields, at), at)] : []),
        ...(key === undefined ? [] : [openSlug(workspaceId, key, id, at)]),
        updateLinkRow(workspaceId, id, fields, at),
        ...(tags === undefined
          ? []
          : [
              detachTags(workspaceId, id, tags.gone),
              attachTags(workspaceId, id, tags.added),
              bumpVersion(workspaceId, id),
            ]),
        ...(isFoundBy ? [indexLink(workspaceId, id)] : []),
      ],
      linkById(workspaceId, id),
      visible ? slugsToPush(workspaceId, id) : undefined,
    );
    await pushTargets(ctx, toPush, at);
    return toLink(found(after[0]), ctx.config.shortBaseUrl);
  });
};
