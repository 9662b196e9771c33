import type { z } from "zod";
import { auditEntryIn, type Context, type ServiceContext, type Workspace } from "../context";
import { assertFound, invalid, LostRace, SLUG_TAKEN, workspaceNotFound } from "../errors";
import { newId } from "../lib/ids";
import { slugLimit } from "../lib/slug-text";
import { isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import type { newWorkspace } from "./access-schema";
import { nearlyFull } from "./usage";
import {
  insertWorkspace,
  type Owned,
  selectWorkspaceBySlug,
  selectWorkspaceOf,
  selectWorkspaces,
  type WorkspaceRow,
} from "./workspace-statements";

export const toWorkspaceView = (row: WorkspaceRow) => ({
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

/** Throws 404. */
export async function getWorkspaceRow(ctx: ServiceContext, slug: string): Promise<WorkspaceRow> {
  const [rows] = await ctx.db.read(selectWorkspaceBySlug(slug));
  const row = rows[0];
  if (row === undefined) throw workspaceNotFound();
  return row;
}

/** The workspace with this slug; throws 404. */
export const getWorkspace = async (ctx: ServiceContext, slug: string): Promise<Workspace> =>
  toWorkspace(await getWorkspaceRow(ctx, slug));

const NOUNS = { group: "Activity Group", link: "Link", asset: "Offline Engagement asset" };

/** For the operator: the context of the workspace that owns a group, link or asset; throws 404. */
export async function getContextOf(ctx: ServiceContext, kind: Owned, id: string): Promise<Context> {
  const [[row]] = await ctx.db.read(selectWorkspaceOf(kind, storedId(id)));
  return { ...ctx, workspace: toWorkspace(assertFound(row, NOUNS[kind])) };
}

export async function createWorkspace(ctx: ServiceContext, input: z.output<typeof newWorkspace>) {
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
      { ...auditEntryIn(null, ctx, "workspace.create", id, at), change: input, space: "takes" },
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

export const getOwnWorkspace = async (ctx: Context): Promise<WorkspaceView> =>
  toWorkspaceView(await getWorkspaceRow(ctx, ctx.workspace.slug));
