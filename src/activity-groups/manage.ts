import { ulid } from "ulidx";
import type { Context, ServiceContext } from "../context";
import { assertNone, type FieldError, invalid, LostRace, ServiceError, SLUG_TAKEN } from "../errors";
import { type GroupStatus, isStatusMove, type OpenStatus } from "../lib/group-status";
import { fold } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import {
  type ActivityGroupRow,
  groupById,
  groupSnapshot,
  insertGroup,
  pageOfGroups,
  updateGroupRow,
} from "./repository";
import type { ActivityGroup, ChangedActivityGroup, NewActivityGroup } from "./schema";
import { toActivityGroup } from "./service";

// What the public interface only reads: made by the operator's command and in the web application.

const searchText = (group: { name: string; slug: string; description: string }): string =>
  fold(`${group.name}\n${group.slug}\n${group.description}`);

const endsTooEarly = (startsAt: number | null, endsAt: number | null): FieldError | undefined =>
  startsAt !== null && endsAt !== null && endsAt < startsAt
    ? { field: "ends_at", message: "The ends at field must be a time after or equal to starts at." }
    : undefined;

const refusingTakenSlug = async <T>(write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    throw error instanceof LostRace ? invalid([SLUG_TAKEN]) : error;
  });

export async function createActivityGroup(ctx: Context, input: NewActivityGroup): Promise<ActivityGroup> {
  const at = ctx.now();
  const id = ulid(at);
  const status = input.status ?? "draft";
  const description = input.description ?? "";
  const startsAt = input.starts_at ?? null;
  const endsAt = input.ends_at ?? null;
  assertNone([endsTooEarly(startsAt, endsAt)]);
  const workspaceId = ctx.workspace.rowId;
  const change = { workspaceId, actor: ctx.actor, action: "group.create", subject: id, at, change: input };
  const [rows] = await refusingTakenSlug(
    ctx.db.write(
      change,
      [
        insertGroup({
          public_id: id,
          workspace_id: workspaceId,
          name: input.name,
          name_key: fold(input.name),
          slug: input.slug,
          type: input.type,
          description,
          search_text: searchText({ name: input.name, slug: input.slug, description }),
          status,
          status_before_archive: status === "archived" ? "draft" : null,
          default_utm_campaign: input.default_utm_campaign ?? null,
          starts_at: startsAt,
          ends_at: endsAt,
          archived_at: status === "archived" ? at : null,
          created_at: at,
          updated_at: at,
        }),
      ],
      groupById(id),
    ),
  );
  return toActivityGroup(found(rows[0]));
}

function found(row: ActivityGroupRow | undefined): ActivityGroupRow {
  if (row === undefined) throw new ServiceError(404, { message: "Activity Group not found." });
  return row;
}

function statusFields(row: ActivityGroupRow, to: GroupStatus, at: number) {
  if (to === row.status) return {};
  if (!isStatusMove(row.status, row.status_before_archive, to)) {
    const message =
      row.status === "archived"
        ? `An archived Activity Group can only be restored to ${row.status_before_archive}.`
        : `An Activity Group cannot go from ${row.status} to ${to}.`;
    throw invalid([{ field: "status", message }]);
  }
  const before: OpenStatus | null = to === "archived" && row.status !== "archived" ? row.status : null;
  return { status: to, status_before_archive: before, archived_at: to === "archived" ? at : null };
}

/** Updates the given fields of a group in any workspace; its status moves by the rules of lib/group-status. */
export async function updateActivityGroup(
  ctx: ServiceContext,
  id: string,
  input: ChangedActivityGroup,
): Promise<ActivityGroup> {
  const [rows] = await ctx.db.read(groupById(storedId(id)));
  const row = found(rows[0]);
  const at = ctx.now();
  const name = input.name ?? row.name;
  const slug = input.slug ?? row.slug;
  const description = input.description === undefined ? row.description : (input.description ?? "");
  const startsAt = input.starts_at === undefined ? row.starts_at : input.starts_at;
  const endsAt = input.ends_at === undefined ? row.ends_at : input.ends_at;
  const campaign = input.default_utm_campaign;
  assertNone([endsTooEarly(startsAt, endsAt)]);
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
    ...(input.status === undefined ? {} : statusFields(row, input.status, at)),
    updated_at: at,
  };
  const workspaceId = row.workspace_id;
  const [after] = await refusingTakenSlug(
    ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "group.update",
        subject: row.public_id,
        at,
        before: groupSnapshot(workspaceId, row.public_id),
        change: input,
      },
      [updateGroupRow(workspaceId, row.public_id, fields)],
      groupById(row.public_id),
    ),
  );
  return toActivityGroup(found(after[0]));
}

/** Archives a group; its links go on as before. */
export const archiveActivityGroup = (ctx: ServiceContext, id: string): Promise<ActivityGroup> =>
  updateActivityGroup(ctx, id, { status: "archived" });

const EVERYTHING = { id: undefined, slug: undefined, search: undefined, type: undefined, status: undefined };

/** Every group of the workspace by name. */
export async function allActivityGroups(ctx: Context): Promise<ActivityGroup[]> {
  const page = { after: undefined, offset: 0, limit: -1 };
  const [rows] = await ctx.db.read(pageOfGroups(ctx.workspace.rowId, EVERYTHING, page));
  return rows.map(toActivityGroup);
}
