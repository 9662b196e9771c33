import type { Context } from "../../context";
import { assertFound } from "../../errors";
import { windowInGroup, windowStateAt } from "../../lib/active-window";
import { writtenDates } from "../../lib/days";
import { eachField, PREVIEW_FIELDS } from "../../lib/link-fields";
import { writtenAddress } from "../../lib/short-url";
import { isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { selectKeysOfLink } from "../../redirect/slugs/statements/targets";
import { toLink, toVisitTotals } from "./link";
import { selectBlocking, selectLink, selectLiveAssets } from "./link-repository";

export async function getLinkDetails(ctx: Context, path: string) {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [rows, slugs, blocking, assets] = await ctx.db.read(
    selectLink(workspaceId, id),
    selectKeysOfLink(workspaceId, id),
    selectBlocking(workspaceId, id),
    selectLiveAssets(workspaceId, id),
  );
  const row = assertFound(rows[0], "Link");
  const [reasons] = blocking;
  const activeWindow = windowInGroup(row, row.group);
  const { endsAt, endedUrl } = activeWindow;
  return {
    link: toLink(row, ctx.config),
    note: row.note,
    /** The link's own start and end, each a day or a time. */
    dates: writtenDates(row),
    createdBy: row.created_by,
    /** What chats and networks show of it, where the operator allows it. */
    preview: eachField(PREVIEW_FIELDS, (name) => row[name]),
    /** Previous slugs that still open the link, in lower case, each with its host if that is another. */
    old_slugs: slugs
      .filter(({ key, asset }) => asset === null && key !== row.slug_key)
      .map(({ key }) => writtenAddress(ctx.config, key, row.domain))
      .sort(),
    /** Why visitors get a page instead of a redirect; null if they are redirected. */
    taken_down_by: reasons?.taken_down_by ?? (reasons?.blocked === 1 ? ("blocklist" as const) : null),
    live_assets: assets,
    activeWindow: {
      windowState: windowStateAt(activeWindow, ctx.now()),
      /** The link's own end, or that of its group. */
      ends_at: isoTimeOrNull(endsAt),
      ends_with_group: endsAt !== null && row.ends_at === null,
      /** The link's own, or that of its group. */
      ended_url: endedUrl,
      ended_url_of_group: endedUrl !== null && row.ended_url === null,
      /** Whether the host of `ended_url` is blocked, so that visitors get a page instead. */
      is_ended_url_blocked: reasons?.ended_blocked === 1,
    },
    visitTotals: toVisitTotals(row),
    /** The clicks that the file of its import says it had elsewhere. No total has them. */
    clicksBefore: row.clicks_before,
  };
}

export type LinkDetails = Awaited<ReturnType<typeof getLinkDetails>>;
