import { selectWorkspaceBySlug } from "../../access/workspace-statements";
import type { Context, ServiceContext } from "../../context";
import { workspaceNotFound } from "../../errors";
import { HEALTH_STATES } from "../../lib/health-state";
import { knownValue } from "../../lib/known-value";
import { isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { describe } from "./describe-health";
import {
  type HealthRow,
  selectBlockedAmong,
  selectBrokenAmong,
  selectBrokenLinks,
  selectBrokenUrls,
  selectHealthOfLink,
} from "./destination-statements";

const MAX_BROKEN_LINKS = 1_000;

const NOT_ASKED: HealthRow = {
  state: "unknown",
  reason: null,
  http_status: null,
  failing_since: null,
  asked_at: null,
};

const toHealth = (row: HealthRow) => ({
  state: knownValue(HEALTH_STATES, row.state, "unclear"),
  reason: describe(row),
  http_status: row.http_status,
  failing_since: isoTimeOrNull(row.failing_since),
  asked_at: isoTimeOrNull(row.asked_at),
});

export type DestinationHealth = ReturnType<typeof toHealth>;

/** The health of a link's destination; undefined while destinations are not asked. */
export async function getHealthOfLink(ctx: Context, id: string): Promise<DestinationHealth | undefined> {
  if (!ctx.config.healthCheck) return undefined;
  const [[row]] = await ctx.db.read(selectHealthOfLink(ctx.workspace.rowId, storedId(id)));
  return toHealth(row ?? NOT_ASKED);
}

/**
 * The ids of the links among these whose destination is broken, none while destinations are not asked, and of those whose
 * destination's host the operator does not allow.
 */
export async function findBrokenOrBlocked(ctx: Context, ids: readonly string[]) {
  const workspaceId = ctx.workspace.rowId;
  const [broken, blocked] = await ctx.db.read(
    ctx.config.healthCheck && ids.length > 0 ? selectBrokenAmong(workspaceId, ids) : undefined,
    ids.length > 0 ? selectBlockedAmong(workspaceId, ids) : undefined,
  );
  const idsOf = (rows: typeof broken): ReadonlySet<string> => new Set(rows.map(({ id }) => id));
  return { broken: idsOf(broken), blocked: idsOf(blocked) };
}

/** The destinations of rules that are broken; none while destinations are not asked. */
export async function findBrokenUrls(ctx: Context, urls: readonly string[]): Promise<ReadonlySet<string>> {
  if (!ctx.config.healthCheck || urls.length === 0) return new Set();
  const [rows] = await ctx.db.read(selectBrokenUrls(urls));
  return new Set(rows.map(({ url }) => url));
}

/** For the operator: the links whose destination is broken, in one workspace or in all. */
export async function listBrokenLinks(ctx: ServiceContext, workspace?: string) {
  const [[own]] = await ctx.db.read(workspace === undefined ? undefined : selectWorkspaceBySlug(workspace));
  if (workspace !== undefined && own === undefined) throw workspaceNotFound();
  const workspaceId = own?.id;
  const [rows] = await ctx.db.read(selectBrokenLinks(workspaceId, MAX_BROKEN_LINKS + 1));
  const links = rows.slice(0, MAX_BROKEN_LINKS).map((row) => {
    const { state: _, ...health } = toHealth(row);
    return {
      workspace: row.workspace,
      id: row.id,
      slug: row.slug,
      destination_url: row.destination_url,
      status: row.archived === 1 ? ("archived" as const) : ("active" as const),
      live_assets: row.live_assets,
      ...health,
    };
  });
  return { links, has_more: rows.length > MAX_BROKEN_LINKS };
}
