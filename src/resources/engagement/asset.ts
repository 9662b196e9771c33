import type { Context } from "../../context";
import { invalid, linkIsFull, takenDown } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { knownValue } from "../../lib/known-value";
import { type ShortHost, shortUrlOf } from "../../lib/short-url";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { selectNamedKey } from "../../redirect/slugs/statements/slug-owners";
import { type AssetRow, selectTargetLink, type TargetLink } from "./asset-repository";
import { ASSET_KINDS, MAX_ASSETS_OF_LINK } from "./asset-schema";
import { ASSET_STATUSES, type AssetStatus, isAssetStatusMove } from "./asset-status";

function statusOfLink({ deleted_at, archived_at }: AssetRow["link"]): "active" | "archived" | "deleted" {
  if (deleted_at !== null) return "deleted";
  return archived_at === null ? "active" : "archived";
}

export const toAsset = (row: AssetRow, host: ShortHost) => ({
  id: row.public_id,
  name: row.name,
  kind: knownValue(ASSET_KINDS, row.kind, "other"),
  status: knownValue(ASSET_STATUSES, row.status, "other"),
  place: row.place,
  quantity: row.quantity,
  link: { id: row.link.public_id, slug: row.link.slug, status: statusOfLink(row.link) },
  code: row.code,
  code_url: shortUrlOf(host, row.domain, row.code),
  live_at: isoTimeOrNull(row.live_at),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export type Asset = ReturnType<typeof toAsset>;

const CODE_IS_TAKEN_DOWN: Failure = {
  field: "link",
  message: "The link of this poster has been taken down, and its code with it.",
  code: "taken_down",
};

/** A takedown by the operator stays with the code, so the asset cannot leave its link. */
export function leavingProblem({ link, code_taken_down_at: at }: AssetRow): Failure | undefined {
  const isTakenDown = at !== null || (link.deleted_at === null && link.taken_down_by === "operator");
  return isTakenDown ? CODE_IS_TAKEN_DOWN : undefined;
}

const LINK_IS_DELETED: Failure = {
  field: "status",
  message: "The link of this poster is deleted: it cannot go live.",
  code: "state",
};

/** `isMoved` means to a link that exists. */
export function statusProblem(
  row: AssetRow,
  to: AssetStatus | undefined,
  isMoved: boolean,
): Failure | undefined {
  if (to === undefined) return undefined;
  if (!isAssetStatusMove(row.status, to)) {
    return { field: "status", message: `A poster cannot go from ${row.status} to ${to}.`, code: "state" };
  }
  const goesLive = to === "live" && row.status !== "live";
  return goesLive && !isMoved && row.link.deleted_at !== null ? LINK_IS_DELETED : undefined;
}

const UNKNOWN_LINK: Failure = {
  field: "link",
  message: "No link of this workspace has this slug or ID.",
  code: "unknown",
};
const LINK_IS_FULL = linkIsFull("link", MAX_ASSETS_OF_LINK, "posters");

export const selectTarget = ({ workspace, config }: Context, named: string) =>
  selectTargetLink(workspace.rowId, storedId(named), selectNamedKey(config, workspace.rowId, named));

export async function findTarget(ctx: Context, named: string): Promise<TargetLink | undefined> {
  const [[link]] = await ctx.db.read(selectTarget(ctx, named));
  return link;
}

export const hasRoomFor = ({ assets }: TargetLink, more: number): boolean =>
  assets + more <= MAX_ASSETS_OF_LINK;

/** Throws 422 on `link` if it is unknown or cannot get `more` assets. */
export function assertTakesAssets(link: TargetLink | undefined, more: number): TargetLink {
  if (link === undefined) throw invalid([UNKNOWN_LINK]);
  if (link.taken_down_by === "operator") throw invalid([takenDown("link")]);
  if (!hasRoomFor(link, more)) throw invalid([LINK_IS_FULL]);
  return link;
}

/** The link with this id or slug. Throws 422 on `link` if it cannot get `more` assets. */
export const getTarget = async (ctx: Context, named: string, more: number): Promise<TargetLink> =>
  assertTakesAssets(await findTarget(ctx, named), more);
