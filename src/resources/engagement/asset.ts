import { type FieldError, notFound } from "../../errors";
import type { AssetStatus } from "../../lib/asset-status";
import { type ShortHost, shortUrlOf } from "../../lib/short-url";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import type { AssetRow } from "./repository";

export interface Asset {
  id: string;
  name: string;
  kind: AssetRow["kind"];
  status: AssetStatus;
  place: string | null;
  quantity: number | null;
  link: { id: string; slug: string; status: "active" | "archived" | "deleted" };
  /** The slug that its QR code has. */
  code: string;
  code_url: string;
  live_at: string | null;
  created_at: string;
  updated_at: string;
}

export const toAsset = (row: AssetRow, host: ShortHost): Asset => ({
  id: row.public_id,
  name: row.name,
  kind: row.kind,
  status: row.status,
  place: row.place,
  quantity: row.quantity,
  link: {
    id: row.link.public_id,
    slug: row.link.slug,
    status: row.link.deleted_at !== null ? "deleted" : row.link.archived_at !== null ? "archived" : "active",
  },
  code: row.code,
  code_url: shortUrlOf(host, row.domain, row.code),
  live_at: isoTimeOrNull(row.live_at),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export function assertFound(row: AssetRow | undefined): AssetRow {
  if (row === undefined) throw notFound("Offline Engagement asset");
  return row;
}

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
