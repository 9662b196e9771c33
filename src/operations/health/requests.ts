import type { ServiceContext } from "../../context";
import { destinationHost } from "../../lib/destination";
import { type PublicSuffixes, registrableDomain } from "../../lib/registrable-domain";
import { parseRetryAfter } from "../../lib/retry-after";
import { DAY_MS, SECOND_MS } from "../../lib/time";
import { selectRefusedHosts } from "../../resources/destinations/destination-statements";
import { hostProblem, toRefusedHosts } from "../../resources/destinations/hosts";
import { askOutside, type Fetch } from "../../resources/destinations/outside";
import { STATEMENTS_OF_WORKSPACE, STATEMENTS_TO_FINISH } from "./broken-events";
import { MAX_REQUESTS, type Method, type Refusal, type Send } from "./probe";

/** Some servers never answer HEAD. */
const MAX_REQUEST_MS: Readonly<Record<Method, number>> = { HEAD: 3 * SECOND_MS, GET: 7 * SECOND_MS };
const MAX_PAUSE_MS = DAY_MS;
export const MAX_PROBED_AT_ONCE = 4;
/** Those that are probed at once may each look at one more host. Then one workspace at least is told. */
const MIN_STATEMENTS_LEFT = MAX_PROBED_AT_ONCE + STATEMENTS_OF_WORKSPACE + STATEMENTS_TO_FINISH;

export interface Net {
  fetch?: Fetch;
  sleep: (ms: number) => Promise<void>;
}

/** What a run may still do, and what it has learnt. */
export interface ProbeRun {
  ctx: ServiceContext;
  net: Net;
  suffixes: PublicSuffixes;
  requestsLeft: number;
  /** Until when domains ask to be left alone. */
  pausedUntil: Map<string, number>;
}

/** The registrable domain of a host: all its subdomains are one place in the queue. */
export const domainOf = (host: string, suffixes: PublicSuffixes): string =>
  registrableDomain(host, suffixes) ?? host;

export const isPaused = ({ ctx, pausedUntil }: ProbeRun, domain: string): boolean =>
  (pausedUntil.get(domain) ?? 0) > ctx.now();

/** Header values are ASCII. */
const userAgentOf = (baseUrl: string): string =>
  `Waymark/1.0 (checks whether the page that a short link leads to is still there; +${baseUrl})`;

/** Why a redirect is not followed. */
async function refusalOf(run: ProbeRun, url: string): Promise<Refusal | undefined> {
  const { db } = run.ctx;
  const host = destinationHost(url);
  if (isPaused(run, domainOf(host, run.suffixes)) || db.statementsLeft() < MIN_STATEMENTS_LEFT)
    return "later";
  const [refused] = await db.read(selectRefusedHosts([host]));
  const problem = hostProblem(run.ctx, "destination_url", url, toRefusedHosts(refused));
  return problem === undefined ? undefined : "forbidden";
}

async function request(
  { ctx, net, suffixes, pausedUntil }: ProbeRun,
  url: string,
  method: Method,
): Promise<Response> {
  const headers = { "User-Agent": userAgentOf(ctx.config.baseUrl), Accept: "*/*" };
  const question = { method, headers, maxMs: MAX_REQUEST_MS[method], allowsHttp: true };
  const { response } = await askOutside(url, question, net.fetch);
  const pauseMs = parseRetryAfter(response.headers.get("Retry-After"), ctx.now()) ?? 0;
  if (response.status >= 400 && pauseMs > 0) {
    pausedUntil.set(domainOf(destinationHost(url), suffixes), ctx.now() + Math.min(pauseMs, MAX_PAUSE_MS));
  }
  return response;
}

/** Calls `probeWith` with requests that follow redirects of `host` within the limits of the run. */
export async function withRequests<T>(
  run: ProbeRun,
  host: string,
  probeWith: (send: Send) => Promise<T>,
): Promise<T> {
  let sent = 0;
  run.requestsLeft -= MAX_REQUESTS;
  try {
    return await probeWith(async (url, method) => {
      const refusal = destinationHost(url) === host ? undefined : await refusalOf(run, url);
      if (refusal !== undefined) return refusal;
      sent++;
      return request(run, url, method);
    });
  } finally {
    run.requestsLeft += MAX_REQUESTS - sent;
  }
}
