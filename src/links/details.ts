import type { Context } from "../context";
import { storedId } from "../lib/ulid-text";
import { selectSlugsOfLink } from "../slugs/repository";
import { found, toLink } from "./link";
import { linkById, liveAssetsOf, standingOf } from "./repository";
import type { Link } from "./schema";

/** A link with what its own page says besides. */
export interface LinkDetails {
  link: Link;
  /** Whether its utm_campaign was given for it, or comes from its group. */
  campaign: "explicit" | "inherited";
  /** Former slugs that still lead here, in lower case. */
  old_slugs: string[];
  /** Why visitors see a page in place of the destination; null where they do not. */
  stopped_by: "operator" | "check" | "blocklist" | null;
  live_assets: { id: string; name: string }[];
}

export async function getLinkDetails(ctx: Context, path: string): Promise<LinkDetails> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [rows, slugs, standing, assets] = await ctx.db.read(
    linkById(workspaceId, id),
    selectSlugsOfLink(workspaceId, id),
    standingOf(workspaceId, id),
    liveAssetsOf(workspaceId, id),
  );
  const row = found(rows[0]);
  const [stands] = standing;
  return {
    link: toLink(row, ctx.config.shortBaseUrl),
    campaign: row.utm_campaign_origin,
    old_slugs: slugs
      .map(({ key }) => key)
      .filter((key) => key !== row.slug_key)
      .sort(),
    stopped_by: stands?.taken_down_by ?? (stands?.blocked === 1 ? "blocklist" : null),
    live_assets: assets,
  };
}
