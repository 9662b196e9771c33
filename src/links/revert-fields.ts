import { z } from "zod";
import { groupByIdOrSlug } from "../activity-groups/repository";
import type { Context } from "../context";
import { MAX_SLUGS_OF_LINK, UNKNOWN_GROUP } from "../errors";
import { blockedAmong } from "../hosts/repository";
import { judgeHost } from "../hosts/resolver";
import { destinationHost, hostAndParents } from "../lib/destination";
import { slugKey } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { check } from "../lib/validation";
import { countSlugsOfLink } from "../slugs/limits";
import { claimOnSlug } from "../slugs/repository";
import { tagsByIds } from "../tags/repository";
import { usage } from "../workspaces/repository";
import { toLink } from "./link";
import { groupOf, linkById } from "./repository";
import { foundUndeleted, type RevertPlan } from "./revert-plan";
import { tagsBroughtBack } from "./revert-tags";
import { hostProblem, renameProblems } from "./rules";
import { saveLink } from "./save";
import { type UpdateLink, updateLinkSchema } from "./schema";
import { fieldsOf } from "./update";

const text = z.string().nullable();

/** The state of a link that an update writes into the audit log. */
export const fieldsBefore = z.object({
  slug: z.string(),
  destination_url: z.string(),
  title: text,
  channel: text,
  archived_at: z.number().nullable(),
  utm_source: text,
  utm_medium: text,
  utm_campaign: text,
  utm_campaign_origin: z.enum(["explicit", "inherited"]),
  activity_group_id: text,
  /** Where the change was of tags too. */
  tag_ids: z.array(z.string()).optional(),
});

type FieldsBefore = z.output<typeof fieldsBefore>;
type State = Omit<FieldsBefore, "activity_group_id" | "tag_ids">;

/** A link's state in the terms of an update, but its campaign, in the order of the schema. */
const valuesOf = (state: State, group: string | null) => ({
  destination_url: state.destination_url,
  slug: state.slug,
  title: state.title,
  channel: state.channel,
  status: state.archived_at === null ? "active" : "archived",
  activity_group_id: group,
  utm_source: state.utm_source,
  utm_medium: state.utm_medium,
});

const campaignText = ({ utm_campaign: campaign, utm_campaign_origin: origin }: State): string | null =>
  campaign === null || origin === "explicit" ? campaign : `${campaign} (from the group)`;

const only = <T extends object>(values: T, keeps: (name: keyof T) => boolean): Partial<T> => {
  const kept: Partial<T> = {};
  for (const name of Object.keys(values) as (keyof T)[]) if (keeps(name)) kept[name] = values[name];
  return kept;
};

/** Has a link be again what it was before an operation, as far as the rules of an update allow it now. */
export async function planFields(
  ctx: Context,
  linkId: string,
  before: FieldsBefore,
  operation: string,
): Promise<RevertPlan> {
  const workspaceId = ctx.workspace.rowId;
  const { activity_group_id: groupId, utm_campaign: campaign, utm_campaign_origin: origin } = before;
  const tagIds = before.tag_ids?.map(storedId);
  const host = destinationHost(before.destination_url);
  const [rows, blocked, claims, groups, tags, [opening], [use]] = await ctx.db.read(
    linkById(workspaceId, linkId),
    blockedAmong(hostAndParents(host)),
    claimOnSlug(workspaceId, slugKey(before.slug)),
    groupId === null ? undefined : groupByIdOrSlug(workspaceId, groupId, ""),
    tagIds === undefined ? undefined : tagsByIds(workspaceId, tagIds),
    countSlugsOfLink(workspaceId, linkId, MAX_SLUGS_OF_LINK),
    usage(workspaceId),
  );
  const row = foundUndeleted(rows[0]);
  const [group] = groups;
  const now = valuesOf(row, row.group.public_id);
  const wanted = valuesOf(before, groupId);
  const asked = only(wanted, (name) => wanted[name] !== now[name]);
  const { destination_url: destination } = asked;
  const verdict = destination === undefined ? undefined : await judgeHost(ctx.config, host);

  const syntax = check(updateLinkSchema, asked);
  const refused = [
    ...(syntax.ok ? [] : syntax.failures),
    destination === undefined ? undefined : hostProblem(ctx, destination, blocked, verdict),
    ...renameProblems(row, asked.slug, { claims, slugs: opening?.slugs ?? 0, use }),
    asked.activity_group_id != null && group === undefined ? UNKNOWN_GROUP : undefined,
  ].filter((failure) => failure !== undefined);
  const possible = only(asked, (name) => refused.every(({ field }) => field !== name)) as UpdateLink;

  const isSameCampaign = row.utm_campaign === campaign && row.utm_campaign_origin === origin;
  const is = { ...valuesOf(row, groupOf(row)?.name ?? null), utm_campaign: campaignText(row) };
  const willBe = { ...valuesOf(before, group?.name ?? groupId), utm_campaign: campaignText(before) };
  const fields = (Object.keys(is) as (keyof typeof is)[]).filter((name) =>
    name === "utm_campaign" ? !isSameCampaign : name in possible,
  );
  const broughtBack = tagIds === undefined ? undefined : tagsBroughtBack(row, tagIds, tags);
  return {
    link: toLink(row, ctx.config.shortBaseUrl),
    fields: [
      ...fields.map((field) => ({ field, is: is[field], willBe: willBe[field] })),
      ...(broughtBack?.fields ?? []),
    ],
    refused: [...refused, ...(broughtBack?.refused ?? [])],
    save: () =>
      saveLink(ctx, {
        row,
        // An update that names a group would take its default; here the campaign is what it was.
        fields: { ...fieldsOf(possible, group), campaign: { kind: "restore", value: campaign, origin } },
        group,
        tags: tagIds === undefined ? undefined : tags,
        isNewSlug: claims.length === 0,
        verdict: possible.destination_url === undefined ? undefined : verdict,
        action: "link.revert",
        change: {
          ...possible,
          ...(isSameCampaign ? {} : { utm_campaign: campaign }),
          ...(broughtBack && broughtBack.fields.length > 0 && { tag_ids: tags.map((tag) => tag.public_id) }),
          reverted: operation,
        },
      }),
  };
}
