import type { FieldError } from "../../errors";
import { knownValue } from "../../lib/known-value";
import { type ShortHost, shortUrlOf } from "../../lib/short-url";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import type { AssetRow } from "./asset-repository";
import { ASSET_KINDS } from "./asset-schema";
import { ASSET_STATUSES } from "./asset-status";

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
  /** The slug that its QR code has. */
  code: row.code,
  code_url: shortUrlOf(host, row.domain, row.code),
  live_at: isoTimeOrNull(row.live_at),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export type Asset = ReturnType<typeof toAsset>;

const CODE_IS_TAKEN_DOWN: FieldError = {
  field: "link",
  message: "The link of this Offline Engagement asset has been taken down, and its code with it.",
  code: "taken_down",
};

/** A takedown by the operator stays with the code, so the asset cannot leave its link. */
export function leavingProblem({ link, code_taken_down_at: at }: AssetRow): FieldError | undefined {
  const isTakenDown = at !== null || (link.deleted_at === null && link.taken_down_by === "operator");
  return isTakenDown ? CODE_IS_TAKEN_DOWN : undefined;
}
