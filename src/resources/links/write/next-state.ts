import { storedWindow } from "../../../lib/days";
import { destinationHost } from "../../../lib/destination";
import { eachField, eachTextField, FORM_FIELDS } from "../../../lib/link-fields";
import { writeRules } from "../../../lib/visitor-rules";
import type { HostCheck } from "../../destinations/hosts";
import { type GroupInLink, type LinkRow, type LinkState, NO_GROUP, type TagInLink } from "../link-repository";
import type { CreateLink, UpdateLink } from "../link-schema";
import { hasOtherFields, hasOtherFormFields, hasOtherTags } from "./link-state";

type Campaign = Pick<LinkState, "utm_campaign" | "utm_campaign_origin">;

/** A change of a link's utm_campaign. `inherit` takes the default of the link's group, or null. */
type CampaignChange =
  | { kind: "set"; value: string | null; origin: Campaign["utm_campaign_origin"] }
  | { kind: "inherit"; explicitStays: boolean }
  | { kind: "keep" };

/** A text is explicit. Null inherits. Otherwise naming a group (or null) updates an inherited value. */
export function campaignChange(given: string | null | undefined, namesGroup: boolean): CampaignChange {
  if (typeof given === "string") return { kind: "set", value: given, origin: "explicit" };
  if (given === null) return { kind: "inherit", explicitStays: false };
  return namesGroup ? { kind: "inherit", explicitStays: true } : { kind: "keep" };
}

/** What a request names, as it was read: undefined for what the request does not name. */
export interface Resolved {
  /** The requested domain; undefined keeps the current one. */
  domain?: string | undefined;
  group?: GroupInLink | undefined;
  /** The requested tags; undefined keeps the current ones. */
  tags?: readonly TagInLink[] | undefined;
  /** The resolver's result on the requested host; undefined if no resolver was asked. */
  hostCheck?: HostCheck | undefined;
  /** When to ask the resolver again, in milliseconds; null for never. */
  checkAt?: number | null;
  /** The zone of the workspace, if the request has days. */
  zone?: string | undefined;
  /** Whether a time replaces a day also if it is the time of that day, as in a state from before. */
  hasExactDates?: boolean;
  /** The campaign, if the request does not determine it. */
  campaign?: CampaignChange | undefined;
}

/** The campaign after a change, where the link's group has a default or null. */
export function campaignAfter(was: Campaign, change: CampaignChange, ofGroup: string | null): Campaign {
  const { utm_campaign, utm_campaign_origin } = was;
  if (change.kind === "set") return { utm_campaign: change.value, utm_campaign_origin: change.origin };
  const isKept = change.kind === "keep" || (change.explicitStays && utm_campaign_origin === "explicit");
  if (isKept) return { utm_campaign, utm_campaign_origin };
  return { utm_campaign: ofGroup, utm_campaign_origin: "inherited" };
}

interface NewLink {
  id: string;
  at: number;
  by: string;
  /** When it was made elsewhere. */
  createdAt?: number;
  /** Its clicks elsewhere. */
  clicksBefore?: number | null;
}

/** The state of a new link with the given or generated address. Its id has the time of its creation. */
export function newState(
  input: CreateLink,
  { domain, slug }: Pick<LinkState, "domain" | "slug">,
  found: Resolved,
  { id, at, by, createdAt = at, clicksBefore = null }: NewLink,
): LinkState {
  const group = found.group ?? NO_GROUP;
  const inherited: Campaign = { utm_campaign: group.default_utm_campaign, utm_campaign_origin: "inherited" };
  const given = campaignChange(input.utm_campaign ?? undefined, false);
  return {
    public_id: id,
    version: 1,
    domain,
    slug,
    destination_url: input.destination_url,
    ...eachTextField((name) => input[name] ?? null),
    ...campaignAfter(inherited, found.campaign ?? given, group.default_utm_campaign),
    group,
    tags: found.tags ?? [],
    ...storedWindow(input, undefined, found.zone),
    rules: writeRules(input.rules),
    ...eachField(FORM_FIELDS, (name) => input[name] ?? null),
    archived_at: null,
    hostCheck: found.hostCheck ?? "unknown",
    check_at: found.checkAt ?? null,
    taken_down_at: null,
    taken_down_by: null,
    clicks_before: clicksBefore,
    created_at: createdAt,
    created_by: by,
    updated_at: at,
  };
}

/** The moderation state. A new host or a good result ends a takedown by a check. */
function moderationAfter(was: LinkRow, destination: string, { hostCheck, checkAt = null }: Resolved) {
  if (hostCheck === undefined) return {};
  const isTrusted =
    hostCheck === "ok" || destinationHost(destination) !== destinationHost(was.destination_url);
  const isLifted = was.taken_down_by === "check" && isTrusted;
  return {
    hostCheck: isTrusted ? hostCheck : was.hostCheck,
    check_at: was.taken_down_at === null || isLifted ? checkAt : null,
    taken_down_at: isLifted ? null : was.taken_down_at,
    taken_down_by: isLifted ? null : was.taken_down_by,
  };
}

function archivedAfter(
  { archived_at: archivedAt }: LinkRow,
  status: UpdateLink["status"],
  at: number,
): number | null {
  if (status === undefined) return archivedAt;
  return status === "archived" ? (archivedAt ?? at) : null;
}

/**
 * The link's state after a request, with the next version; undefined if nothing changes. `updated_at` does not change
 * if only tags or fields do that the interface does not have.
 */
export function nextState(
  was: LinkRow,
  input: UpdateLink,
  found: Resolved,
  at: number,
): LinkState | undefined {
  const group = input.activity_group_id === undefined ? was.group : (found.group ?? NO_GROUP);
  const destination = input.destination_url ?? was.destination_url;
  const asked = campaignChange(input.utm_campaign, input.activity_group_id !== undefined);
  const { id: _, slug_key: __, folded_slug: ___, title_key: ____, visitTotals: _____, ...stays } = was;
  const will: LinkState = {
    ...stays,
    slug: input.slug ?? was.slug,
    domain: found.domain ?? was.domain,
    destination_url: destination,
    ...eachTextField((name) => (input[name] === undefined ? was[name] : input[name])),
    ...storedWindow(input, was, found.zone, found.hasExactDates),
    rules: input.rules === undefined ? was.rules : writeRules(input.rules),
    ...eachField(FORM_FIELDS, (name) => (input[name] === undefined ? was[name] : input[name])),
    ...campaignAfter(was, found.campaign ?? asked, group.default_utm_campaign),
    group,
    tags: found.tags ?? was.tags,
    archived_at: archivedAfter(was, input.status, at),
    ...moderationAfter(was, destination, found),
    version: was.version + 1,
  };
  if (hasOtherFields(was, will)) return { ...will, updated_at: at };
  return hasOtherTags({ was, will }) || hasOtherFormFields(was, will) ? will : undefined;
}
