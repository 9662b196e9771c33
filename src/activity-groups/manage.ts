import type { Context } from "../context";
import { assertNone, type FieldError, groupNotFound, retryLostRaces, SLUG_TAKEN } from "../errors";
import { selectBlockedHosts } from "../hosts/repository";
import { judgeUrl, type Verdict } from "../hosts/resolver";
import { blockableHosts, hostProblem, hostsOf } from "../hosts/rules";
import { destinationHost } from "../lib/destination";
import { type GroupStatus, isStatusMove } from "../lib/group-status";
import { newId } from "../lib/ids";
import { fold, freeSlug, randomSlugText, slugFromName } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import {
  type ActivityGroupRow,
  insertGroup,
  selectGroup,
  selectGroupPage,
  selectGroupSnapshot,
  selectOtherGroupWithSlug,
  selectSimilarSlugs,
  updateGroupRow,
  whereGroupUnchanged,
} from "./repository";
import type { ChangedActivityGroup, ManagedActivityGroup, NamedActivityGroup } from "./schema";
import { toManagedGroup } from "./service";

// The public interface only reads groups. The operator's command and the web application write them.

const searchText = (group: { name: string; slug: string; description: string }): string =>
  fold(`${group.name}\n${group.slug}\n${group.description}`);

const endsTooEarly = (startsAt: number | null, endsAt: number | null): FieldError | undefined =>
  startsAt !== null && endsAt !== null && endsAt < startsAt
    ? {
        field: "ends_at",
        message: "The ends at field must be a time after or equal to starts at.",
        code: "range",
      }
    : undefined;

const selectBlocked = (endedUrl: string | null | undefined) =>
  endedUrl == null ? undefined : selectBlockedHosts(blockableHosts([endedUrl]));

const endedUrlProblem = (
  ctx: Context,
  endedUrl: string | null | undefined,
  blocked: readonly { host: string }[],
  verdict: Verdict | undefined,
): FieldError | undefined => hostProblem(ctx, "ended_url", endedUrl, hostsOf(blocked), verdict);

const endedFields = (endedUrl: string | null) => ({
  ended_url: endedUrl,
  ended_host: endedUrl === null ? null : destinationHost(endedUrl),
});

const SLUG_LENGTH = 120;
/** Leaves room for a suffix, so a numbered slug keeps its whole base. */
const SLUG_BASE_LENGTH = SLUG_LENGTH - "-1000000".length;

const slugBase = (ctx: Context, name: string): string =>
  slugFromName(name, SLUG_BASE_LENGTH) || `group-${randomSlugText(8, ctx.random)}`;

/** Creates a group. Without a slug, it is generated from the name. */
export const createActivityGroup = (
  ctx: Context,
  input: NamedActivityGroup,
): Promise<ManagedActivityGroup> => {
  const judged = judgeUrl(ctx.config, input.ended_url);
  return retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const at = ctx.now();
    const id = newId(at);
    const status = input.status ?? "draft";
    const description = input.description ?? "";
    const startsAt = input.starts_at ?? null;
    const endsAt = input.ends_at ?? null;
    const base = input.slug ?? slugBase(ctx, input.name);
    const [likely, blocked] = await ctx.db.read(
      selectSimilarSlugs(workspaceId, base),
      selectBlocked(input.ended_url),
    );
    const taken = new Set(likely.map((group) => group.slug));
    assertNone([
      input.slug != null && taken.has(input.slug) ? SLUG_TAKEN : undefined,
      endsTooEarly(startsAt, endsAt),
      endedUrlProblem(ctx, input.ended_url, blocked, await judged),
    ]);
    const slug = freeSlug(base, taken, SLUG_LENGTH);
    const row = {
      public_id: id,
      workspace_id: workspaceId,
      name: input.name,
      name_key: fold(input.name),
      slug,
      type: input.type,
      description,
      search_text: searchText({ name: input.name, slug, description }),
      status,
      status_before_archive: status === "archived" ? ("draft" as const) : null,
      default_utm_campaign: input.default_utm_campaign ?? null,
      starts_at: startsAt,
      ends_at: endsAt,
      ...endedFields(input.ended_url ?? null),
      ends_links: input.ends_links === true ? 1 : 0,
      archived_at: status === "archived" ? at : null,
      created_at: at,
      updated_at: at,
    };
    const change = { ...input, slug };
    const [rows] = await ctx.db.write(
      { workspaceId, actor: ctx.actor, action: "group.create", subject: id, at, change },
      [insertGroup(row)],
      selectGroup(workspaceId, id),
    );
    return toManagedGroup(assertFound(rows[0]));
  });
};

