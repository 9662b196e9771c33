import { z } from "zod";
import { damageOf } from "../../lib/damaged-address";
import { destinationHost, parseDestination } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { parseJson } from "../../lib/json";
import {
  FORM_FIELD_NAMES,
  LABEL_FIELD_NAMES,
  LABEL_FIELDS,
  MOMENT_FIELD_NAMES,
  type MomentFieldName,
  TEXT_FIELD_NAMES,
  WINDOW_FIELD_NAMES,
} from "../../lib/link-fields";
import { UTM_NAMES } from "../../lib/link-target";
import { supplyScheme } from "../../lib/supplied-scheme";
import { slugFromTitle } from "../../lib/title-slug";
import type { ActivityGroup } from "../../resources/activity-groups/group-schema";
import type { LinkDetails } from "../../resources/links/link-details";
import type { Link } from "../../resources/links/link-schema";
import { type Preview, previewLink } from "../../resources/links/preview-change";
import type { SlugState } from "../../resources/links/slug-state";
import { joinDates, readDate, toDateField } from "../shell/date-field";
import type { Form } from "../shell/page-request";

const LINK_FIELDS = [
  ...(["destination_url", "slug", "domain", "activity_group_id", "utm_campaign"] as const),
  ...TEXT_FIELD_NAMES,
  ...WINDOW_FIELD_NAMES,
  ...FORM_FIELD_NAMES,
] as const;

type LinkField = (typeof LINK_FIELDS)[number];
type TextField = LinkField | "new_tags";

/**
 * What stands in the form of a link. An empty campaign is the Activity Group's; starts and ends are days, or times in the
 * workspace's time zone, without its name. `new_tags` are names with commas between them.
 */
export type Draft = Readonly<Record<TextField, string>> & { readonly tag_ids: readonly string[] };

const TEXT_FIELDS: readonly TextField[] = [...LINK_FIELDS, "new_tags"];

const isMoment = (name: LinkField): name is MomentFieldName =>
  MOMENT_FIELD_NAMES.some((moment) => moment === name);

const eachTextField = <T>(toValue: (name: TextField) => T): Record<TextField, T> =>
  Object.fromEntries(TEXT_FIELDS.map((name) => [name, toValue(name)])) as Record<TextField, T>;

export const EMPTY_DRAFT: Draft = { ...eachTextField(() => ""), tag_ids: [] };

const ADDRESSES: ReadonlySet<TextField> = new Set(["destination_url", "ended_url", "preview_image_url"]);

/** Values of buttons that show the form again: with its destination mended, or with the slug that its title proposes. */
export const MEND = "mend";
export const FROM_TITLE = "slug";

/** The form as it was sent. The destinations have their scheme. */
export function draftIn(form: Form): Draft {
  const before = draftBefore(form);
  const fields = joinDates(form.fields, ...MOMENT_FIELD_NAMES);
  const read = (name: TextField): string => {
    const sent = name === "note" ? form.lines(name) : fields[name];
    // A workspace without domains has no field for one, nor a service without previews.
    const text = (name in form.fields ? sent : before?.[name])?.trim() ?? "";
    return ADDRESSES.has(name) ? supplyScheme(text) : text;
  };
  const draft = { ...eachTextField(read), tag_ids: form.all("tag_ids") };
  const url = draft.destination_url;
  if (form.fields["preview"] === MEND) return { ...draft, destination_url: damageOf(url)?.mended ?? url };
  if (form.fields["preview"] === FROM_TITLE) return { ...draft, slug: slugFromTitle(draft.title) };
  return draft;
}

/** The form of a link as it is. What shows no moments may leave out the time zone. */
export const draftOf = (
  { link, note, preview, dates }: Pick<LinkDetails, "link" | "note" | "preview" | "dates">,
  timeZone = "UTC",
): Draft => ({
  ...EMPTY_DRAFT,
  ...Object.fromEntries(
    LINK_FIELDS.map((name) => {
      if (name === "activity_group_id") return [name, link.activity_group?.id ?? ""];
      if (name === "utm_campaign")
        return [name, link.utm_campaign_origin === "explicit" ? (link.utm_campaign ?? "") : ""];
      if (isMoment(name)) return [name, toDateField(name, dates[name], timeZone)];
      const value = { ...link, note, ...preview }[name] ?? "";
      return [name, value];
    }),
  ),
  tag_ids: link.tags.map(({ id }) => id),
});

/** The form of a new link that is like another one. A slug and an external ID belong to one link alone. */
export const copyOf = (draft: Draft): Draft => ({ ...draft, slug: "", external_id: "" });

const SHARED_LABELS = LABEL_FIELD_NAMES.filter((name) => LABEL_FIELDS[name].isShared);

/** What a person who adds several links keeps from one to the next. */
export const nextAfter = (draft: Draft): Draft => ({
  ...EMPTY_DRAFT,
  destination_url: draft.destination_url,
  activity_group_id: draft.activity_group_id,
  domain: draft.domain,
  ...Object.fromEntries([...SHARED_LABELS, ...UTM_NAMES].map((name) => [name, draft[name]])),
  tag_ids: draft.tag_ids,
});

const writtenDraft = z.object({
  ...eachTextField(() => z.string().default("")),
  tag_ids: z.array(z.string()),
});

/** What the form was made of, as it says itself; undefined where it does not say so. */
export const draftBefore = (form: Form): Draft | undefined =>
  writtenDraft.safeParse(parseJson(form.fields["was"] ?? "")).data;

/** The fields of a request: days, times as ISO 8601, nothing that is only a part of the form. */
export function toInput(draft: Partial<Draft>, timeZone: string): Partial<Draft> {
  const { new_tags: _, domain, ...input } = draft;
  return {
    ...input,
    ...(domain && { domain }),
    ...Object.fromEntries(
      MOMENT_FIELD_NAMES.flatMap((name) => {
        const text = draft[name];
        return text === undefined ? [] : [[name, readDate(text.trim(), timeZone)]];
      }),
    ),
  };
}

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
  new_tags: typed.new_tags,
});

/** The state that a form shows of the slug in it: none if its link has it. */
export const shownState = (draft: Draft, state: SlugState, link: Link | undefined): SlugState =>
  draft.slug === link?.slug && (draft.domain || link.domain) === link.domain ? { kind: "empty" } : state;

const hostOf = (url: string): string => (parseDestination(url) === undefined ? url : destinationHost(url));

/** What the operator has stopped stays so; anything else leads on from another destination. */
const staysTakenDown = ({ taken_down_by: by, link }: LinkDetails, draft: Draft): boolean =>
  by === "operator" || (by !== null && hostOf(draft.destination_url) === hostOf(link.destination_url));

/** Where visitors of the draft will land; `present` is the link that it would change. */
export function previewOf(
  draft: Draft,
  was: Draft | undefined,
  groups: readonly ActivityGroup[],
  refusal: Failure | undefined,
  present?: LinkDetails,
): Preview {
  const changes = present === undefined ? draft : changesIn(draft, was);
  return previewLink({
    ...draft,
    utm_campaign: changes.utm_campaign === undefined ? undefined : changes.utm_campaign || null,
    namesGroup: changes.activity_group_id !== undefined,
    group: groups.find(({ id }) => id === draft.activity_group_id),
    present: present?.link,
    refusal,
    isKept: draft.destination_url === present?.link.destination_url,
    isTakenDown: present !== undefined && staysTakenDown(present, draft),
  });
}
