import type { z } from "zod";
import type { changedWorkspace } from "../../access/access-schema";
import { getWorkspaceRow, toWorkspaceView, type WorkspaceView } from "../../access/workspace-service";
import { selectWorkspaceBySlug } from "../../access/workspace-statements";
import { auditEntry, auditEntryIn, type Context, type ServiceContext } from "../../context";
import { retryLostRaces } from "../../errors";
import { settingsKey } from "../../lib/slug-text";
import { markDomainSettings, markSettings, markSlugs, RANKS } from "../../redirect/slugs/statements/marks";
import { selectTarget } from "../../redirect/slugs/statements/targets";
import { openWide } from "../../redirect/slugs/statements/wide";
import { pushTargets, pushWide } from "../../redirect/slugs/sync";
import {
  ensureWorkspaceUnchanged,
  selectWorkspaceSnapshot,
  updateSuspension,
  updateWorkspace as updateWorkspaceRow,
  WORKSPACE_SWITCHES,
  type WorkspaceFields,
} from "./workspace-repository";

export { WORKSPACE_SWITCHES };

/** Changes the name, the time zone, the colour and the switches of the workspace. Its slug does not change, so addresses stay valid. */
export const updateWorkspace = (
  ctx: Context,
  input: z.output<typeof changedWorkspace>,
): Promise<WorkspaceView> => retryLostRaces(() => update(ctx, input));

async function update(ctx: Context, input: z.output<typeof changedWorkspace>): Promise<WorkspaceView> {
  const { rowId, slug, id } = ctx.workspace;
  const row = await getWorkspaceRow(ctx, slug);
  const { name, time_zone, colour } = input;
  const switches = WORKSPACE_SWITCHES.map((one) => [
    one,
    input[one] == null ? undefined : Number(input[one]),
  ]);
  const asked: Partial<WorkspaceFields> = { name, time_zone, colour, ...Object.fromEntries(switches) };
  const change: Partial<WorkspaceFields> = Object.fromEntries(
    Object.entries(asked).filter(
      ([field, value]) => value !== undefined && value !== row[field as keyof WorkspaceFields],
    ),
  );
  if (Object.keys(change).length === 0) return toWorkspaceView(row);
  const at = ctx.now();
  const key = settingsKey("workspace", rowId);
  const showsName = (change.shows_name ?? row.shows_name) === 1;
  const isBrandChanged = ["colour", "shows_name", ...(showsName ? ["name"] : [])].some(
    (name) => name in change,
  );
  // The name of an asset is in the value of its code.
  const isTargetChanged = "scans_name_asset" in change;
  const [rows, brand] = await ctx.db.write(
    {
      ...auditEntry(ctx, "workspace.update", id, at),
      before: selectWorkspaceSnapshot(rowId),
      change,
      guards: [ensureWorkspaceUnchanged(row, Object.keys(change) as (keyof WorkspaceFields)[])],
    },
    [
      updateWorkspaceRow(rowId, change, at),
      ...(isBrandChanged ? [markSettings(key, rowId, at)] : []),
      ...(isTargetChanged ? [markSlugs("workspaces", rowId, [], { at, rank: RANKS.bulkEdit })] : []),
    ],
    selectWorkspaceBySlug(slug),
    isBrandChanged ? selectTarget(key) : undefined,
  );
  await pushTargets(ctx, brand, at);
  if (isTargetChanged) await pushWide(ctx, "workspace", rowId, null);
  return toWorkspaceView(rows[0] ?? row);
}

const changeSuspension = (ctx: ServiceContext, slug: string, suspend: boolean): Promise<WorkspaceView> =>
  retryLostRaces(async () => {
    const row = await getWorkspaceRow(ctx, slug);
    if ((row.suspended_at !== null) === suspend) return toWorkspaceView(row);
    const at = ctx.now();
    const action = suspend ? "workspace.suspend" : "workspace.resume";
    const [rows] = await ctx.db.write(
      {
        ...auditEntryIn(row.id, ctx, action, row.public_id, at),
        ...(suspend && { space: "frees" }),
        guards: [ensureWorkspaceUnchanged(row, ["suspended_at"])],
      },
      [
        updateSuspension(row.id, suspend ? at : null, at),
        markDomainSettings(row.id, at),
        openWide("workspace", row.id, at),
      ],
      selectWorkspaceBySlug(slug),
    );
    await pushWide(ctx, "workspace", row.id, suspend ? "taken_down" : null);
    return toWorkspaceView(rows[0] ?? row);
  });

/** Blocks a workspace's API at once, and its links as soon as KV shows it. */
export const suspendWorkspace = (ctx: ServiceContext, slug: string): Promise<WorkspaceView> =>
  changeSuspension(ctx, slug, true);

export const resumeWorkspace = (ctx: ServiceContext, slug: string): Promise<WorkspaceView> =>
  changeSuspension(ctx, slug, false);
