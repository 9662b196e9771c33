import { z } from "zod";
import type { Context } from "../../context";
import { type FieldError, ServiceError } from "../../errors";
import { judgeUrl } from "../../hosts/resolver";
import {
  eachField,
  eachTextField,
  KEY_FIELD_NAMES,
  KEY_FIELDS,
  LABEL_FIELDS,
  LIFE_FIELDS,
  TEXT_FIELD_NAMES,
  UTM_FIELDS,
  writtenLife,
} from "../../lib/link-fields";
import { check } from "../../lib/validation";
import { sortByName, toTag } from "../../tags/service";
import { toLink } from "../link";
import { findGroup, type LinkRow } from "../repository";
import { type Link, type UpdateLink, updateLinkSchema } from "../schema";
import { type JudgedUpdate, judgeUpdate } from "../update";
import type { Findings } from "../write/next-state";

const text = z.string().nullable();

/** The fields in an audit entry. Old entries lack fields that were added later. */
const fieldsBefore = z.object({
  slug: z.string(),
  destination_url: z.string(),
  ...eachTextField(() => text.optional()),
  ...eachField(LIFE_FIELDS, () => text.optional()),
  archived_at: z.number().nullable(),
  utm_campaign: text,
  utm_campaign_origin: z.enum(["explicit", "inherited"]),
  activity_group_id: text,
});

const tagsBefore = z.object({ tag_ids: z.array(z.string()) });

/** The state before a change, as far as its audit entry has it. */
interface Before {
  fields: z.output<typeof fieldsBefore> | undefined;
  tagIds: readonly string[] | undefined;
}

/** Converts an audit entry; `ofTagsAlone` leaves out its fields. */
export const toBefore = (entry: object, ofTagsAlone: boolean): Before => ({
  fields: ofTagsAlone ? undefined : fieldsBefore.safeParse(entry).data,
  tagIds: tagsBefore.safeParse(entry).data?.tag_ids,
});

/** A field that a revert changes, for display. */
interface RevertedField {
  field: string;
  is: string | null;
  willBe: string | null;
}

/** The fields that a revert changes, and those that it cannot change, with the reasons. */
export interface Revert {
  link: Link;
  fields: RevertedField[];
  refused: FieldError[];
}

/** A judged revert, with what is needed to write it. */
export interface RevertPlan extends Revert {
  row: LinkRow;
  input: UpdateLink;
  found: Findings;
  unclaimed: readonly string[];
  /** The change for the audit log. */
  change: object;
}

type State = Omit<NonNullable<Before["fields"]>, "activity_group_id">;

/** Converts a state to the input of an update, without its campaign. */
const valuesOf = (state: State, group: string | null) => ({
  destination_url: state.destination_url,
  slug: state.slug,
  ...eachField(LABEL_FIELDS, (name) => state[name]),
  ...eachField(KEY_FIELDS, (name) => state[name]),
  status: state.archived_at === null ? ("active" as const) : ("archived" as const),
  activity_group_id: group,
  ...eachField(UTM_FIELDS, (name) => state[name]),
  ...eachField(LIFE_FIELDS, (name) => state[name]),
});

/** A row in the form of an audit entry. */
const toState = (row: LinkRow): State => ({ ...row, ...writtenLife(row) });

const campaignText = ({
  utm_campaign: campaign,
  utm_campaign_origin: origin,
}: Pick<State, "utm_campaign" | "utm_campaign_origin">): string | null =>
  campaign === null || origin === "explicit" ? campaign : `${campaign} (from the group)`;

const only = <T extends object>(values: T, keeps: (name: keyof T) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name as keyof T))) as Partial<T>;

/** The field that a refusal applies to. */
const refusedField = ({ field }: FieldError): string => (field === "slug_limit" ? "slug" : field);

type Part = Pick<RevertPlan, "fields" | "refused" | "input" | "change"> & { found: Findings };

