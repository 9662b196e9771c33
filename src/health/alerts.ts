import { type Alert, closeAlerts, queueAlerts } from "../alerts/queue";
import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { destinationHost } from "../lib/destination";
import { append } from "../lib/multimap";
import { isoTimeOrNull } from "../lib/time";
import { type LiveAssetRow, selectAssetsToReport } from "./alert-repository";
import { describe } from "./describe";
import type { Health } from "./outcome";

/** Each alert is one of the invocation's queries. */
const MAX_ALERTS_PER_RUN = 8;
const MAX_NAMED_ASSETS = 3;
/** The most ids of links and of assets in an alert. */
const MAX_IDS = 20;
/** Enough to see that there are more alerts than a run can queue. */
const MAX_ASSETS_READ = (MAX_ALERTS_PER_RUN + 1) * MAX_IDS;

/** A destination that was asked. */
interface Change {
  url: string;
  was: Health;
  is: Health;
}

type Assets = readonly [LiveAssetRow, ...LiveAssetRow[]];

const isBroken = ({ state }: Health): boolean => state === "broken";

const sinceOf = ({ was, is }: Change): number | null => (isBroken(is) ? is : was).failing_since;

/** `"Poster"`, `"Poster" and "Flyer"`, `"Poster", "Flyer", "Sign" and 2 more`. */
function nameAssets(rows: Assets): string {
  const named = rows.slice(0, MAX_NAMED_ASSETS).map(({ name }) => `"${name}"`);
  const more = rows[0].live_assets - named.length;
  if (more > 0) return `${named.join(", ")} and ${more} more`;
  return named.length === 1 ? named.join() : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

function textOf({ is }: Change, assets: Assets, shortUrl: string, host: string): string {
  const subject = `The destination of ${shortUrl}, at ${host},`;
  const names = `Live assets: ${nameAssets(assets)}.`;
  if (isBroken(is)) return `${subject} is broken: ${describe(is)}. ${names}`;
  if (is.state === "ok") return `${subject} is back. ${names}`;
  return `${subject} is no longer known to be broken, but cannot be checked: ${describe(is)}. ${names}`;
}

function toAlert({ config }: ServiceContext, change: Change, assets: Assets): Alert {
  const { url, is } = change;
  const [{ workspace, workspace_row_id: workspaceId, link_id: linkId, slug, live_assets: count }] = assets;
  const since = sinceOf(change);
  const shortUrl = `${config.shortBaseUrl}/${slug}`;
  const host = destinationHost(url);
  return {
    key: `${isBroken(is) ? "broken" : "back"}:${linkId}:${since}`,
    kind: isBroken(is) ? "destination.broken" : "destination.back",
    workspaceId,
    text: textOf(change, assets, shortUrl, host),
    facts: {
      workspace,
      short_url: shortUrl,
      host,
      link_ids: [...new Set(assets.map((one) => one.link_id))],
      asset_ids: assets.map((one) => one.asset_id),
      live_assets: count,
      reason: is.reason,
      http_status: is.http_status,
      failing_since: isoTimeOrNull(since),
    },
    isOpen: isBroken(is),
  };
}

/**
 * The statements that queue alerts of asked destinations on live assets, one for each workspace and destination: those that
 * are broken and not reported yet, and those that were reported and are no longer broken. `deferred` are destinations with
 * more alerts than this run has queries for. They must be asked again by the next run.
 */
export async function reportBroken(
  ctx: ServiceContext,
  changes: readonly Change[],
): Promise<{ statements: Statement[]; deferred: ReadonlySet<string> }> {
  const relevant = changes.filter(({ was, is }) => isBroken(was) || isBroken(is));
  if (relevant.length === 0 || ctx.config.alertWebhook === null) {
    return { statements: [], deferred: new Set() };
  }
  const destinations = relevant.map((change) => ({
    url: change.url,
    since: sinceOf(change),
    is_broken: isBroken(change.is) ? (1 as const) : (0 as const),
  }));
  const [rows] = await ctx.db.read(selectAssetsToReport(destinations, MAX_IDS, MAX_ASSETS_READ));
  const groups = new Map<string, LiveAssetRow[]>();
  for (const row of rows) append(groups, `${row.position} ${row.workspace_row_id}`, row);
  const all = [...groups.values()].flatMap(([first, ...others]): Assets[] =>
    first === undefined ? [] : [[first, ...others]],
  );
  const reported = all.slice(0, MAX_ALERTS_PER_RUN);
  const waiting = new Set(all.slice(MAX_ALERTS_PER_RUN).map(([{ position }]) => position));
  const lastRead = rows.length < MAX_ASSETS_READ ? relevant.length : (rows.at(-1)?.position ?? 0);
  const alerts = reported.flatMap((assets) => {
    const change = relevant[assets[0].position];
    return change === undefined ? [] : [toAlert(ctx, change, assets)];
  });
  const over = reported.flatMap(([{ reported_key: key }]) => (key === null ? [] : [key]));
  return {
    statements: [...closeAlerts(over), ...queueAlerts(ctx, alerts)],
    deferred: new Set(
      relevant.flatMap(({ url }, position) => (waiting.has(position) || position > lastRead ? [url] : [])),
    ),
  };
}
