import type { ServiceContext } from "../context";
import { ownHostProblem } from "../lib/destination";
import { HOUR_MS, MINUTE_MS } from "../lib/time";
import { askDestination, type Fetch, MAX_FETCHES, type Turn } from "./ask";
import type { Finding } from "./outcome";
import { claimHost, type DueDestination } from "./repository";
import { HOST_PACE_MS, type Turns } from "./turns";

/** A run claims its hosts for this long: longer than it can take. */
export const CLAIM_MS = 3 * MINUTE_MS;
/** When a destination is asked again whose run ended early. */
export const ABANDONED_MS = HOUR_MS;
/** When a destination is asked again whose redirect leads to a busy host. */
const BUSY_MS = 10 * MINUTE_MS;
const MAX_FETCHES_PER_RUN = 48;
/** `MAX_FETCHES` are reserved for each, so that each can finish. */
const MAX_ASKED_AT_ONCE = 4;
/** Each takes a query. With fewer than those asked at once may need, none of them might ever finish. */
const MAX_REDIRECT_HOSTS_PER_RUN = 24;

/** Header values are ASCII. */
const userAgentOf = (baseUrl: string): string =>
  `Waymark/1.0 (checks whether the page that a short link leads to is still there; +${baseUrl})`;

/** What a run found of a destination; no finding if it did not get to it. */
export interface Result {
  row: DueDestination;
  finding?: Finding;
  /** When to ask it again, if it was begun without a finding. */
  retryAt?: number;
  at: number;
}

interface Run {
  turns: Turns;
  fetch: Fetch;
  /** No destination is begun after this time. */
  latest: number;
}

const isForbidden = (ctx: ServiceContext, { host, is_blocked: isBlocked }: DueDestination): boolean =>
  isBlocked === 1 || ownHostProblem(host, ctx.config.ownHosts) !== undefined;

/** Returns a function that waits for the turn of a redirect's host. It claims each host once, with one query. */
function makeWaitForHost(ctx: ServiceContext, rows: readonly DueDestination[], turns: Turns) {
  const { db, now, config } = ctx;
  const claims = new Map<string, Promise<Turn>>(
    rows.map(({ host, is_blocked: isBlocked }) => [
      host,
      Promise.resolve(isBlocked === 1 ? "forbidden" : "now"),
    ]),
  );
  const maxClaims = claims.size + MAX_REDIRECT_HOSTS_PER_RUN;

  async function claim(host: string): Promise<Turn> {
    const at = now();
    const [[claimed]] = await db.read(claimHost(host, at, at + CLAIM_MS, turns.has(host)));
    if (claimed === undefined) return "later";
    if (!turns.has(host)) turns.add(host);
    return claimed.is_blocked === 1 ? "forbidden" : "now";
  }

  return async (host: string): Promise<Turn> => {
    if (ownHostProblem(host, config.ownHosts) !== undefined) return "forbidden";
    const known = claims.get(host);
    if (known === undefined && claims.size >= maxClaims) return "later";
    const claiming = known ?? claim(host);
    claims.set(host, claiming);
    const turn = await claiming;
    if (turn !== "now") return turn;
    return (await turns.waitFor(host, now() + HOST_PACE_MS)) ? "now" : "later";
  };
}

/** Asks destinations, several at once, as far as the run's time and fetches allow. Returns a result for each. */
export async function askAll(
  ctx: ServiceContext,
  rows: readonly DueDestination[],
  { turns, fetch, latest }: Run,
): Promise<Result[]> {
  const { now } = ctx;
  const waitForHost = makeWaitForHost(ctx, rows, turns);
  let fetchesLeft = MAX_FETCHES_PER_RUN;

  async function askOne(row: DueDestination): Promise<Result> {
    if (isForbidden(ctx, row)) return { row, finding: { reason: "forbidden", status: null }, at: now() };
    fetchesLeft -= MAX_FETCHES;
    let fetches = 0;
    try {
      if (!(await turns.waitFor(row.host, latest))) return { row, at: now() };
      const finding = await askDestination(row.url, {
        fetch,
        userAgent: userAgentOf(ctx.config.baseUrl),
        now,
        waitForHost,
        onFetch: (host) => {
          fetches++;
          turns.occupy(host);
        },
        onRetryAfter: turns.occupy,
      });
      return { row, at: now(), ...(finding === undefined ? { retryAt: now() + BUSY_MS } : { finding }) };
    } finally {
      fetchesLeft += MAX_FETCHES - fetches;
    }
  }

  const waiting = [...rows];
  const results: Result[] = [];
  const workers = Array.from({ length: MAX_ASKED_AT_ONCE }, async () => {
    while (fetchesLeft >= MAX_FETCHES && now() < latest) {
      const row = waiting.shift();
      if (row === undefined) return;
      results.push(await askOne(row));
    }
  });
  await Promise.all(workers);
  return [...results, ...waiting.map((row) => ({ row, at: now() }))];
}
