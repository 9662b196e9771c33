import { writeWithinLimit } from "../../access/room";
import { auditEntry, type Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone, invalid, SLUG_TAKEN } from "../../field-errors";
import { destinationHost, destinationProblem } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { type GroupStatus, isStatusMove, knownStatus } from "../../lib/group-status";
import { newId } from "../../lib/ids";
import { sortNaturally } from "../../lib/natural-order";
import { freeSlug, randomSlugText, settingsKey, slugFromName } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { writeToKv, writeWholeToKv } from "../../redirect/slugs/kv-writer";
import { markSettings, markSlugs, RANKS } from "../../redirect/slugs/statements/marks";
import { selectTarget } from "../../redirect/slugs/statements/targets";
import { type AuditRow, selectNextChange } from "../audit/audit-statements";
import { parseObject } from "../audit/field-changes";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkHosts, hostProblem, hostsOfLink, toRefusedHosts } from "../destinations/hosts";
import { deliverSoon } from "../events/deliver-events";
import { queueEvents, selectIsDue } from "../events/event-statements";
import { DATE_FIELDS, previousDates } from "./group-days";
import { groupEvents } from "./group-events";
import {
  ensureGroupsUnchanged,
  insertGroup,
  selectGroup,
  selectGroupPage,
  selectSimilarSlugs,
  updateGroupRow,
} from "./group-repository";
import type { ChangedActivityGroup, NamedActivityGroup } from "./group-schema";
import { type ManagedActivityGroup, toActivityGroup, toManagedGroup } from "./group-service";
import { type ActivityGroupRow, ensureZoneOf, selectZone } from "./group-statements";
import { EMPTY_GROUP, nextFields } from "./next-fields";

// The public interface only reads groups. The operator's command and the web application write them.

const SLUG_LENGTH = 120;
/** Leaves room for a suffix, so a numbered slug keeps its whole base. */
const SLUG_BASE_LENGTH = SLUG_LENGTH - "-1000000".length;

const slugBase = (ctx: Context, name: string): string =>
  slugFromName(name, SLUG_BASE_LENGTH) || `group-${randomSlugText(8, ctx.random)}`;

const endsTooEarly = (startsAt: number | null | undefined, endsAt: number | null | undefined) =>
  startsAt != null && endsAt != null && endsAt < startsAt
    ? ({ field: "ends_at", reason: "ends_before_start" } as const)
    : undefined;

/** The broken rule of an `ended_url` that needs no database. */
const brokenRule = (endedUrl: string | null | undefined): Failure | undefined =>
  endedUrl == null ? undefined : destinationProblem(endedUrl, "ended_url");

const selectBlocked = (endedUrl: string | null | undefined) =>
  endedUrl == null ? undefined : selectRefusedHosts([destinationHost(endedUrl)]);

function statusProblem(row: ActivityGroupRow, to: GroupStatus | undefined): Failure | undefined {
  if (to === undefined || isStatusMove(row.status, row.status_before_archive, to)) return undefined;
  const message =
    row.status === "archived"
      ? `An archived group can only be restored to ${row.status_before_archive}.`
      : `A group cannot go from ${row.status} to ${to}.`;
  return { field: "status", message, code: "state" };
}

export const createActivityGroup = (ctx: Context, input: NamedActivityGroup) => {
  const checked = checkHosts(ctx.config, hostsOfLink({ ended_url: input.ended_url }));
  return retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const at = ctx.now();
    const id = newId(at);
    const base = input.slug ?? slugBase(ctx, input.name);
    const [likely, blocked, [own]] = await ctx.db.read(
      selectSimilarSlugs(workspaceId, base),
      selectBlocked(input.ended_url),
      selectZone(workspaceId),
    );
    const zone = assertFound(own, "Workspace").time_zone;
    const taken = new Set(likely.map((group) => group.slug));
    const { name, type, status: asked } = input;
    const slug = freeSlug(base, taken, SLUG_LENGTH);
    const empty = { ...EMPTY_GROUP, name, slug, type };
    const fields = {
      ...empty,
      ...nextFields(empty, { ...input, slug, status: asked ?? undefined }, zone, at),
    };
    assertNone([
      input.slug != null && taken.has(input.slug) ? SLUG_TAKEN : undefined,
      endsTooEarly(fields.starts_at, fields.ends_at),
      hostProblem(ctx, "ended_url", input.ended_url, toRefusedHosts(blocked, await checked)),
    ]);
    const row = { ...fields, public_id: id, workspace_id: workspaceId, created_at: at };
    const change = { ...input, slug, ...(row.status !== (asked ?? "draft") && { status: row.status }) };
    const events = groupEvents(undefined, toActivityGroup(row));
    const [rows, isDue] = await writeWithinLimit(
      ctx,
      ["group", 1],
      { ...auditEntry(ctx, "group.create", id, at), change, guards: ensureZoneOf(workspaceId, row, zone) },
      [insertGroup(row), ...queueEvents(workspaceId, events, at)],
      selectGroup(workspaceId, id),
      events.length === 0 ? undefined : selectIsDue(workspaceId, at),
    );
    if (isDue.length > 0) deliverSoon(ctx, workspaceId);
    return toManagedGroup(assertFound(rows[0], "Activity Group"));
  });
};

