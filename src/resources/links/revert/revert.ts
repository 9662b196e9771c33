import type { Context } from "../../../context";
import { type FieldError, invalid, LostRace, retryLostRaces, ServiceError } from "../../../errors";
import {
  eachField,
  eachTextField,
  FORM_FIELDS,
  KEY_FIELDS,
  LABEL_FIELDS,
  UTM_FIELDS,
  WINDOW_FIELDS,
  writtenWindow,
} from "../../../lib/link-fields";
import { describeRule, readRules } from "../../../lib/rules";
import { hostOfDomain, type ShortHost } from "../../../lib/short-url";
import { isoTime } from "../../../lib/time";
import { check } from "../../../lib/validation";
import { parseObject } from "../../audit/field-changes";
import { type AuditRow, selectAuditEntry } from "../../audit/statements";
import { isRevertible } from "../../audit/undoable";
import { checkHosts, hostsOfLink } from "../../destinations/hosts";
import { sortByName, toTag } from "../../tags/service";
import { toLink } from "../link";
import { findGroup, type LinkState } from "../repository";
import { type UpdateLink, updateLinkForm } from "../schema";
import { checkUpdate } from "../update";
import { commitLinks } from "../write/commit";
import { type Found, nextState } from "../write/next-state";

/** A link before a change: all its fields if one changed, all its tags if they changed. */
export interface PreviousState {
  input: UpdateLink;
  campaign: Found["campaign"];
  tagIds: readonly string[] | undefined;
}

type Fields = Pick<LinkState, "utm_campaign" | "utm_campaign_origin" | "archived_at"> &
  Required<Omit<UpdateLink, "utm_campaign" | "status" | "tag_ids" | "tag_names">>;

const statusOf = ({ archived_at: at }: Pick<LinkState, "archived_at">) =>
  at === null ? "active" : "archived";

