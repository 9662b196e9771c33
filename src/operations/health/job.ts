import type { ServiceContext } from "../../context";
import { destinationHost, ownHostProblem } from "../../lib/destination";
import { sleep as realSleep } from "../../lib/sleep";
import { MINUTE_MS, SECOND_MS } from "../../lib/time";
import { hostProblem, hostsOf } from "../../resources/destinations/rules";
import { selectBlockingHosts } from "../../resources/destinations/statements";
import { reportBroken } from "./alerts";
import { type CheckResult, nextHealth } from "./check-result";
import { discover } from "./discover";
import { type Admission, type Fetch, MAX_FETCHES, probe } from "./probe";
import {
  claimDomains,
  type DueDestination,
  deleteDestinations,
  postponeDestinations,
  queueDomains,
  selectDueDestinations,
  selectDueDomains,
  selectHost,
  updateHealth,
} from "./repository";
import { domainOf, makeThrottle, PACE_MS, type Throttle } from "./throttle";

// An invocation of the free plan has 50 outgoing calls, 50 queries and 6 connections. A run takes at most 48 calls, 4 at
// once, and 38 queries: 2 to discover, 6 to claim, 24 for hosts of redirects, 6 to store and report.

/** No destination is begun after this time. */
const RUN_MS = 80 * SECOND_MS;
/** A run claims its domains for this long: longer than it can take. */
const CLAIM_MS = 3 * MINUTE_MS;
/** When a destination is due again whose run ended early, had no time for it, or met a busy host. */
const RETRY_MS = 30 * MINUTE_MS;
const MAX_DOMAINS_PER_RUN = 36;
/** The most of one domain, with 10 seconds between them. */
const MAX_OF_DOMAIN_PER_RUN = 8;
const MAX_FETCHES_PER_RUN = 48;
/** `MAX_FETCHES` are reserved for each, so that each can finish. */
const MAX_PROBED_AT_ONCE = 4;
/** Each takes a query. With fewer than those probed at once may need, none of them might ever finish. */
const MAX_REDIRECT_HOSTS_PER_RUN = 24;

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

interface Run {
  domains: readonly string[];
  throttle: Throttle;
  fetch: Fetch;
  /** No destination is begun after this time. */
  latest: number;
}

/** Header values are ASCII. */
const userAgentOf = (baseUrl: string): string =>
  `Waymark/1.0 (checks whether the page that a short link leads to is still there; +${baseUrl})`;

/** Claims the domains that have waited longest. If there are too many, half of them are those of live assets. */
async function claim({ db }: ServiceContext, at: number): Promise<string[]> {
  const [live, others] = await db.read(
    selectDueDomains(1, at, MAX_DOMAINS_PER_RUN),
    selectDueDomains(0, at, MAX_DOMAINS_PER_RUN),
  );
  const ranked = [...live.slice(0, MAX_DOMAINS_PER_RUN / 2), ...others, ...live].map(({ domain }) => domain);
  const due = [...new Set(ranked)].slice(0, MAX_DOMAINS_PER_RUN);
  if (due.length === 0) return due;
  const [claimed] = await db.read(claimDomains(due, at, at + CLAIM_MS));
  return [...new Set(claimed.map(({ domain }) => domain))];
}

/** Reads what is due of domains, with the blocked hosts among them. */
async function readDue({ db }: ServiceContext, domains: readonly string[], at: number) {
  const perDomain = Math.min(MAX_OF_DOMAIN_PER_RUN, Math.ceil(MAX_DOMAINS_PER_RUN / domains.length));
  const [rows] = await db.read(selectDueDestinations(domains, at, perDomain));
  const urls = rows.map(({ url }) => url);
  await db.writeUnaudited(postponeDestinations(urls, at + RETRY_MS));
  const [blocked] = await db.read(selectBlockingHosts(urls.map(destinationHost)));
  return { rows, blocked: hostsOf(blocked) };
}