const toSnapshot = ({ name, slug, type, description, note, status, ...row }: ActivityGroupRow): string =>
  JSON.stringify({
    ...{ name, slug, type, description, note, status },
    default_utm_campaign: row.default_utm_campaign,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    ended_url: row.ended_url,
    ends_links: row.ends_links === 1,
    follows_dates: row.follows_dates === 1,
  });

const CHANGED_SINCE: Failure = {
  field: "operation",
  message: "The group has changed since, so nothing was undone.",
  code: "state",
};

/**
 * Updates the given fields. The status changes by the rules of lib/group-status, and by the dates if it follows them. With
 * `last`, 422 unless that operation is the last change of the group.
 */
export const updateActivityGroup = (ctx: Context, id: string, input: ChangedActivityGroup, last?: string) => {
  const broken = brokenRule(input.ended_url);
  const endedUrl = broken === undefined ? input.ended_url : null;
  const checked = checkHosts(ctx.config, hostsOfLink({ ended_url: endedUrl }));
  return retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, similar, blocked, later, [own]] = await ctx.db.read(
      selectGroup(workspaceId, storedId(id)),
      input.slug === undefined ? undefined : selectSimilarSlugs(workspaceId, input.slug),
      selectBlocked(endedUrl),
      last === undefined ? undefined : selectNextChange(workspaceId, last),
      selectZone(workspaceId),
    );
    const zone = assertFound(own, "Workspace").time_zone;
    const row = assertFound(rows[0], "Activity Group");
    if (later.length > 0) throw invalid([CHANGED_SINCE]);
    const at = ctx.now();
    const next = nextFields(row, input, zone, at);
    const status = next.status ?? row.status;
    assertNone([
      similar.some((other) => other.slug === input.slug && other.id !== row.public_id)
        ? SLUG_TAKEN
        : undefined,
      // An undo takes back a move, so it is none itself.
      last === undefined ? statusProblem(row, input.status) : undefined,
      endsTooEarly(next.starts_at, next.ends_at),
      input.ended_url === row.ended_url
        ? undefined
        : (broken ?? hostProblem(ctx, "ended_url", endedUrl, toRefusedHosts(blocked, await checked))),
    ]);
    const isSame = Object.entries(next).every(
      ([name, value]) => name === "updated_at" || row[name as keyof typeof row] === value,
    );
    if (isSame) return toManagedGroup(row);
    const key = settingsKey("group", row.public_id);
    const isEndChanged = (["ends_at", "ended_url", "ends_links"] as const).some(
      (name) => next[name] !== row[name],
    );
    // The values of links without an own end name the group only while they end with it.
    const isNamed = next.ends_links === 1 && row.ends_links === 0;
    const events = groupEvents(knownStatus(row.status), toActivityGroup({ ...row, ...next }));
    const [after, settings, isDue] = await ctx.db.write(
      {
        ...auditEntry(ctx, "group.update", row.public_id, at),
        before: toSnapshot(row),
        change: {
          ...input,
          ...(status !== (input.status ?? row.status) && { status }),
          ...(row.follows_dates > next.follows_dates && { follows_dates: false }),
        },
        guards: [
          ensureGroupsUnchanged([[row.public_id, row.version]]),
          ...ensureZoneOf(workspaceId, next, zone),
        ],
      },
      [
        updateGroupRow(workspaceId, row.public_id, next),
        ...(isEndChanged ? [markSettings(key, workspaceId, at)] : []),
        ...(isNamed
          ? [markSlugs("activity_groups", workspaceId, [row.id], { at, rank: RANKS.bulkEdit })]
          : []),
        ...queueEvents(workspaceId, events, at),
      ],
      selectGroup(workspaceId, row.public_id),
      isEndChanged ? selectTarget(key) : undefined,
      events.length === 0 ? undefined : selectIsDue(workspaceId, at),
    );
    await writeToKv(ctx, settings, at);
    if (isDue.length > 0) deliverSoon(ctx, workspaceId);
    // Values of its links that this instance has may be from before they ended with the group.
    if (isEndChanged && next.ends_links === 1) await writeWholeToKv(ctx, "workspace", workspaceId, null);
    return toManagedGroup(assertFound(after[0], "Activity Group"));
  });
};

export async function listAllActivityGroups(ctx: Context): Promise<ManagedActivityGroup[]> {
  const page = { after: undefined, offset: 0, limit: -1 };
  const [rows] = await ctx.db.read(selectGroupPage(ctx.workspace.rowId, {}, page));
  return sortNaturally(rows).map(toManagedGroup);
}

/** Gives a group the fields that it had before a change, also a status before. 422 if it has changed since. */
export function undoGroupChange(
  ctx: Context,
  { operation_id: operation, subject, before: written, change }: AuditRow,
): Promise<ManagedActivityGroup> {
  const before = parseObject(written);
  const fields = Object.keys(parseObject(change)).filter((field) => field in before);
  // The snapshot has the fields of an update, as they are stored.
  const previous: ChangedActivityGroup = {
    ...Object.fromEntries(
      fields.filter((field) => !DATE_FIELDS.has(field)).map((field) => [field, before[field]]),
    ),
    ...previousDates(before, fields),
  };
  return updateActivityGroup(ctx, subject, previous, operation);
}