/** Reads the state before a change from its audit entry. A link that was created becomes archived. */
export function toPreviousState(
  { action, before }: Pick<AuditRow, "action" | "before">,
  { shortHost }: Pick<ShortHost, "shortHost">,
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

/** The values of a link as a person reads them, in the order of an update. */
function toTexts(link: LinkState, host: Pick<ShortHost, "shortHost">): Record<string, string | null> {
  const { utm_campaign: campaign, utm_campaign_origin: origin } = link;
  return {
    destination_url: link.destination_url,
    slug: link.slug,
    domain: hostOfDomain(host, link.domain),
    ...eachField(LABEL_FIELDS, (name) => link[name]),
    ...eachField(KEY_FIELDS, (name) => link[name]),
    status: statusOf(link),
    activity_group_id: findGroup(link)?.name ?? null,
    ...eachField(UTM_FIELDS, (name) => link[name]),
    ...writtenWindow(link),
    rules: readRules(link.rules).map(describeRule).join("\n") || null,
    ...eachField(FORM_FIELDS, (name) => link[name]),
    utm_campaign: campaign === null || origin === "explicit" ? campaign : `${campaign} (from the group)`,
    tag_ids:
      sortByName(link.tags.map(toTag))
        .map(({ name }) => name)
        .join(", ") || null,
  };
}

/** The fields that differ, with both values for display. */
function differencesOf(was: LinkState, will: LinkState, host: Pick<ShortHost, "shortHost">) {
  const [is, willBe] = [toTexts(was, host), toTexts(will, host)];
  return Object.keys(is)
    .filter((field) => is[field] !== willBe[field])
    .map((field) => ({ field, is: is[field] ?? null, willBe: willBe[field] ?? null }));
}

/** The fields that differ, with their new values, for the audit log. */
export function toChange(was: LinkState, will: LinkState, host: Pick<ShortHost, "shortHost">): object {
  const values: Record<string, unknown> = {
    ...toTexts(will, host),
    activity_group_id: will.group.public_id,
    utm_campaign: will.utm_campaign,
    rules: readRules(will.rules),
    tag_ids: will.tags.map(({ public_id: id }) => id),
  };
  return Object.fromEntries(differencesOf(was, will, host).map(({ field }) => [field, values[field]]));
}

export const findEntry = async (ctx: Context, operation: string): Promise<AuditRow | undefined> =>
  (await ctx.db.read(selectAuditEntry(ctx.workspace.rowId, operation)))[0][0];

/** Throws 404, and 422 for a change that cannot be reverted. */
export function assertRevertible(entry: AuditRow | undefined): asserts entry is AuditRow {
  if (entry === undefined) throw new ServiceError(404, { message: "There is no such change." });
  if (!isRevertible(entry.action)) {
    throw new ServiceError(422, { message: "A change of this kind cannot be undone." });
  }
}

const DELETED = "The link has been deleted. A deleted link cannot be restored; a new one can take its slug.";

const lostTag = (id: string): FieldError => ({
  field: "tag_ids",
  message: `The tag ${id} has been deleted.`,
  code: "unknown",
});

/** Plans the change of a link back to the state before a change, by the current rules of an update. */
async function plan(ctx: Context, operation: string) {
  const entry = await findEntry(ctx, operation);
  assertRevertible(entry);
  const { input, campaign, tagIds } = toPreviousState(entry, ctx.config);
  const checked = await checkUpdate(
    ctx,
    entry.subject,
    { ...input, ...(tagIds && { tag_ids: [...tagIds] }) },
    checkHosts(ctx.config, hostsOfLink(input)),
  );
  const { row: was, claims } = checked;
  const { group, tags, hostCheck, checkAt = null } = checked.found;
  if (was === undefined) throw new ServiceError(404, { message: DELETED });
  const now: Record<string, unknown> = {
    ...toTexts(was, ctx.config),
    activity_group_id: was.group.public_id,
    rules: readRules(was.rules),
  };
  const asked = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name])),
  ) as UpdateLink;
  const syntax = check(updateLinkForm, asked);
  const fieldOf = ({ field }: Pick<FieldError, "field">) =>
    field === "slug_limit" ? "slug" : field.startsWith("rules.") ? "rules" : field;
  const refused = [...(syntax.ok ? [] : syntax.failures), ...checked.problems].filter(
    (problem): problem is FieldError => problem !== undefined && fieldOf(problem) in asked,
  );
  const possible = Object.fromEntries(
    Object.entries(asked).filter(([name]) => refused.every((problem) => fieldOf(problem) !== name)),
  ) as UpdateLink;
  const lost = (tagIds ?? []).filter((id) => tags?.every((tag) => tag.public_id !== id));
  const at = ctx.now();
  const found: Found = {
    group,
    campaign,
    tags,
    ...(possible.domain !== undefined && { domain: checked.found.domain }),
    ...(possible.destination_url !== undefined && hostCheck && { hostCheck, checkAt }),
  };
  const will = nextState(was, possible, found, at);
  const shown = {
    /** The time of the change that it reverts. */
    at: isoTime(entry.at),
    link: toLink(was, ctx.config),
    /** The fields that it changes. */
    fields: will === undefined ? [] : differencesOf(was, will, ctx.config),
    /** Those that it cannot change, with the reasons. */
    refused: [...refused, ...lost.map(lostTag)],
  };
  return { was, will, claims, at, shown };
}

export type Revert = Awaited<ReturnType<typeof plan>>["shown"];

/** Shows what a revert would change now, without writing it. */
export const previewRevert = async (ctx: Context, operation: string): Promise<Revert> =>
  (await plan(ctx, operation)).shown;

/** Reverts a link once. Throws LostRace if the link has changed, also since the `version` that the caller has read. */
export async function revertOnce(ctx: Context, operation: string, version?: number): Promise<Revert> {
  const { was, will, claims, at, shown } = await plan(ctx, operation);
  if (version !== undefined && was.version !== version) throw new LostRace();
  if (shown.fields.length === 0 && shown.refused.length > 0) throw invalid(shown.refused);
  if (will === undefined) return shown;
  const input = { ...toChange(was, will, ctx.config), reverted: operation };
  await commitLinks(ctx, [{ was, will, input }], { action: "link.revert", at, claims });
  return { ...shown, link: toLink(will, ctx.config) };
}

/**
 * Reverts a link to its state before a change, by the rules of an update. Fields that cannot be reverted are returned
 * with reasons; 422 if none can.
 */
export const revertLink = (ctx: Context, operation: string): Promise<Revert> =>
  retryLostRaces(() => revertOnce(ctx, operation));
