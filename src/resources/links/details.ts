import type { Context } from "../../context";
import { type WindowState, windowInGroup, windowStateAt } from "../../lib/active-window";
import { writtenAddress } from "../../lib/short-url";
import { isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { selectSlugsOfLink } from "../../redirect/slugs/statements/targets";
import { assertFound, toLink } from "./link";
import { type LinkRow, selectBlocking, selectLink, selectLiveAssets, selectVisitTotals } from "./repository";
import type { Link } from "./schema";
import { toVisitTotals, type VisitTotals } from "./visit-totals";

/** A link with the details that its page in the web application shows. */
export interface LinkDetails {
  link: Link;
  /** Whether its utm_campaign was set for the link or comes from its group. */
  campaign: "explicit" | "inherited";
  /** Previous slugs that still open the link, in lower case, each with its host if that is another. */
  old_slugs: string[];
  /** Why visitors get a page instead of a redirect; null if they are redirected. */
  taken_down_by: "operator" | "check" | "blocklist" | null;
  live_assets: { id: string; name: string }[];
  activeWindow: LinkWindow;
  visitTotals: VisitTotals;
}

/** What visitors get before the start and after the end. */
interface LinkWindow {
  windowState: WindowState;
  /** The link's own end, or that of its group. */
  ends_at: string | null;
  ends_with_group: boolean;
  /** The link's own, or that of its group. */
  ended_url: string | null;
  ended_url_of_group: boolean;
  /** Whether the host of `ended_url` is blocked, so that visitors get a page instead. */
  is_ended_url_blocked: boolean;
}

function toActiveWindow(row: LinkRow, now: number, isBlocked: boolean): LinkWindow {
  const activeWindow = windowInGroup(row, row.group);
  return {
    windowState: windowStateAt(activeWindow, now),
    ends_at: isoTimeOrNull(activeWindow.endsAt),
    ends_with_group: activeWindow.endsAt !== null && row.ends_at === null,
    ended_url: activeWindow.endedUrl,
    ended_url_of_group: activeWindow.endedUrl !== null && row.ended_url === null,
    is_ended_url_blocked: isBlocked,
  };
}

export async function getLinkDetails(ctx: Context, path: string): Promise<LinkDetails> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [rows, slugs, blocking, assets, [visitTotals]] = await ctx.db.read(
    selectLink(workspaceId, id),
    selectSlugsOfLink(workspaceId, id),
    selectBlocking(workspaceId, id),
    selectLiveAssets(workspaceId, id),
    selectVisitTotals(workspaceId, id),
  );
  const row = assertFound(rows[0]);
  const [reasons] = blocking;
  return {
    link: toLink(row, ctx.config),
    campaign: row.utm_campaign_origin,
    old_slugs: slugs
      .filter(({ key }) => key !== row.slug_key)
      .map(({ key }) => writtenAddress(ctx.config, key, row.domain))
      .sort(),
    taken_down_by: reasons?.taken_down_by ?? (reasons?.blocked === 1 ? "blocklist" : null),
    live_assets: assets,
    activeWindow: toActiveWindow(row, ctx.now(), reasons?.ended_blocked === 1),
    visitTotals: toVisitTotals(visitTotals ?? { clicks: 0, scans: 0, last_visit_at: null }),
  };
}