/** Returns a function that says whether a host may be probed, and waits for its domain. It asks D1 once for a host. */
function makeAdmit({ db, now, config }: ServiceContext, { domains, throttle }: Run) {
  const known = new Map<string, Promise<Admission>>();

  async function find(host: string): Promise<Admission> {
    if (ownHostProblem(host, config.ownHosts) !== undefined) return "forbidden";
    const domain = domainOf(host);
    const [[found]] = await db.read(selectHost(host, domain, now()));
    if (found?.is_blocked === 1) return "forbidden";
    return found?.is_busy === 1 && !domains.includes(domain) ? "later" : "now";
  }

  return async (host: string, from: string): Promise<Admission> => {
    if (!known.has(host) && known.size === MAX_REDIRECT_HOSTS_PER_RUN) return "later";
    const admitted = known.get(host) ?? find(host);
    known.set(host, admitted);
    const domain = domainOf(host);
    const admission = await admitted;
    if (admission !== "now" || domain === from) return admission;
    return (await throttle.wait(domain, now() + PACE_MS)) ? "now" : "later";
  };
}

/** Probes destinations, several at once, as far as the run's time and fetches allow. Returns those that have a result. */
async function probeAll(
  ctx: ServiceContext,
  run: Run,
  { rows, blocked }: Awaited<ReturnType<typeof readDue>>,
) {
  const { throttle, latest } = run;
  const admit = makeAdmit(ctx, run);
  let fetchesLeft = MAX_FETCHES_PER_RUN;

  async function probeOne({ url, domain }: DueDestination): Promise<CheckResult | undefined> {
    if (hostProblem(ctx, "destination_url", url, blocked) !== undefined)
      return { reason: "forbidden", status: null };
    fetchesLeft -= MAX_FETCHES;
    let fetches = 0;
    const isFree = await throttle.wait(domain, latest);
    const result = isFree
      ? await probe(url, {
          fetch: run.fetch,
          userAgent: userAgentOf(ctx.config.baseUrl),
          now: ctx.now,
          admit: (host) => admit(host, domain),
          onFetch: (host) => {
            fetches++;
            throttle.occupy(domainOf(host));
          },
          onRetryAfter: (host, ms) => throttle.occupy(domainOf(host), ms),
        })
      : undefined;
    fetchesLeft += MAX_FETCHES - fetches;
    return result;
  }

  const waiting = [...rows];
  const changes: { url: string; was: DueDestination; is: ReturnType<typeof nextHealth> }[] = [];
  const worker = async () => {
    while (fetchesLeft >= MAX_FETCHES && ctx.now() < latest) {
      const was = waiting.shift();
      if (was === undefined) return;
      const result = await probeOne(was);
      if (result === undefined) continue;
      const is = nextHealth(was, result, { at: ctx.now(), isLive: was.is_on_live_asset === 1 });
      changes.push({ url: was.url, was, is });
    }
  };
  await Promise.all(Array.from({ length: MAX_PROBED_AT_ONCE }, worker));
  return changes;
}

/** Probes the destinations whose turn it is, as far as the limits of an invocation allow. Nothing while it is off. */
export async function probeDestinations(
  ctx: ServiceContext,
  { fetch: send = (url, init) => fetch(url, init), sleep = realSleep, maxMs = RUN_MS }: RunOptions = {},
): Promise<RunResult> {
  if (!ctx.config.healthCheck) return { found: 0, asked: 0, broken: 0 };
  const { db, now } = ctx;
  const latest = now() + maxMs;
  const found = await discover(ctx);
  const domains = await claim(ctx, now());
  if (domains.length === 0) return { found, asked: 0, broken: 0 };
  const { rows, blocked } = await readDue(ctx, domains, now());
  const throttle = makeThrottle(now, sleep);
  const changes = await probeAll(
    ctx,
    { domains, throttle, fetch: send, latest },
    { rows: rows.filter((row) => row.is_served === 1), blocked },
  );
  const freeAt = throttle.freeAt();
  const touched = new Set([...domains, ...freeAt.keys()]);
  await db.writeUnaudited(
    updateHealth(changes.map(({ url, was, is }) => ({ ...is, url, live: was.is_on_live_asset }))),
    deleteDestinations(rows.filter((row) => row.is_served === 0).map(({ url }) => url)),
    ...queueDomains(
      [...touched].map((domain) => ({ domain, free_at: freeAt.get(domain) ?? 0 })),
      now() + PACE_MS,
    ),
    ...(await reportBroken(ctx, changes)),
  );
  const broken = changes.filter(({ is }) => is.state === "broken").length;
  return { found, asked: changes.length, broken };
}
