import type { ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import { destinationHost } from "../../lib/destination";
import type { Health } from "../../lib/health-state";
import { shortUrlOf } from "../../lib/short-url";
import { isoTimeOrNull } from "../../lib/time";
import { describe } from "../../resources/destinations/describe-health";
import { type LiveAssetRow, selectAssetsToReport } from "./alert-repository";
import { type Alert, queueAlerts } from "./queue-alerts";

const MAX_NAMED_ASSETS = 3;
const MAX_IDS = 20;
/** A destination of more workspaces is reported to them by the next checks. */
const MAX_ALERTS_PER_RUN = 100;

export interface HealthChange {
  url: string;
  was: Pick<Health, "state" | "failing_since">;
  is: Health;
}

const isBroken = ({ state }: Pick<Health, "state">): boolean => state === "broken";

const sinceOf = ({ was, is }: HealthChange): number | null => (isBroken(is) ? is : was).failing_since;

/** `"Poster"`, `"Poster" and "Flyer"`, `"Poster", "Flyer", "Sign" and 2 more`. */
function nameAssets(rows: readonly LiveAssetRow[], count: number): string {
  const named = rows.slice(0, MAX_NAMED_ASSETS).map(({ name }) => `"${name}"`);
  const more = count - named.length;
  return new Intl.ListFormat("en-GB").format([...named, ...(more > 0 ? [`${more} more`] : [])]);
}

function textOf(is: Health): string {
  if (isBroken(is)) return `is broken: ${describe(is)}`;
  if (is.state === "ok") return "is back";
  return `is no longer known to be broken, but cannot be checked: ${describe(is)}`;
}

function toAlert(
  { config }: ServiceContext,
  change: HealthChange,
  first: LiveAssetRow,
  assets: readonly LiveAssetRow[],
): Alert {
  const { is } = change;
  const since = sinceOf(change);
  const shortUrl = shortUrlOf(config, first.domain, first.slug);
  const host = destinationHost(change.url);
  const names = nameAssets(assets, first.live_assets);
  return {
    key: `${isBroken(is) ? "broken" : "back"}:${first.link_id}:${since}`,
    kind: isBroken(is) ? "destination.broken" : "destination.back",
    workspaceId: first.workspace_row_id,
    text: `The destination of ${shortUrl}, at ${host}, ${textOf(is)}. Live assets: ${names}.`,
    facts: {
      workspace: first.workspace,
      short_url: shortUrl,
      host,
      link_ids: [...new Set(assets.map((one) => one.link_id))],
      asset_ids: assets.map((one) => one.asset_id),
      live_assets: first.live_assets,
      reason: is.reason,
      http_status: is.http_status,
      failing_since: isoTimeOrNull(since),
    },
  };
}

/**
 * The statements that queue alerts of checked destinations on live assets, one for each workspace and destination: those
 * that are broken and not reported yet, and those that were reported and are no longer broken.
 */
export async function reportBroken(
  ctx: ServiceContext,
  changes: readonly HealthChange[],
): Promise<Statement[]> {
  const relevant = changes.filter(({ was, is }) => isBroken(was) || isBroken(is));
  if (relevant.length === 0 || ctx.config.alertWebhook === null) return [];
  const destinations = relevant.map((change) => ({
    url: change.url,
    since: sinceOf(change),
    is_broken: Number(isBroken(change.is)),
  }));
  const [rows] = await ctx.db.read(selectAssetsToReport(destinations, MAX_IDS, MAX_IDS * MAX_ALERTS_PER_RUN));
  const groups = Map.groupBy(rows, (row) => `${row.position} ${row.workspace_row_id}`);
  const alerts = [...groups.values()].flatMap((assets) => {
    const [first] = assets;
    const change = first && relevant[first.position];
    return first === undefined || change === undefined ? [] : [toAlert(ctx, change, first, assets)];
  });
  return queueAlerts(ctx, alerts);
}
