import type { z } from "zod";
import { toWorkspace } from "../../access/workspace";
import {
  selectWorkspaceBySlug,
  selectWorkspaces,
  type WorkspaceRow,
} from "../../access/workspace-statements";
import {
  auditEntry,
  auditEntryIn,
  type ServiceContext,
  type Workspace,
  type WorkspaceContext,
} from "../../context";
import { assertFound, LostRace, retryLostRaces, workspaceNotFound } from "../../errors";
import { invalid, SLUG_TAKEN } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { newId } from "../../lib/ids";
import { countsKeptFrom } from "../../lib/range";
import { settingsKey } from "../../lib/slug-text";
import { readZones, zonesAfter } from "../../lib/time-zone";
import { storedId } from "../../lib/ulid-text";
import { writeToKv, writeWholeToKv } from "../../redirect/slugs/kv-writer";
import { markDomainSettings, markSettings, markSlugs, RANKS } from "../../redirect/slugs/statements/marks";
import { selectTarget } from "../../redirect/slugs/statements/targets";
import { openWide } from "../../redirect/slugs/statements/wide";
import { planZoneChange } from "./change-zone";
import {
  ensureWorkspaceUnchanged,
  insertWorkspace,
  type Owned,
  selectWorkspaceOf,
  toFields,
  updateWorkspaceRow,
  type WorkspaceFields,
} from "./workspace-repository";
import { type changedWorkspace, type newWorkspace, WORKSPACE_SWITCHES } from "./workspace-schema";
import { toWorkspaceView, type WorkspaceView } from "./workspace-view";

/** Throws 404. */
async function getWorkspaceRow(ctx: ServiceContext, slug: string): Promise<WorkspaceRow> {
  const [[row]] = await ctx.db.read(selectWorkspaceBySlug(slug));
  if (row === undefined) throw workspaceNotFound();
  return row;
}

/** The workspace with this slug; throws 404. */
export const getWorkspace = async (ctx: ServiceContext, slug: string): Promise<Workspace> =>
  toWorkspace(await getWorkspaceRow(ctx, slug));

const NOUNS = { group: "Activity Group", link: "Link", asset: "Offline Engagement asset" };

