import type { ServiceContext } from "../context";
import { destinationProblem, ownHostProblem } from "../lib/destination";
import { append } from "../lib/multimap";
import { sleep as realSleep } from "../lib/sleep";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../lib/time";
import { alertOf, type Change } from "./alerts";
import { askDestination, type Fetch, MAX_FETCHES, type Turn } from "./ask";
import { type Finding, nextHealth } from "./outcome";
import {
  claimDueHosts,
  claimHost,
  type DueDestination,
  deleteDestinations,
  deleteIdleHosts,
  postponeDestinations,
  releaseHosts,
  selectDueDestinations,
  type UpdatedHealth,
  updateHealth,
} from "./repository";
import { HOST_PACE_MS, makeTurns } from "./turns";
import { findDestinations } from "./walk";

// An invocation of the free plan has 50 outgoing calls, 50 queries and 6 connections. A run takes at most 48 calls, 4 at
// once, and 47 queries: 7 of the walk, 4 of the claim, 24 for hosts of redirects, 4 to store, 8 of alerts.

/** No destination is begun after this time. */
const RUN_MS = 80 * SECOND_MS;
/** A run holds its hosts for this long: longer than it can take. */
const HOLD_MS = 3 * MINUTE_MS;
const MAX_FETCHES_PER_RUN = 48;
/** At once. Each has enough fetches set aside to end. */
const MAX_ASKED_AT_ONCE = MAX_FETCHES_PER_RUN / MAX_FETCHES;
const MAX_HOSTS_PER_RUN = 36;
/** The most of one host, with 10 seconds between them. */
const MAX_OF_HOST_PER_RUN = 8;
/** One query each. Enough for all that are asked at once, or none of them might ever get to its end. */
const MAX_REDIRECT_HOSTS_PER_RUN = 24;
/** When a destination is asked again whose run ended early. */
const ABANDONED_MS = HOUR_MS;
/** When a destination is asked again whose redirect leads to a busy host. */
const BUSY_MS = 10 * MINUTE_MS;

/** Header values are ASCII. */
const userAgentOf = (baseUrl: string): string =>
  `Waymark/1.0 (checks whether the page that a short link leads to is still there; +${baseUrl})`;

export interface RunOptions {
  fetch?: Fetch;
  sleep?: (ms: number) => Promise<void>;
  /** No destination is begun after this time. */
  maxMs?: number;
}

export interface RunResult {
  found: number;
  asked: number;
  broken: number;
}

/** A destination that a run took, with what it found; no finding if the run did not get to it. */
interface Taken {
  row: DueDestination;
  finding?: Finding;
  /** When to ask it again, if it was begun without a finding. */
  again?: number;
  at: number;
}

/** The first destination of each host, then the second of each. */
function inRounds(rows: readonly DueDestination[], perHost: number): DueDestination[] {
  const byHost = new Map<string, DueDestination[]>();
  for (const row of rows) append(byHost, row.host, row);
  return Array.from({ length: perHost }, (_, round) =>
    [...byHost.values()].flatMap((own) => own.slice(round, round + 1)),
  ).flat();
}

const isForbidden = (ctx: ServiceContext, { url, host, is_blocked: isBlocked }: DueDestination): boolean =>
  isBlocked === 1 ||
  destinationProblem(url) !== undefined ||
  ownHostProblem(host, ctx.config.ownHosts) !== undefined;

const toUpdated = ({ row, finding, again, at }: Taken): UpdatedHealth => {
  const { url, state, reason, http_status, failing_since, asked_at, due_at, is_on_live_asset: live } = row;
  return finding === undefined
    ? { url, live, state, reason, http_status, failing_since, asked_at, due_at: again ?? due_at }
    : { url, live, ...nextHealth(row, finding, { at, isLive: live === 1 }) };
};

