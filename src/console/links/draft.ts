import { z } from "zod";
import type { ActivityGroup } from "../../activity-groups/schema";
import { destinationHost, destinationProblem } from "../../lib/destination";
import {
  eachField,
  LIFE_FIELD_NAMES,
  MOMENT_FIELD_NAMES,
  type MomentFieldName,
  TEXT_FIELD_NAMES,
  UTM_FIELDS,
} from "../../lib/link-fields";
import type { LinkDetails } from "../../links/details";
import { type Preview, previewLink } from "../../links/preview";
import type { Form } from "../shell/form-body";
import { fromMomentField, toMomentField } from "../shell/moments";

export const LINK_FIELDS = [
  ...(["destination_url", "slug", "activity_group_id", "utm_campaign"] as const),
  ...TEXT_FIELD_NAMES,
  ...LIFE_FIELD_NAMES,
] as const;

type LinkField = (typeof LINK_FIELDS)[number];

/** What stands in the form of a link. An empty campaign is the Activity Group's; moments are in UTC, without a zone. */
export type Draft = Readonly<Record<LinkField, string>> & { readonly tag_ids: readonly string[] };

const isMoment = (name: LinkField): name is MomentFieldName =>
  MOMENT_FIELD_NAMES.some((moment) => moment === name);

const eachLinkField = <T>(toValue: (name: LinkField) => T): Record<LinkField, T> =>
  Object.fromEntries(LINK_FIELDS.map((name) => [name, toValue(name)])) as Record<LinkField, T>;

const draftWith = (textOf: (name: LinkField) => string, tagIds: readonly string[]): Draft => ({
  ...eachLinkField(textOf),
  tag_ids: tagIds,
});

export const emptyDraft = (group = ""): Draft =>
  draftWith((name) => (name === "activity_group_id" ? group : ""), []);

export const draftIn = (form: Form): Draft =>
  draftWith((name) => (form.fields[name] ?? "").trim(), form.all("tag_ids"));

/** The form of a link as it is. */
export const draftOf = ({ link, campaign }: Pick<LinkDetails, "link" | "campaign">): Draft =>
  draftWith(
    (name) => {
      if (name === "activity_group_id") return link.activity_group?.id ?? "";
      if (name === "utm_campaign") return campaign === "explicit" ? (link.utm_campaign ?? "") : "";
      return isMoment(name) ? toMomentField(link[name]) : (link[name] ?? "");
    },
    link.tags.map(({ id }) => id),
  );

const writtenDraft = z.object({ ...eachLinkField(() => z.string()), tag_ids: z.array(z.string()) });

/** What the form was made of, as it says itself; undefined where it does not say so. */
export function draftBefore(form: Form): Draft | undefined {
  try {
    return writtenDraft.safeParse(JSON.parse(form.fields["was"] ?? "")).data;
  } catch {
    return undefined;
  }
}

/** The form as the input of a request: moments as ISO times. */
export const toInput = (draft: Partial<Draft>): Partial<Draft> => ({
  ...draft,
  ...Object.fromEntries(
    MOMENT_FIELD_NAMES.flatMap((name) => {
      const text = draft[name];
      return text === undefined ? [] : [[name, fromMomentField(text)]];
    }),
  ),
});

const sameTags = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id));

/** Only what somebody has changed in a form, so that an update says nothing of the rest. */
export function changesIn(typed: Draft, was: Draft | undefined): Partial<Draft> {
  if (was === undefined) return typed;
  const fields = LINK_FIELDS.filter((name) => typed[name] !== was[name]).map((name) => [name, typed[name]]);
  return {
    ...Object.fromEntries(fields),
    ...(sameTags(typed.tag_ids, was.tag_ids) ? {} : { tag_ids: typed.tag_ids }),
  };
}

/** What somebody has typed, over what the link has become meanwhile. */
export const typedOver = (typed: Draft, was: Draft | undefined, now: Draft): Draft => ({
  ...now,
  ...changesIn(typed, was),
});

const hostOf = (url: string): string => (destinationProblem(url) === undefined ? destinationHost(url) : url);

/** What the operator has stopped stays so; anything else leads on from another destination. */
const staysStopped = ({ stopped_by: by, link }: LinkDetails, draft: Draft): boolean =>
  by === "operator" || (by !== null && hostOf(draft.destination_url) === hostOf(link.destination_url));

/** Where visitors of the draft will land; `present` is the link that it would change. */
export function previewOf(
  draft: Draft,
  was: Draft | undefined,
  groups: readonly ActivityGroup[],
  hosts: { own: readonly string[]; isBlocked: boolean },
  present?: LinkDetails,
): Preview {
  const changes = present === undefined ? draft : changesIn(draft, was);
  return previewLink({
    destination_url: draft.destination_url,
    ...eachField(UTM_FIELDS, (name) => draft[name]),
    utm_campaign: changes.utm_campaign === undefined ? undefined : changes.utm_campaign || null,
    namesGroup: changes.activity_group_id !== undefined,
    group: groups.find(({ id }) => id === draft.activity_group_id),
    ...(present === undefined
      ? {}
      : { present: { utm_campaign: present.link.utm_campaign, campaign: present.campaign } }),
    ownHosts: hosts.own,
    isBlocked: hosts.isBlocked,
    isStopped: present !== undefined && staysStopped(present, draft),
  });
}