/** Plans the fields that differ, by the current rules of an update. */
function planFields(before: NonNullable<Before["fields"]>, row: LinkRow, judged: JudgedUpdate): Part {
  const { group, verdict, checkAt = null } = judged.found;
  const { utm_campaign: campaign, utm_campaign_origin: origin } = before;
  const now = valuesOf(toState(row), row.group.public_id);
  const wanted = valuesOf(before, before.activity_group_id);
  const asked = only(wanted, (name) => wanted[name] !== undefined && wanted[name] !== now[name]);
  const syntax = check(updateLinkSchema, asked);
  const refused = [...(syntax.ok ? [] : syntax.failures), ...judged.problems].filter(
    (problem) => problem !== undefined && refusedField(problem) in asked,
  ) as FieldError[];
  const possible = only(asked, (name) =>
    refused.every((problem) => refusedField(problem) !== name),
  ) as UpdateLink;
  const isSameCampaign = row.utm_campaign === campaign && row.utm_campaign_origin === origin;
  const is = { ...valuesOf(toState(row), findGroup(row)?.name ?? null), utm_campaign: campaignText(row) };
  const willBe = {
    ...valuesOf(before, group?.name ?? before.activity_group_id),
    utm_campaign: campaignText(before),
  };
  const names = (Object.keys(is) as (keyof typeof is)[]).filter((name) =>
    name === "utm_campaign" ? !isSameCampaign : name in possible,
  );
  return {
    fields: names.map((field) => ({ field, is: is[field] ?? null, willBe: willBe[field] ?? null })),
    refused,
    input: possible,
    change: { ...possible, ...(isSameCampaign ? {} : { utm_campaign: campaign }) },
    found: {
      group,
      // An update with a group takes the group's default; a revert takes the previous campaign.
      campaign: { kind: "restore", value: campaign, origin },
      ...(possible.destination_url !== undefined && verdict && { verdict, checkAt }),
    },
  };
}

const namesOf = (tags: Link["tags"]): string | null => tags.map(({ name }) => name).join(", ") || null;

/** Plans the tags that still exist. */
function planTags(tagIds: readonly string[], row: LinkRow, { found: { tags = [] } }: JudgedUpdate): Part {
  const is = sortByName(row.tags.map(toTag));
  const willBe = sortByName(tags.map(toTag));
  const isSame = is.length === willBe.length && willBe.every(({ id }) => is.some((tag) => tag.id === id));
  return {
    fields: isSame ? [] : [{ field: "tag_ids", is: namesOf(is), willBe: namesOf(willBe) }],
    refused: tagIds
      .filter((id) => willBe.every((tag) => tag.id !== id))
      .map((id) => ({
        field: "tag_ids",
        message: `The tag ${id} has been deleted.`,
        code: "unknown" as const,
      })),
    input: {},
    change: isSame ? {} : { tag_ids: tags.map((tag) => tag.public_id) },
    found: { tags },
  };
}

const NOTHING: Part = { fields: [], refused: [], input: {}, change: {}, found: {} };

const DELETED = "The link has been deleted. A deleted link cannot be restored; a new one can take its slug.";

/** Plans the change of a link back to a previous state, by the current rules of an update. */
export async function planRevert(ctx: Context, linkId: string, before: Before): Promise<RevertPlan> {
  const { fields, tagIds } = before;
  const asked: UpdateLink = {
    ...(fields &&
      only(
        valuesOf(fields, fields.activity_group_id),
        (name) =>
          KEY_FIELD_NAMES.some((one) => one === name) || !TEXT_FIELD_NAMES.some((one) => one === name),
      )),
    ...(tagIds && { tag_ids: [...tagIds] }),
  };
  const judged = await judgeUpdate(ctx, linkId, asked, {
    verdictFor: (field, link) =>
      link?.[field] === fields?.[field] ? undefined : judgeUrl(ctx.config, fields?.[field]),
    readsLimits: fields !== undefined,
  });
  const { row, unclaimed } = judged;
  if (row === undefined) throw new ServiceError(404, { message: DELETED });
  const ofFields = fields === undefined ? NOTHING : planFields(fields, row, judged);
  const ofTags = tagIds === undefined ? NOTHING : planTags(tagIds, row, judged);
  return {
    row,
    unclaimed,
    link: toLink(row, ctx.config.shortBaseUrl),
    fields: [...ofFields.fields, ...ofTags.fields],
    refused: [...ofFields.refused, ...ofTags.refused],
    input: ofFields.input,
    found: { ...ofFields.found, ...ofTags.found },
    change: { ...ofFields.change, ...ofTags.change },
  };
}
