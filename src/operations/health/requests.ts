import { getDomain } from "tldts-icann";
import type { ServiceContext } from "../../context";
import { destinationHost, ownHostProblem } from "../../lib/destination";
import { parseRetryAfter } from "../../lib/retry-after";
import { DAY_MS, SECOND_MS } from "../../lib/time";
import { MAX_REQUESTS, type Method, type Refusal, type Send } from "./probe";
import { type DueDestination, selectHost } from "./repository";

/** A domain is asked for one destination in this time. */
const PACE_MS = 10 * SECOND_MS;
/** Some servers never answer HEAD. */
const MAX_REQUEST_MS: Readonly<Record<Method, number>> = { HEAD: 3 * SECOND_MS, GET: 7 * SECOND_MS };
const MAX_PAUSE_MS = DAY_MS;
/** The free plan allows 50 outgoing calls per invocation. */
const MAX_REQUESTS_PER_RUN = 48;
/** What a run sends after its last look at a host, with one such look by each destination that is probed at once. */
const STATEMENTS_TO_FINISH = 12;

/** The runtime supports `cache`, but its types lack it. */
export type Fetch = (url: string, init: RequestInit & { cache: "no-store" }) => Promise<Response>;

export interface Net {
  fetch: Fetch;
  sleep: (ms: number) => Promise<void>;
}

/** The registrable domain of a host: all its subdomains are one place in the queue. */
export const domainOf = (host: string): string => getDomain(host) ?? host;

/** Header values are ASCII. */
const userAgentOf = (baseUrl: string): string =>
  `Waymark/1.0 (checks whether the page that a short link leads to is still there; +${baseUrl})`;

/** The requests of a run. They keep the pace of domains and the limits of an invocation. */
export function makeRequests({ db, now, config }: ServiceContext, claimed: readonly string[], net: Net) {
  const freeAt = new Map<string, number>();
  const refusals = new Map<string, Promise<Refusal | undefined>>();
  let requestsLeft = MAX_REQUESTS_PER_RUN;

  const occupy = (domain: string, ms = PACE_MS): void =>
    void freeAt.set(domain, Math.max(freeAt.get(domain) ?? 0, now() + ms));

  /** Waits until the domain is free and occupies it. False if that would be after `latest`. */
  async function wait(domain: string, latest: number): Promise<boolean> {
    // Several destinations may wait for one domain, so the one that wakes first occupies it.
    for (;;) {
      const free = freeAt.get(domain) ?? 0;
      if (free <= now()) break;
      if (free > latest) return false;
      await net.sleep(free - now());
    }
    occupy(domain);
    return true;
  }

  async function findRefusal(host: string): Promise<Refusal | undefined> {
    if (ownHostProblem(host, config.ownHosts) !== undefined) return "forbidden";
    if (db.statementsLeft() < STATEMENTS_TO_FINISH) return "later";
    const domain = domainOf(host);
    const [[found]] = await db.read(selectHost(host, domain, now()));
    if (found?.is_blocked === 1) return "forbidden";
    return found?.is_busy === 1 && !claimed.includes(domain) ? "later" : undefined;
  }

  /** Why a redirect to a host is not followed. D1 is asked once for a host. */
  function refusalOf(host: string): Promise<Refusal | undefined> {
    const refusal = refusals.get(host) ?? findRefusal(host);
    refusals.set(host, refusal);
    return refusal;
  }

  async function request(url: string, method: Method): Promise<Response> {
    const domain = domainOf(destinationHost(url));
    occupy(domain);
    const response = await net.fetch(url, {
      method,
      redirect: "manual",
      // Otherwise Cloudflare's cache may answer for a file, or load all of it.
      cache: "no-store",
      headers: { "User-Agent": userAgentOf(config.baseUrl), Accept: "*/*" },
      signal: AbortSignal.timeout(MAX_REQUEST_MS[method]),
    });
    // Cancelled unread, so that a long body costs nothing.
    response.body?.cancel().catch(() => undefined);
    const pauseMs = parseRetryAfter(response.headers.get("Retry-After"), now()) ?? 0;
    if (response.status >= 400 && pauseMs > 0) occupy(domain, Math.min(pauseMs, MAX_PAUSE_MS));
    return response;
  }

  return {
    /** Whether another destination can be probed completely. */
    areLeft: (): boolean => requestsLeft >= MAX_REQUESTS,
    /** When each domain that was asked is free again. */
    freeAt: (): ReadonlyMap<string, number> => freeAt,
    /** Calls `probeWith` once the destination's domain is free. Undefined if that would be after `latest`. */
    async forDestination<T>(
      { host, domain }: Pick<DueDestination, "host" | "domain">,
      latest: number,
      probeWith: (send: Send) => Promise<T>,
    ): Promise<T | undefined> {
      let sent = 0;
      requestsLeft -= MAX_REQUESTS;
      const entered = new Set([domain]);
      const send: Send = async (url, method) => {
        const next = destinationHost(url);
        const refusal = next === host ? undefined : await refusalOf(next);
        if (refusal !== undefined) return refusal;
        const nextDomain = domainOf(next);
        if (!entered.has(nextDomain) && !(await wait(nextDomain, now() + PACE_MS))) return "later";
        entered.add(nextDomain);
        sent++;
        return request(url, method);
      };
      try {
        return (await wait(domain, latest)) ? await probeWith(send) : undefined;
      } finally {
        requestsLeft += MAX_REQUESTS - sent;
      }
    },
  };
}
