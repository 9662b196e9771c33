import type { Context } from "../context";
import { MAX_SLUGS_OF_LINK } from "../errors";
import { nextCheck, type Verdict } from "../hosts/resolver";
import { isUnclaimed, linkHasRoomForSlug } from "../slugs/limits";
import { always, openSlugOfRow, outdateSlugs, slugIsFree, slugsToPush } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { moveItem } from "./assignment";
import {
  attachTags,
  bumpVersion,
  changesTarget,
  detachTags,
  type LinkFields,
  mayChangeTarget,
  setStatusOfTags,
  updateLinkRow,
} from "./changes";
import { found, toLink, versionToFind } from "./link";
import {
  type GroupInLink,
  groupOf,
  type LinkRow,
  linkById,
  linkIsThere,
  linkMayGetSlug,
  linkSnapshot,
  snapshotOf,
  type TagInLink,
} from "./repository";
import type { Link } from "./schema";
import { indexLink, unindexLink, unindexLinkAs } from "./search";
import { type Counted, countedFor, moveTotals } from "./totals";

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
    (campaign.kind === "restore"
      ? row.utm_campaign_origin === campaign.origin && row.utm_campaign === campaign.value
      : campaign.kind === "give"
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
function tagMoves(row: LinkRow, wanted: readonly TagInLink[]) {
  const carried = row.tags;
  const without = (tags: readonly TagInLink[], others: readonly TagInLink[]) =>
    tags.filter(({ id }) => others.every((other) => other.id !== id)).map((tag) => tag.public_id);
  const added = without(wanted, carried);
  const gone = without(carried, wanted);
  return added.length + gone.length === 0 ? undefined : { all: wanted.map(({ id }) => id), added, gone };
}

/** What a link becomes, judged by the rules already, and what the audit log says of it. */
export interface Save {
  row: LinkRow;
  fields: LinkFields;
  /** The group that the fields name. */
  group: GroupInLink | undefined;
  /** All that the link shall carry; undefined where they stay. */
  tags?: readonly TagInLink[] | undefined;
  /** Whether nobody had claimed the slug that the fields name. */
  isNewSlug: boolean;
  /** Of the destination that the fields name. */
  verdict: Verdict | undefined;
  action: "link.update" | "link.revert";
  change: object;
}

/** Writes the fields and tags of a link that was read as `row`, reconciles its assignment, and brings what visitors see to KV. */
export async function saveLink(
  ctx: Context,
  { row, fields: asked, group, tags: wanted, isNewSlug, verdict, action, change }: Save,
): Promise<Link> {
  const tags = wanted === undefined ? undefined : tagMoves(row, wanted);
  if (isAsAsked(row, asked, group) && tags === undefined) return toLink(row, ctx.config.shortBaseUrl);
  const workspaceId = ctx.workspace.rowId;
  const id = row.public_id;
  const at = ctx.now();
  const fields: LinkFields = {
    ...asked,
    ...(verdict && { verdict, check_at: nextCheck(ctx.config, verdict, at) }),
  };
  const key = fields.slug === row.slug ? undefined : fields.slug_key;
  const was = countedFor(row);
  const will = { ...willCountFor(was, fields), ...(tags && { tags: tags.all }) };
  const totals = moveTotals(workspaceId, was, will, key !== undefined && isNewSlug ? 1 : 0);
  const visible = mayChangeTarget(fields);
  const leadsElsewhere =
    fields.destination_url !== undefined && fields.destination_url !== row.destination_url;
  /** Whether the row must be as it was read: then it tells the state before, and where the index has it. */
  const pinned =
    tags !== undefined || action === "link.revert" || countsElsewhere(fields) || fields.slug !== undefined;
  const isFoundBy = [fields.archived, key, fields.title, fields.destination_url].some(
    (value) => value !== undefined,
  );
  const [after, toPush] = await ctx.db.write(
    {
      workspaceId,
      actor: ctx.actor,
      action,
      subject: id,
      at,
      before: pinned ? snapshotOf(row, tags !== undefined) : linkSnapshot(workspaceId, id),
      change,
      guards: [
        ...(key === undefined
          ? [linkIsThere(workspaceId, id, pinned ? row.version : versionToFind(ctx, row))]
          : [
              linkMayGetSlug(workspaceId, id, row.version),
              isNewSlug ? isUnclaimed(key) : slugIsFree(workspaceId, key, id),
              linkHasRoomForSlug(workspaceId, row.id, key, MAX_SLUGS_OF_LINK),
            ]),
      ],
    },
    [
      ...totals,
      ...(was.archived === will.archived ? [] : [setStatusOfTags(row.id, will.archived ? 1 : 0)]),
      ...moveItem(workspaceId, row, fields, at),
      ...(isFoundBy
        ? [pinned ? unindexLinkAs(workspaceId, was.archived ? 1 : 0, row.id) : unindexLink(workspaceId, id)]
        : []),
      ...(visible
        ? [
            outdateSlugs(
              workspaceId,
              row.id,
              leadsElsewhere ? always : changesTarget(workspaceId, id, fields, at),
              at,
            ),
          ]
        : []),
      ...(key === undefined ? [] : [openSlugOfRow(workspaceId, key, row.id, at)]),
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
}
