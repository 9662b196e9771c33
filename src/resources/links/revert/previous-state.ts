import { writtenDates } from "../../../lib/days";
import type { Failure } from "../../../lib/failure";
import {
  eachField,
  eachTextField,
  FORM_FIELDS,
  KEY_FIELDS,
  LABEL_FIELDS,
  MOMENT_FIELD_NAMES,
  MOMENT_FIELDS,
  UTM_DETAIL_FIELDS,
  UTM_FIELDS,
  WINDOW_FIELDS,
  writtenWindow,
} from "../../../lib/link-fields";
import { hostOfDomain, type ShortHost } from "../../../lib/short-url";
import { check } from "../../../lib/validation";
import { describeRule, readRules } from "../../../lib/visitor-rules";
import type { AuditRow } from "../../audit/audit-statements";
import { parseObject } from "../../audit/field-changes";
import { sortByName, toTag } from "../../tags/tag-service";
import { findGroup, type LinkState } from "../link-repository";
import { type UpdateLink, updateLinkForm } from "../link-schema";
import type { Resolved } from "../write/next-state";

// The state of a link before a change, and what tells two states apart: ids and values, never what people see of them.

type Host = Pick<ShortHost, "shortHost">;

/** A link before a change: all its fields if one changed, all its tags if they changed. */
interface PreviousState {
  input: UpdateLink;
  campaign: Resolved["campaign"];
  tagIds: readonly string[] | undefined;
}

type Fields = Pick<LinkState, "utm_campaign" | "utm_campaign_origin" | "archived_at"> &
  Required<Omit<UpdateLink, "utm_campaign" | "status" | "tag_ids" | "tag_names">>;

const statusOf = ({ archived_at: at }: Pick<LinkState, "archived_at">) =>
  at === null ? "active" : "archived";

/** Reads the state before a change from its audit entry. A link that was created becomes archived. */
export function toPreviousState(
  { action, before }: Pick<AuditRow, "action" | "before">,
  { shortHost }: Host,
): PreviousState {
  if (action === "link.create")
    return { input: { status: "archived" }, campaign: undefined, tagIds: undefined };
  const snapshot = parseObject(before);
  const tagIds = snapshot["tag_ids"] as readonly string[] | undefined;
  if (!("slug" in snapshot)) return { input: {}, campaign: undefined, tagIds };
  const fields = snapshot as unknown as Fields;
  return {
    input: {
      destination_url: fields.destination_url,
      slug: fields.slug,
      domain: fields.domain || shortHost,
      ...eachTextField((name) => fields[name]),
      status: statusOf(fields),
      activity_group_id: fields.activity_group_id,
      ...eachField(WINDOW_FIELDS, (name) => fields[name]),
      rules: fields.rules ?? [],
      ...eachField(FORM_FIELDS, (name) => fields[name] ?? null),
    },
    campaign: { kind: "set", value: fields.utm_campaign, origin: fields.utm_campaign_origin },
    tagIds,
  };
}

/**
 * The state that an undo of the last change leads back to: without dates that the change left as they were. Those differ only where
 * the time zone has made times of days, which is no change of the link.
 */
export function toUndoneState(
  entry: Pick<AuditRow, "action" | "before" | "change">,
  host: Host,
): PreviousState {
  const state = toPreviousState(entry, host);
  const change = parseObject(entry.change);
  const isLeft = (field: string) => field in MOMENT_FIELDS && !(field in change);
  const input = Object.entries(state.input).filter(([field]) => !isLeft(field));
  return { ...state, input: Object.fromEntries(input) };
}

/** The values of a link in the order of an update, groups and tags by their ids. */
const toValues = (link: LinkState, host: Host) => ({
  destination_url: link.destination_url,
  slug: link.slug,
  domain: hostOfDomain(host, link.domain),
  ...eachField(LABEL_FIELDS, (name) => link[name]),
  ...eachField(KEY_FIELDS, (name) => link[name]),
  status: statusOf(link),
  activity_group_id: link.group.public_id,
  ...eachField(UTM_FIELDS, (name) => link[name]),
  ...writtenWindow(link),
  ...writtenDates(link),
  rules: readRules(link.rules),
  ...eachField(FORM_FIELDS, (name) => link[name]),
  utm_campaign: link.utm_campaign,
  ...eachField(UTM_DETAIL_FIELDS, (name) => link[name]),
  tag_ids: sortByName(link.tags.map(toTag)).map(({ id }) => id),
});

type Values = ReturnType<typeof toValues>;

/** The same as a person reads them. Different values may have the same text, such as two groups of one name. */
function toTexts(link: LinkState, host: Host): Record<keyof Values, string | null> {
  const { utm_campaign: campaign, utm_campaign_origin: origin } = link;
  return {
    ...toValues(link, host),
    activity_group_id: findGroup(link)?.name ?? null,
    rules: readRules(link.rules).map(describeRule).join("\n") || null,
    utm_campaign: campaign === null || origin === "explicit" ? campaign : `${campaign} (from the group)`,
    tag_ids:
      sortByName(link.tags.map(toTag))
        .map(({ name }) => name)
        .join(", ") || null,
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ, with their new values, for the audit log. */
export function changedValues(was: LinkState, will: LinkState, host: Host): Partial<Values> {
  const [before, after] = [toValues(was, host), toValues(will, host)];
  const isChanged = (field: keyof Values): boolean =>
    !isSame(before[field], after[field]) ||
    (field === "utm_campaign" && was.utm_campaign_origin !== will.utm_campaign_origin);
  return Object.fromEntries(Object.entries(after).filter(([field]) => isChanged(field as keyof Values)));
}

export function differencesOf(was: LinkState, will: LinkState, host: Host) {
  const [is, willBe] = [toTexts(was, host), toTexts(will, host)];
  return Object.entries(changedValues(was, will, host)).map(([name, value]) => {
    const field = name as keyof Values;
    const isNamesake = field === "activity_group_id" && is[field] === willBe[field];
    return isNamesake
      ? { field, is: `${is[field]} (${was.group.public_id})`, willBe: `${willBe[field]} (${value})` }
      : { field, is: is[field], willBe: willBe[field] };
  });
}

/** The fields of a previous state that differ from now, and those of them that the syntax of an update refuses by now. */
export function toAsked(was: LinkState, { input }: Pick<PreviousState, "input">, host: Host) {
  const now: Readonly<Record<string, unknown>> = toValues(was, host);
  const asked: UpdateLink = Object.fromEntries(
    Object.entries(input).filter(([field, value]) => !isSame(value, now[field])),
  );
  const checked = check(updateLinkForm, asked);
  return { asked, failures: checked.ok ? [] : checked.failures };
}

/** The fields that a problem is about. The end is after the start by both. */
export const fieldsOf = (problem: Pick<Failure, "field">): readonly string[] =>
  problem.field === "ends_at" ? MOMENT_FIELD_NAMES : [fieldOf(problem)];

export const fieldOf = ({ field }: Pick<Failure, "field">): string =>
  field === "slug_limit" ? "slug" : field.startsWith("rules.") ? "rules" : field;
