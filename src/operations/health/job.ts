import type { ServiceContext } from "../../context";
import { ownHostProblem } from "../../lib/destination";
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
  queueDomains,
  selectDueDestinations,
  selectHost,
  updateHealth,
} from "./repository";
import { domainOf, makeThrottle, PACE_MS, type Throttle } from "./throttle";

/** No destination is begun after this time. */
const RUN_MS = 80 * SECOND_MS;
/** A run claims its domains for this long: longer than it can take. */
const CLAIM_MS = 3 * MINUTE_MS;
const MAX_DOMAINS_PER_RUN = 36;
/** The most of one domain, with 10 seconds between them. */
const MAX_OF_DOMAIN_PER_RUN = 8;
/** The free plan allows 50 outgoing calls per invocation. */
const MAX_FETCHES_PER_RUN = 48;
/** `MAX_FETCHES` are reserved for each, so that each can finish. */
const MAX_PROBED_AT_ONCE = 4;
/** What a run sends after its last look at a host, with one such look by each destination that is probed at once. */
const STATEMENTS_TO_FINISH = 12;

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

/** Reads what is due of domains, with the blocked hosts among them. */
async function readDue({ db, now }: ServiceContext, domains: readonly string[]) {
  const perDomain = Math.min(MAX_OF_DOMAIN_PER_RUN, Math.ceil(MAX_DOMAINS_PER_RUN / domains.length));
  const [rows] = await db.read(selectDueDestinations(domains, now(), perDomain));
  const [blocked] = await db.read(selectBlockingHosts(rows.map(({ host }) => host)));
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
    if (!known.has(host) && db.statementsLeft() < STATEMENTS_TO_FINISH) return "later";
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
  const [claimed] = await db.read(claimDomains(now(), now() + CLAIM_MS, MAX_DOMAINS_PER_RUN));
  const domains = claimed.map(({ domain }) => domain);
  if (domains.length === 0) return { found, asked: 0, broken: 0 };
  const { rows, blocked } = await readDue(ctx, domains);
  const throttle = makeThrottle(now, sleep);
  const served = rows.filter((row) => row.is_served === 1);
  const run = { domains, throttle, fetch: send, latest };
  const changes = await probeAll(ctx, run, { rows: served, blocked });
  const freeAt = throttle.freeAt();
  const touched = [...new Set([...domains, ...freeAt.keys()])];
  await db.writeUnaudited(
    updateHealth(changes.map(({ url, is }) => ({ ...is, url }))),
    deleteDestinations(rows.filter((row) => row.is_served === 0).map(({ url }) => url)),
    ...queueDomains(touched.map((domain) => ({ domain, free_at: freeAt.get(domain) ?? 0 }))),
    ...(await reportBroken(ctx, changes)),
  );
  const broken = changes.filter(({ is }) => is.state === "broken").length;
  return { found, asked: changes.length, broken };
}
