import { type Alert, queueAlerts } from "../alerts/queue";
import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { append } from "../lib/multimap";
import { isoTimeOrNull } from "../lib/time";
import { describe } from "./describe";
import type { Health } from "./outcome";
import { type LiveAssetRow, selectLiveAssetsOf } from "./repository";

/** Each alert is one of the invocation's queries. */
const MAX_ALERTS_PER_RUN = 8;
const MAX_ASSETS_READ = 500;
const MAX_NAMED_ASSETS = 3;
const MAX_IDS = 20;

/** A destination that has become broken, or was broken and is no longer. */
export interface Change {
  url: string;
  was: Health;
  is: Health;
}

export const isTold = ({ was, is }: Change): boolean => (was.state === "broken") !== (is.state === "broken");

/** "Poster", "Poster" and "Flyer", "Poster", "Flyer", "Sign" and 2 more. */
function nameAssets(rows: readonly LiveAssetRow[]): string {
  const named = rows.slice(0, MAX_NAMED_ASSETS).map(({ name }) => `“${name}”`);
  const more = rows.length - named.length;
  if (more > 0) return `${named.join(", ")} and ${more} more`;
  return named.length === 1 ? named.join() : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

function textOf({ url, is }: Change, assets: readonly LiveAssetRow[], slug: string): string {
  const subject = `The destination of /${slug}, which is on ${nameAssets(assets)}`;
  if (is.state === "broken") return `${subject}, is broken: ${describe(is)} (${url}).`;
  if (is.state === "ok") return `${subject}, is back (${url}).`;
  return `${subject}, is no longer known to be broken, but cannot be checked: ${describe(is)} (${url}).`;
}

function toAlert(change: Change, assets: readonly [LiveAssetRow, ...LiveAssetRow[]]): Alert {
  const { url, was, is } = change;
  const [{ workspace, workspace_row_id: workspaceId, link_id: linkId, slug }] = assets;
  const isBroken = is.state === "broken";
  const since = isBroken ? is.failing_since : was.failing_since;
  return {
    key: `${isBroken ? "broken" : "back"}:${linkId}:${since}`,
    kind: isBroken ? "destination.broken" : "destination.back",
    workspaceId,
    text: textOf(change, assets, slug),
    facts: {
      workspace,
      destination_url: url,
      link_ids: [...new Set(assets.map((one) => one.link_id))].slice(0, MAX_IDS),
      asset_ids: assets.map((one) => one.asset_id).slice(0, MAX_IDS),
      reason: is.reason,
      http_status: is.http_status,
      failing_since: isoTimeOrNull(since),
    },
  };
}

/**
 * The statements that queue alerts for changes of destinations on live assets: one for each workspace and destination.
 * `untold` are the changes that must wait for the next run, because this one has no queries left for them.
 */
export async function alertOf(
  ctx: ServiceContext,
  changes: readonly Change[],
): Promise<{ statements: Statement[]; untold: ReadonlySet<string> }> {
  const told = changes.filter(isTold);
  const untold = new Set<string>();
  if (told.length === 0 || ctx.config.alertWebhook === null) return { statements: [], untold };
  const [rows] = await ctx.db.read(
    selectLiveAssetsOf(
      told.map(({ url }) => url),
      MAX_ASSETS_READ,
    ),
  );
  const alerts: Alert[] = [];
  for (const change of told) {
    const own = new Map<number, LiveAssetRow[]>();
    for (const row of rows) if (row.url === change.url) append(own, row.workspace_row_id, row);
    // More workspaces than a run can tell are told as far as it goes, since no later run could tell more.
    if (alerts.length > 0 && alerts.length + own.size > MAX_ALERTS_PER_RUN) {
      untold.add(change.url);
      continue;
    }
    for (const [first, ...others] of [...own.values()].slice(0, MAX_ALERTS_PER_RUN)) {
      if (first !== undefined) alerts.push(toAlert(change, [first, ...others]));
    }
  }
  return { statements: queueAlerts(ctx, alerts), untold };
}