function assertFound(row: ActivityGroupRow | undefined): ActivityGroupRow {
  if (row === undefined) throw groupNotFound();
  return row;
}

function statusProblem(row: ActivityGroupRow, to: GroupStatus | undefined): FieldError | undefined {
  if (to === undefined || isStatusMove(row.status, row.status_before_archive, to)) return undefined;
  const message =
    row.status === "archived"
      ? `An archived Activity Group can only be restored to ${row.status_before_archive}.`
      : `An Activity Group cannot go from ${row.status} to ${to}.`;
  return { field: "status", message, code: "state" };
}

const statusFields = (from: GroupStatus, to: GroupStatus, at: number) => ({
  status: to,
  status_before_archive: to === "archived" && from !== "archived" ? from : null,
  archived_at: to === "archived" ? at : null,
});

/** Updates the given fields. The status changes by the rules of lib/group-status. */
export const updateActivityGroup = (
  ctx: Context,
  id: string,
  input: ChangedActivityGroup,
): Promise<ManagedActivityGroup> => {
  const judged = judgeUrl(ctx.config, input.ended_url);
  return retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, sameSlug, blocked] = await ctx.db.read(
      selectGroup(workspaceId, storedId(id)),
      input.slug === undefined ? undefined : selectOtherGroupWithSlug(workspaceId, storedId(id), input.slug),
      selectBlocked(input.ended_url),
    );
    const row = assertFound(rows[0]);
    const at = ctx.now();
    const name = input.name ?? row.name;
    const slug = input.slug ?? row.slug;
    const description = input.description === undefined ? row.description : (input.description ?? "");
    const startsAt = input.starts_at === undefined ? row.starts_at : input.starts_at;
    const endsAt = input.ends_at === undefined ? row.ends_at : input.ends_at;
    const campaign = input.default_utm_campaign;
    assertNone([
      sameSlug.length > 0 ? SLUG_TAKEN : undefined,
      statusProblem(row, input.status),
      endsTooEarly(startsAt, endsAt),
      endedUrlProblem(ctx, input.ended_url, blocked, await judged),
    ]);
    const fields = {
      name,
      name_key: fold(name),
      slug,
      type: input.type ?? row.type,
      description,
      search_text: searchText({ name, slug, description }),
      default_utm_campaign: campaign === undefined ? row.default_utm_campaign : campaign,
      starts_at: startsAt,
      ends_at: endsAt,
      ...endedFields(input.ended_url === undefined ? row.ended_url : input.ended_url),
      ends_links: input.ends_links === undefined ? row.ends_links : Number(input.ends_links === true),
      ...(input.status === undefined || input.status === row.status
        ? {}
        : statusFields(row.status, input.status, at)),
      updated_at: at,
    };
    const [after] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "group.update",
        subject: row.public_id,
        at,
        before: selectGroupSnapshot(workspaceId, row.public_id),
        change: input,
        guards: [whereGroupUnchanged(workspaceId, row.public_id, row.version)],
      },
      [updateGroupRow(workspaceId, row.public_id, fields)],
      selectGroup(workspaceId, row.public_id),
    );
    return toManagedGroup(assertFound(after[0]));
  });
};

/** Archives a group. Its links do not change. */
export const archiveActivityGroup = (ctx: Context, id: string): Promise<ManagedActivityGroup> =>
  updateActivityGroup(ctx, id, { status: "archived" });

const EVERYTHING = { id: undefined, slug: undefined, search: undefined, type: undefined, status: undefined };

/** All groups by name. */
export async function listAllActivityGroups(ctx: Context): Promise<ManagedActivityGroup[]> {
  const page = { after: undefined, offset: 0, limit: -1 };
  const [rows] = await ctx.db.read(selectGroupPage(ctx.workspace.rowId, EVERYTHING, page));
  return rows.map(toManagedGroup);
}
