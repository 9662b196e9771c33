import { destinationHost, destinationProblem } from "../../lib/destination";
import { parseRetryAfter } from "../../lib/retry-after";
import { DAY_MS } from "../../lib/time";
import { type CheckResult, classify, resultOfError, resultOfStatus } from "./check-result";

/** How long a request may take. Some servers never answer HEAD. */
const MAX_REQUEST_MS = { HEAD: 3_000, GET: 7_000 };
const MAX_REDIRECTS = 5;
/** The most fetches that a destination takes: all redirects, HEAD and GET. */
export const MAX_FETCHES = MAX_REDIRECTS + 2;
const MAX_LOCATION_CHARACTERS = 4096;
const MAX_RETRY_AFTER_MS = DAY_MS;
const TOO_MANY_REQUESTS = 429;

/** The runtime supports `cache`, but its types lack it. */
export type Fetch = (url: string, init: RequestInit & { cache: "no-store" }) => Promise<Response>;

/** Whether a host may be probed. `later`: not within this run. `forbidden`: an own or a blocked host. */
export type Admission = "now" | "later" | "forbidden";

/** What a probe needs from its run. */
export interface Prober {
  fetch: Fetch;
  userAgent: string;
  /** Waits until a host that a redirect leads to may be probed. */
  admit: (host: string) => Promise<Admission>;
  /** Called before each fetch. */
  onFetch: (host: string) => void;
  /** Called if a host asks to be left alone. */
  onRetryAfter: (host: string, ms: number) => void;
}

/** True after HEAD if GET would find the same, or the host has had too many requests. */
const isFinal = (result: CheckResult): boolean =>
  classify(result) === "ok" ||
  result.status === TOO_MANY_REQUESTS ||
  result.reason === "forbidden" ||
  result.reason === "redirects";

/**
 * The URL that a redirect leads to, without its fragment; undefined if the destination rules refuse it. A host that was
 * probed already is not checked again, since rules may have become stricter since the link was made.
 */
function redirectTarget(location: string, base: string): string | undefined {
  if (location.length > MAX_LOCATION_CHARACTERS) return undefined;
  try {
    const url = new URL(location, base);
    url.hash = "";
    const isSameHost = url.host === new URL(base).host && url.username + url.password === "";
    return isSameHost || destinationProblem(url.href) === undefined ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Probes a destination: HEAD, then GET unless HEAD found the page. GET starts at the last URL that HEAD reached. Every
 * redirect to another host is checked against the destination rules. Undefined if this run cannot find it out. The caller has
 * checked the destination's own host.
 */
export async function probe(destination: string, prober: Prober): Promise<CheckResult | undefined> {
  const admitted = new Set([destinationHost(destination)]);
  let url = destination;
  let redirects = 0;
  let mustPause = false;

  async function request(method: "HEAD" | "GET"): Promise<Response> {
    const host = destinationHost(url);
    prober.onFetch(host);
    const response = await prober.fetch(url, {
      method,
      redirect: "manual",
      // Otherwise Cloudflare's cache may answer for a file, or load all of it.
      cache: "no-store",
      headers: { "User-Agent": prober.userAgent, Accept: "*/*" },
      signal: AbortSignal.timeout(MAX_REQUEST_MS[method]),
    });
    // Cancelled unread, so that a long body costs nothing.
    response.body?.cancel().catch(() => undefined);
    const pauseMs = parseRetryAfter(response.headers.get("Retry-After"), Date.now()) ?? 0;
    if (response.status >= 400 && pauseMs > 0) {
      mustPause = true;
      prober.onRetryAfter(host, Math.min(pauseMs, MAX_RETRY_AFTER_MS));
    }
    return response;
  }

  async function follow(method: "HEAD" | "GET"): Promise<CheckResult | undefined> {
    const visited = new Set<string>();
    for (;;) {
      visited.add(url);
      const response = await request(method).catch(resultOfError);
      if (!(response instanceof Response)) return response;
      const { status } = response;
      const location = response.headers.get("Location");
      if (status < 300 || status > 399 || location === null) return resultOfStatus(status);
      const target = redirectTarget(location, url);
      if (target === undefined) return { reason: "forbidden", status };
      if (redirects === MAX_REDIRECTS || visited.has(target)) return { reason: "redirects", status };
      const host = destinationHost(target);
      const admission = admitted.has(host) ? "now" : await prober.admit(host);
      if (admission === "forbidden") return { reason: "forbidden", status };
      if (admission === "later") return undefined;
      admitted.add(host);
      url = target;
      redirects++;
    }
  }

  const byHead = await follow("HEAD");
  if (byHead === undefined || isFinal(byHead) || mustPause) return byHead;
  return follow("GET");
}
