import type { Context, ServiceContext } from "../context";
import { destinationHost } from "../lib/destination";
import type { HealthState } from "../lib/health-state";
import { DAY_MS, isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { getWorkspace } from "../workspaces/service";
import { describe } from "./describe";
import { insertDestinations, updateHealth } from "./repository";
import { domainOf } from "./throttle";
import { selectBrokenAmong, selectBrokenLinks, selectHealthOfLink } from "./view-repository";

/** The most links that `listBrokenLinks` returns. */
const MAX_BROKEN_LINKS = 1_000;

/** What is known of a destination. */
export interface DestinationHealth {
  state: HealthState;
  /** The last answer in plain words. */
  reason: string;
  http_status: number | null;
  failing_since: string | null;
  asked_at: string | null;
}

const NOT_ASKED: DestinationHealth = {
  state: "unknown",
  reason: "not asked yet",
  http_status: null,
  failing_since: null,
  asked_at: null,
};

/** The health of a link's destination; undefined while destinations are not asked. */
export async function getHealthOfLink(ctx: Context, id: string): Promise<DestinationHealth | undefined> {
  if (!ctx.config.healthCheck) return undefined;
  const [[row]] = await ctx.db.read(selectHealthOfLink(ctx.workspace.rowId, storedId(id)));
  if (row === undefined) return NOT_ASKED;
  return {
    state: row.state,
    reason: describe(row),
    http_status: row.http_status,
    failing_since: isoTimeOrNull(row.failing_since),
    asked_at: isoTimeOrNull(row.asked_at),
  };
}

/** The ids of the links whose destination is broken; none while destinations are not asked. */
export async function findBrokenAmong(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const isAsked = ctx.config.healthCheck && ids.length > 0;
  const [rows] = await ctx.db.read(isAsked ? selectBrokenAmong(ctx.workspace.rowId, ids) : undefined);
  return new Set(rows.map(({ id }) => id));
}

interface BrokenLink {
  workspace: string;
  id: string;
  slug: string;
  destination_url: string;
  status: "active" | "archived";
  live_assets: number;
  reason: string;
  http_status: number | null;
  failing_since: string;
  asked_at: string;
}

/** For the operator: the links whose destination is broken, in one workspace or in all. */
export async function listBrokenLinks(
  ctx: ServiceContext,
  workspace?: string,
): Promise<{ links: BrokenLink[]; has_more: boolean }> {
  const workspaceId = workspace === undefined ? undefined : (await getWorkspace(ctx, workspace)).rowId;
  const [rows] = await ctx.db.read(selectBrokenLinks(workspaceId, MAX_BROKEN_LINKS + 1));
  return {
    links: rows.slice(0, MAX_BROKEN_LINKS).map((row) => ({
      workspace: row.workspace,
      id: row.id,
      slug: row.slug,
      destination_url: row.destination_url,
      status: row.archived === 1 ? "archived" : "active",
      live_assets: row.live_assets,
      reason: describe(row),
      http_status: row.http_status,
      failing_since: isoTime(row.failing_since ?? 0),
      asked_at: isoTime(row.asked_at ?? 0),
    })),
    has_more: rows.length > MAX_BROKEN_LINKS,
  };
}

/** For the demo: stores that a destination has answered with an error for some days. It is due again in a week. */
export async function recordBroken(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  url: string,
  { status, since }: { status: number; since: number },
): Promise<void> {
  const at = now();
  const domain = domainOf(destinationHost(url));
  const failure = { state: "broken", reason: "http", http_status: status, failures: 3 } as const;
  await db.writeUnaudited(
    insertDestinations([{ url, domain, live: 0, is_first: 1 }], at),
    updateHealth([{ ...failure, url, live: 0, due_at: at + 7 * DAY_MS, asked_at: at, failing_since: since }]),
  );
}