/** For the operator: the context of the workspace that owns a group, link or asset; throws 404. */
export async function getContextOf(ctx: ServiceContext, kind: Owned, id: string): Promise<WorkspaceContext> {
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
    const [[created]] = await ctx.db.write(
      { ...auditEntryIn(null, ctx, "workspace.create", id, at), change: input, space: "takes" },
      [insertWorkspace(row)],
      selectWorkspaceBySlug(input.slug),
    );
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

export const getOwnWorkspace = async (ctx: WorkspaceContext): Promise<WorkspaceView> =>
  toWorkspaceView(await getWorkspaceRow(ctx, ctx.workspace.slug));

/** What owners change, and the operator with the link limit. */
type WorkspaceChange = z.output<typeof changedWorkspace> & { link_limit?: number | null | undefined };

/** Changes the name, the time zone, the colour and the switches of the workspace. Its slug does not change, so addresses stay valid. */
export const updateWorkspace = (ctx: WorkspaceContext, input: WorkspaceChange): Promise<WorkspaceView> =>
  retryLostRaces(() => update(ctx, input));

const MAX_EARLIER_ZONES = 20;

const TOO_MANY_ZONES: Failure = {
  field: "time_zone",
  message: `The time zone was changed ${MAX_EARLIER_ZONES} times in the 25 months whose visits are kept by day. It can be changed again once the first of these is over.`,
  code: "limit",
};

/** What a change of zone leaves of the zones before. A workspace without visits has no days to keep. Throws 422. */
function earlierZones(row: WorkspaceRow, zone: string, now: number): Pick<WorkspaceRow, "earlier_zones"> {
  if (row.clicks + row.scans === 0) return { earlier_zones: null };
  const { earlier } = zonesAfter(readZones(row.time_zone, row.earlier_zones), zone, now);
  const kept = earlier.filter(({ until }) => until > countsKeptFrom(now));
  if (kept.length > MAX_EARLIER_ZONES) throw invalid([TOO_MANY_ZONES]);
  return { earlier_zones: kept.length === 0 ? null : JSON.stringify(kept) };
}

async function update(ctx: WorkspaceContext, input: WorkspaceChange): Promise<WorkspaceView> {
  const { rowId, slug, id } = ctx.workspace;
  const row = await getWorkspaceRow(ctx, slug);
  const was = toFields(row);
  const { name, time_zone, colour, own_networks, link_limit } = input;
  const switches = WORKSPACE_SWITCHES.map((one) => [
    one,
    input[one] == null ? undefined : Number(input[one]),
  ]);
  const asked: Partial<WorkspaceFields> = {
    name,
    time_zone,
    colour,
    own_networks,
    link_limit,
    ...Object.fromEntries(switches),
  };
  const change: Partial<WorkspaceFields> = Object.fromEntries(
    Object.entries(asked).filter(
      ([field, value]) => value !== undefined && value !== was[field as keyof WorkspaceFields],
    ),
  );
  if (Object.keys(change).length === 0) return toWorkspaceView(row);
  const at = ctx.now();
  const { time_zone: zone } = change;
  const move = zone === undefined ? undefined : await planZoneChange(ctx, [row.time_zone, zone], at);
  const key = settingsKey("workspace", rowId);
  const showsName = (change.shows_name ?? row.shows_name) === 1;
  const isSettingChanged = [
    "colour",
    "own_networks",
    "shows_name",
    "time_zone",
    ...(showsName ? ["name"] : []),
  ].some((name) => name in change);
  // The values of links say whether there are networks.
  const isSwitched =
    "own_networks" in change && (change.own_networks === null) !== (row.own_networks === null);
  // The name of an asset is in the value of its code.
  const isTargetChanged = "scans_name_asset" in change;
  const [rows, brand] = await ctx.db.write(
    {
      ...auditEntry(ctx, "workspace.update", id, at),
      before: JSON.stringify(was),
      change: { ...change, ...move?.moved },
      guards: [ensureWorkspaceUnchanged(row, was), ...(move?.guards ?? [])],
    },
    [
      ...(move?.statements ?? []),
      updateWorkspaceRow(rowId, { ...change, ...(zone && earlierZones(row, zone, at)) }, at),
      ...(isSettingChanged ? [markSettings(key, rowId, at)] : []),
      ...(isSwitched ? [openWide("workspace", rowId, at)] : []),
      ...(isTargetChanged ? [markSlugs("workspaces", rowId, [], { at, rank: RANKS.bulkEdit })] : []),
    ],
    selectWorkspaceBySlug(slug),
    isSettingChanged ? selectTarget(key) : undefined,
  );
  await writeToKv(ctx, brand, at);
  if (isTargetChanged || isSwitched || move?.isMoved) await writeWholeToKv(ctx, "workspace", rowId, null);
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
        guards: [ensureWorkspaceUnchanged(row, { suspended_at: row.suspended_at })],
      },
      [
        updateWorkspaceRow(row.id, { suspended_at: suspend ? at : null }, at),
        markDomainSettings(row.id, at),
        markSettings(settingsKey("workspace", row.id), row.id, at),
        openWide("workspace", row.id, at),
      ],
      selectWorkspaceBySlug(slug),
    );
    await writeWholeToKv(ctx, "workspace", row.id, suspend ? "taken_down" : null);
    return toWorkspaceView(rows[0] ?? row);
  });

/** Blocks a workspace's API at once, and its links as soon as KV shows it. */
export const suspendWorkspace = (ctx: ServiceContext, slug: string): Promise<WorkspaceView> =>
  changeSuspension(ctx, slug, true);

export const resumeWorkspace = (ctx: ServiceContext, slug: string): Promise<WorkspaceView> =>
  changeSuspension(ctx, slug, false);
