import { auditEntry, type Context } from "../../context";
import { writeToKv } from "../../redirect/slugs/kv-writer";
import { leadsTo, markSlugs, rankOf } from "../../redirect/slugs/statements/marks";
import { selectTargetsOfCodes } from "../../redirect/slugs/statements/targets";
import type { takesBack } from "../audit/undoable";
import {
  type AssetRow,
  ensureAssetsCanLeave,
  ensureAssetsUnchanged,
  ensureLinksExist,
  ensureLinksTakeAssets,
  selectAssetsByIds,
  type TargetLink,
  updateAssets,
} from "./asset-repository";
import type { AssetStatus } from "./asset-status";

export interface AssetChange {
  row: AssetRow;
  fields: Partial<Pick<AssetRow, "name" | "kind" | "status" | "place" | "quantity">>;
  /** If they are not given: when the asset first goes live, and when it is retired. */
  times: Partial<Pick<AssetRow, "live_at" | "retired_at">>;
  target: TargetLink | undefined;
}

const toSnapshot = ({ name, kind, status, place, quantity, live_at, retired_at, link }: AssetRow) =>
  JSON.stringify({ name, kind, status, place, quantity, live_at, retired_at, link: link.public_id });

function retiredAt(row: AssetRow, status: AssetStatus | undefined, at: number): number | null {
  if (status === undefined || status === row.status) return row.retired_at;
  return status === "retired" ? at : null;
}

const changedRow = ({ row, fields, times, target }: AssetChange, at: number) => ({
  ...row,
  ...fields,
  live_at: fields.status === "live" ? (row.live_at ?? at) : row.live_at,
  retired_at: retiredAt(row, fields.status, at),
  ...times,
  link_id: target?.id ?? row.link.id,
  updated_at: at,
});

/** Makes the codes of assets open the links that the assets have now. */
const MOVED = leadsTo("(select link_id from offline_assets where public_id = slugs.asset)");

export type Undone = ReturnType<typeof takesBack>;

/**
 * Changes assets together, each with an audit entry, and returns them. An asset that is moved takes its code along. Loses the
 * race if one has changed since it was read, cannot leave its link or go live, or a link can have no more assets.
 */
export async function commitAssets(
  ctx: Context,
  changes: readonly AssetChange[],
  { at, batch, undone }: { at: number; batch: string | undefined; undone: Undone | undefined },
): Promise<AssetRow[]> {
  const workspaceId = ctx.workspace.rowId;
  const moved = changes.flatMap(({ row, target }) => (target === undefined ? [] : [{ row, target }]));
  const movedIds = moved.map(({ row }) => row.public_id);
  const renamed = changes.filter(({ row, fields: { name = row.name } }) => name !== row.name);
  const renamedIds = renamed.map(({ row }) => row.public_id);
  const mark = { at, rank: rankOf(changes.length) };
  const added = new Map<number, number>();
  for (const { target } of moved) added.set(target.id, (added.get(target.id) ?? 0) + 1);
  const goingLive = changes.filter(({ fields, target }) => fields.status === "live" && target === undefined);
  const linksOfLive = goingLive.map(({ row }) => row.link.id);
  const rows = changes.map(({ row }) => row);
  const ids = rows.map((row) => row.public_id);
  const [first, ...others] = changes.map(({ row, fields, target }) => ({
    subject: row.public_id,
    before: toSnapshot(row),
    change: { ...fields, ...(target && { link: target.public_id }), ...undone },
  }));
  if (first === undefined) return [];
  const [after, toWrite] = await ctx.db.write(
    {
      ...auditEntry(ctx, "asset.update", first.subject, at),
      ...first,
      ...(batch !== undefined && { operation: batch, batch }),
      guards: [
        ensureAssetsUnchanged(workspaceId, rows),
        ...(moved.length === 0
          ? []
          : [ensureAssetsCanLeave(movedIds), ensureLinksTakeAssets(workspaceId, [...added])]),
        ...(goingLive.length === 0 ? [] : [ensureLinksExist(workspaceId, linksOfLive)]),
      ],
      others,
    },
    [
      updateAssets(
        workspaceId,
        changes.map((change) => changedRow(change, at)),
      ),
      ...(moved.length === 0
        ? []
        : [markSlugs("offline_assets", workspaceId, movedIds, { ...mark, set: MOVED })]),
      ...(renamed.length === 0 ? [] : [markSlugs("asset_names", workspaceId, renamedIds, mark)]),
    ],
    selectAssetsByIds(workspaceId, ids),
    moved.length + renamed.length === 0
      ? undefined
      : selectTargetsOfCodes(workspaceId, [...new Set([...movedIds, ...renamedIds])]),
  );
  await writeToKv(ctx, toWrite, at);
  return after;
}
