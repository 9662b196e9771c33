import type { ServiceContext } from "../context";
import { append } from "../lib/multimap";
import { sleep as realSleep } from "../lib/sleep";
import { SECOND_MS } from "../lib/time";
import { reportBroken } from "./alerts";
import type { Fetch } from "./ask";
import { ABANDONED_MS, askAll, CLAIM_MS, type Result } from "./ask-all";
import { nextHealth } from "./outcome";
import {
  claimDueHosts,
  type DueDestination,
  deleteDestinations,
  deleteIdleHosts,
  type FreeHost,
  postponeDestinations,
  releaseHosts,
  selectDueDestinations,
  type UpdatedHealth,
  updateHealth,
} from "./repository";
import { makeTurns } from "./turns";
import { findDestinations } from "./walk";

// An invocation of the free plan has 50 outgoing calls, 50 queries and 6 connections. A run takes at most 48 calls, 4 at
// once, and 48 queries: 7 of the walk, 3 of the claim, 24 for hosts of redirects, 4 to store, 10 of alerts.

/** No destination is begun after this time. */
const RUN_MS = 80 * SECOND_MS;
const MAX_HOSTS_PER_RUN = 36;
/** The most of one host, with 10 seconds between them. */
const MAX_OF_HOST_PER_RUN = 8;

export interface RunOptions {
  fetch?: Fetch;
  sleep?: (ms: number) => Promise<void>;
  /** No destination is begun after this time. */
  maxMs?: number;
}

interface RunResult {
  found: number;
  asked: number;
  broken: number;
}

/** The first destination of each host, then the second of each. */
function inRounds(rows: readonly DueDestination[], perHost: number): DueDestination[] {
  const byHost = new Map<string, DueDestination[]>();
  for (const row of rows) append(byHost, row.host, row);
  return Array.from({ length: perHost }, (_, round) =>
    [...byHost.values()].flatMap((own) => own.slice(round, round + 1)),
  ).flat();
}

function toUpdated({ row, finding, retryAt, at }: Result): UpdatedHealth {
  const { url, state, reason, http_status, failing_since, asked_at, due_at, is_on_live_asset: live } = row;
  return finding === undefined
    ? { url, live, state, reason, http_status, failing_since, asked_at, due_at: retryAt ?? due_at }
    : { url, live, ...nextHealth(row, finding, { at, isLive: live === 1 }) };
}

/** What to store while a workspace's alert must wait: the destination stays due, and one that is back stays broken. */
const toDeferred = (result: Result): UpdatedHealth => {
  const updated = toUpdated(result);
  const { row, at } = result;
  return updated.state === "broken" ? { ...updated, due_at: row.due_at } : toUpdated({ row, at });
};

/** Claims hosts whose turn it is, and reads what is due of them. */
async function claim({ db }: ServiceContext, at: number) {
  const [claimed] = await db.read(claimDueHosts(at, at + CLAIM_MS, MAX_HOSTS_PER_RUN));
  const hosts = claimed.map(({ host }) => host);
  if (hosts.length === 0) return { hosts, rows: [] };
  const perHost = Math.min(MAX_OF_HOST_PER_RUN, Math.ceil(MAX_HOSTS_PER_RUN / hosts.length));
  const [due] = await db.read(selectDueDestinations(hosts, at, perHost));
  const rows = inRounds(due, perHost);
  if (rows.length > 0) {
    await db.writeUnaudited(
      postponeDestinations(
        rows.map(({ url }) => url),
        at + ABANDONED_MS,
      ),
    );
  }
  return { hosts, rows };
}

/** Stores results with their alerts, deletes destinations without links, and releases the hosts. Returns what is stored. */
async function store(
  ctx: ServiceContext,
  { results, unused, hosts }: { results: Result[]; unused: string[]; hosts: FreeHost[] },
): Promise<UpdatedHealth[]> {
  const { statements, deferred } = await reportBroken(
    ctx,
    results.flatMap((result) =>
      result.finding === undefined ? [] : [{ url: result.row.url, was: result.row, is: toUpdated(result) }],
    ),
  );
  const stored = results.map((result) =>
    deferred.has(result.row.url) ? toDeferred(result) : toUpdated(result),
  );
  await ctx.db.writeUnaudited(
    updateHealth(stored),
    ...(unused.length === 0 ? [] : [deleteDestinations(unused)]),
    releaseHosts(hosts),
    deleteIdleHosts(ctx.now()),
    ...statements,
  );
  return stored;
}

/** Asks the destinations whose turn it is, as far as the limits of an invocation allow. Nothing while it is off. */
export async function askDestinations(
  ctx: ServiceContext,
  { fetch: send = (url, init) => fetch(url, init), sleep = realSleep, maxMs = RUN_MS }: RunOptions = {},
): Promise<RunResult> {
  if (!ctx.config.healthCheck) return { found: 0, asked: 0, broken: 0 };
  const { db, now } = ctx;
  const latest = now() + maxMs;
  const found = await findDestinations(ctx);
  const { hosts, rows } = await claim(ctx, now());
  if (hosts.length === 0) {
    await db.writeUnaudited(deleteIdleHosts(now()));
    return { found, asked: 0, broken: 0 };
  }
  const turns = makeTurns(now, sleep);
  for (const host of hosts) turns.add(host);
  const served = rows.filter(({ is_served: isServed }) => isServed === 1);
  const unused = rows.flatMap(({ url, is_served: isServed }) => (isServed === 1 ? [] : [url]));
  const results = await askAll(ctx, served, { turns, fetch: send, latest });
  const stored = await store(ctx, { results, unused, hosts: turns.freeAt() });
  return {
    found,
    asked: results.filter(({ finding }) => finding !== undefined).length,
    broken: stored.filter(({ state }) => state === "broken").length,
  };
}