/** Claims hosts whose turn it is, and reads what is due of them. */
async function claim({ db }: ServiceContext, at: number) {
  const [claimed] = await db.read(claimDueHosts(at, at + HOLD_MS, MAX_HOSTS_PER_RUN));
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
  if (hosts.length === 0) return { found, asked: 0, broken: 0 };

  const turns = makeTurns(now, sleep);
  for (const host of hosts) turns.hold(host);
  let fetchesLeft = MAX_FETCHES_PER_RUN;
  /** Whether this run may ask a host. It is looked up once for each host of a redirect. */
  const entered = new Map<string, Promise<Turn>>(
    rows.map(({ host, is_blocked: isBlocked }) => [
      host,
      Promise.resolve(isBlocked === 1 ? "forbidden" : "now"),
    ]),
  );
  const mostEntered = entered.size + MAX_REDIRECT_HOSTS_PER_RUN;

  async function enter(host: string): Promise<Turn> {
    const at = now();
    const [[claimed]] = await db.read(claimHost(host, at, at + HOLD_MS, turns.isHeld(host)));
    if (claimed === undefined) return "later";
    if (!turns.isHeld(host)) turns.hold(host);
    return claimed.is_blocked === 1 ? "forbidden" : "now";
  }

  async function takeTurn(host: string): Promise<Turn> {
    if (ownHostProblem(host, ctx.config.ownHosts) !== undefined) return "forbidden";
    const known = entered.get(host);
    if (known === undefined && entered.size >= mostEntered) return "later";
    const entering = known ?? enter(host);
    entered.set(host, entering);
    const turn = await entering;
    if (turn !== "now") return turn;
    return (await turns.take(host, now() + HOST_PACE_MS)) ? "now" : "later";
  }

  async function take(row: DueDestination): Promise<Taken> {
    if (isForbidden(ctx, row)) return { row, finding: { reason: "forbidden", status: null }, at: now() };
    // The walk to a redirect's end must not stop halfway, so its fetches are set aside.
    fetchesLeft -= MAX_FETCHES;
    let fetches = 0;
    try {
      if (!(await turns.take(row.host, latest))) return { row, at: now() };
      const finding = await askDestination(row.url, {
        fetch: send,
        userAgent: userAgentOf(ctx.config.baseUrl),
        now,
        takeTurn,
        onFetch: (host) => {
          fetches++;
          turns.occupy(host);
        },
        onRetryAfter: turns.occupy,
      });
      return { row, at: now(), ...(finding === undefined ? { again: now() + BUSY_MS } : { finding }) };
    } finally {
      fetchesLeft += MAX_FETCHES - fetches;
    }
  }

  const isUnused = ({ is_served: isServed }: DueDestination) => isServed === 0;
  const waiting = rows.filter((row) => !isUnused(row));
  const taken: Taken[] = [];
  const workers = Array.from({ length: MAX_ASKED_AT_ONCE }, async () => {
    while (fetchesLeft >= MAX_FETCHES && now() < latest) {
      const row = waiting.shift();
      if (row === undefined) return;
      taken.push(await take(row));
    }
  });
  await Promise.all(workers);
  taken.push(...waiting.map((row) => ({ row, at: now() })));

  const changes = taken.map((one): Change & { is: UpdatedHealth } => ({
    url: one.row.url,
    was: one.row,
    is: toUpdated(one),
  }));
  const { statements, untold } = await alertOf(ctx, changes);
  const stored = taken.map((one, index) =>
    untold.has(one.row.url) ? toUpdated({ row: one.row, at: one.at }) : changes[index]?.is,
  );
  const unused = rows.filter(isUnused).map(({ url }) => url);
  const held = turns.freeAt();
  await db.writeUnaudited(
    updateHealth(stored.filter((row) => row !== undefined)),
    ...(unused.length === 0 ? [] : [deleteDestinations(unused)]),
    releaseHosts(held),
    deleteIdleHosts(
      held.map(({ host }) => host),
      now(),
    ),
    ...statements,
  );
  return {
    found,
    asked: taken.filter(({ finding }) => finding !== undefined).length,
    broken: stored.filter((row) => row?.state === "broken").length,
  };
}
