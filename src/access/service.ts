import type { z } from "zod";
import { auditEntry, auditEntryIn, type Context, type ServiceContext, type Workspace } from "../context";
import { assertFound, invalid, LostRace, retryLostRaces, SLUG_TAKEN, workspaceNotFound } from "../errors";
import { newId } from "../lib/ids";
import { slugLimit } from "../lib/slug-text";
import { isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import {
  ensureWorkspaceUnchanged,
  insertWorkspace,
  type Owned,
  selectWorkspaceOf,
  selectWorkspaceSnapshot,
  updateSuspension,
  updateWorkspace as updateWorkspaceRow,
  WORKSPACE_SWITCHES,
  type WorkspaceFields,
} from "./repository";
import type { changedWorkspace, newWorkspace } from "./schema";
import { selectWorkspaceBySlug, selectWorkspaces, type WorkspaceRow } from "./statements";
import { nearlyFull } from "./usage";

export { WORKSPACE_SWITCHES };

const toWorkspaceView = (row: WorkspaceRow) => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  time_zone: row.time_zone,
  scans_name_asset: row.scans_name_asset === 1,
  shares_reports: row.shares_reports === 1,
  shows_name: row.shows_name === 1,
  colour: row.colour,
  link_limit: row.link_limit,
  links: row.active_links + row.archived_links,
  /** All claimed slugs, tombstones included. */
  slugs: row.slug_claims,
  slug_limit: slugLimit(row.link_limit),
  /** The resources above 90 % of their limit, such as `links and slugs`; null if there are none. */
  nearly_full:
    nearlyFull(row)
      .map(({ of }) => of)
      .join(" and ") || null,
  tags: row.tag_count,
  suspended_at: isoTimeOrNull(row.suspended_at),
  created_at: isoTime(row.created_at),
});

export type WorkspaceView = ReturnType<typeof toWorkspaceView>;

export const toWorkspace = (row: WorkspaceRow): Workspace => ({
  rowId: row.id,
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  timeZone: row.time_zone,
  createdAt: row.created_at,
});

async function getRow(ctx: ServiceContext, slug: string): Promise<WorkspaceRow> {
  const [rows] = await ctx.db.read(selectWorkspaceBySlug(slug));
  const row = rows[0];
  if (row === undefined) throw workspaceNotFound();
  return row;
}

/** The workspace with this slug; throws 404. */
export const getWorkspace = async (ctx: ServiceContext, slug: string): Promise<Workspace> =>
  toWorkspace(await getRow(ctx, slug));

const NOUNS = { group: "Activity Group", link: "Link", asset: "Offline Engagement asset" };

/** For the operator: the context of the workspace that owns a group, link or asset; throws 404. */
export async function getContextOf(ctx: ServiceContext, kind: Owned, id: string): Promise<Context> {
  const [[row]] = await ctx.db.read(selectWorkspaceOf(kind, storedId(id)));
  return { ...ctx, workspace: toWorkspace(assertFound(row, NOUNS[kind])) };
}

export async function createWorkspace(
  ctx: ServiceContext,
  input: z.output<typeof newWorkspace>,
): Promise<WorkspaceView> {
  const at = ctx.now();
  const id = newId(at);
  const row = {
    public_id: id,
    name: input.name,
    slug: input.slug,
    link_limit: input.link_limit ?? null,
    time_zone: input.time_zone ?? "UTC",
    created_at: at,
    updated_at: at,
  };
  try {
    const [rows] = await ctx.db.write(
      { ...auditEntryIn(null, ctx, "workspace.create", id, at), change: input },
      [insertWorkspace(row)],
      selectWorkspaceBySlug(input.slug),
    );
    const created = rows[0];
    if (created === undefined) throw workspaceNotFound();
    return toWorkspaceView(created);
  } catch (error) {
    if (error instanceof LostRace) throw invalid([SLUG_TAKEN]);
    throw error;
  }
}

export async function listWorkspaces(ctx: ServiceContext): Promise<WorkspaceView[]> {
  const [rows] = await ctx.db.read(selectWorkspaces());
  return rows.map(toWorkspaceView);
}

/** The context's own workspace, with its usage and limits. */
export const getOwnWorkspace = async (ctx: Context): Promise<WorkspaceView> =>
  toWorkspaceView(await getRow(ctx, ctx.workspace.slug));

/** Changes the name, the time zone, the colour and the switches of the workspace. Its slug does not change, so addresses stay valid. */
export const updateWorkspace = (
  ctx: Context,
  input: z.output<typeof changedWorkspace>,
): Promise<WorkspaceView> => retryLostRaces(() => update(ctx, input));

async function update(ctx: Context, input: z.output<typeof changedWorkspace>): Promise<WorkspaceView> {
  const { rowId, slug, id } = ctx.workspace;
  const row = await getRow(ctx, slug);
  const change: Partial<WorkspaceFields> = {
    ...(input.name !== undefined && input.name !== row.name && { name: input.name }),
    ...(input.time_zone !== undefined && input.time_zone !== row.time_zone && { time_zone: input.time_zone }),
    ...(input.colour !== undefined && input.colour !== row.colour && { colour: input.colour }),
    ...Object.fromEntries(
      WORKSPACE_SWITCHES.filter((name) => input[name] != null && Number(input[name]) !== row[name]).map(
        (name) => [name, Number(input[name])],
      ),
    ),
  };
  if (Object.keys(change).length === 0) return toWorkspaceView(row);
  const at = ctx.now();
  const [rows] = await ctx.db.write(
    {
      ...auditEntry(ctx, "workspace.update", id, at),
      before: selectWorkspaceSnapshot(rowId),
      change,
      guards: [ensureWorkspaceUnchanged(row, Object.keys(change) as (keyof WorkspaceFields)[])],
    },
    [updateWorkspaceRow(rowId, change, at)],
    selectWorkspaceBySlug(slug),
  );
  return toWorkspaceView(rows[0] ?? row);
}

const changeSuspension = (ctx: ServiceContext, slug: string, suspend: boolean): Promise<WorkspaceView> =>
  retryLostRaces(async () => {
    const row = await getRow(ctx, slug);
    if ((row.suspended_at !== null) === suspend) return toWorkspaceView(row);
    const at = ctx.now();
    const action = suspend ? "workspace.suspend" : "workspace.resume";
    const [rows] = await ctx.db.write(
      {
        ...auditEntryIn(row.id, ctx, action, row.public_id, at),
        guards: [ensureWorkspaceUnchanged(row, ["suspended_at"])],
      },
      [updateSuspension(row.id, suspend ? at : null, at)],
      selectWorkspaceBySlug(slug),
    );
    return toWorkspaceView(rows[0] ?? row);
  });

/** Blocks a workspace's API at once, and its links within the lease of KV. */
export const suspendWorkspace = (ctx: ServiceContext, slug: string): Promise<WorkspaceView> =>
  changeSuspension(ctx, slug, true);

export const resumeWorkspace = (ctx: ServiceContext, slug: string): Promise<WorkspaceView> =>
  changeSuspension(ctx, slug, false);
