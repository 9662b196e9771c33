import { destinationHost, destinationProblem } from "../lib/destination";
import { type Finding, findingOf, findingOfError, judge, pauseMs } from "./outcome";

/** The most time that a destination takes, without waiting for turns. */
const ASK_MS = 10_000;
/** The part of it for HEAD. Some servers never answer HEAD. */
const HEAD_MS = 3_000;
const MAX_REDIRECTS = 5;
/** The most fetches that a destination takes: all redirects, HEAD and GET. */
export const MAX_FETCHES = MAX_REDIRECTS + 2;
const MAX_LOCATION_CHARACTERS = 4096;
const TOO_MANY_REQUESTS = 429;

/** The runtime supports `cache`, but its types lack it. */
export type Fetch = (url: string, init: RequestInit & { cache: "no-store" }) => Promise<Response>;

/** Whether a host may be asked now. `later`: not within this run. `forbidden`: an own or a blocked host. */
export type Turn = "now" | "later" | "forbidden";

/** What asking needs from its run. */
export interface Asker {
  fetch: Fetch;
  userAgent: string;
  now: () => number;
  /** Waits for the turn of a host that a redirect leads to. */
  waitForHost: (host: string) => Promise<Turn>;
  /** Called before each fetch. */
  onFetch: (host: string) => void;
  /** Called if a host asks for a pause. */
  onRetryAfter: (host: string, ms: number) => void;
}

/** A finding by HEAD after which no GET is sent: GET would find the same, or the host has had too many requests. */
const isFinal = (finding: Finding): boolean =>
  judge(finding) === "ok" ||
  finding.status === TOO_MANY_REQUESTS ||
  finding.reason === "forbidden" ||
  finding.reason === "redirects";

/**
 * The URL that a redirect leads to, without its fragment; undefined if the destination rules refuse it. The host of the
 * destination itself is kept, so no rule for hosts judges it again.
 */
function redirectTarget(location: string, base: string): string | undefined {
  if (location.length > MAX_LOCATION_CHARACTERS) return undefined;
  try {
    const url = new URL(location, base);
    url.hash = "";
    const isOwnHost = url.host === new URL(base).host && url.username + url.password === "";
    return isOwnHost || destinationProblem(url.href) === undefined ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Cancels the body unread, so that a long one costs nothing. */
const cancelBody = (response: Response): void => void response.body?.cancel().catch(() => undefined);

/**
 * Asks a destination whether its page is there: by HEAD, then by GET unless HEAD found it. GET starts at the last URL that
 * HEAD reached. Every redirect is judged by the destination rules. Undefined if this run cannot find it out. The caller has
 * judged the destination itself, and has its host's turn.
 */
export async function askDestination(destination: string, asker: Asker): Promise<Finding | undefined> {
  const hosts = new Set([destinationHost(destination)]);
  let url = destination;
  let redirects = 0;
  let spentMs = 0;
  let mustPause = false;

  async function request(method: "HEAD" | "GET", url: string, leftMs: number): Promise<Response> {
    const host = destinationHost(url);
    asker.onFetch(host);
    const startedAt = asker.now();
    try {
      const response = await asker.fetch(url, {
        method,
        redirect: "manual",
        // Otherwise Cloudflare's cache may answer for a file, or load all of it.
        cache: "no-store",
        headers: { "User-Agent": asker.userAgent, Accept: "*/*" },
        signal: AbortSignal.timeout(leftMs),
      });
      cancelBody(response);
      const ms = response.status < 400 ? 0 : pauseMs(response.headers.get("Retry-After"), asker.now());
      if (ms > 0) {
        mustPause = true;
        asker.onRetryAfter(host, ms);
      }
      return response;
    } finally {
      spentMs += Math.max(0, asker.now() - startedAt);
    }
  }

  async function follow(method: "HEAD" | "GET", maxMs: number): Promise<Finding | undefined> {
    const visited = new Set<string>();
    for (;;) {
      visited.add(url);
      const leftMs = maxMs - spentMs;
      if (leftMs <= 0) return { reason: "timeout", status: null };
      let response: Response;
      try {
        response = await request(method, url, leftMs);
      } catch (error) {
        return findingOfError(error);
      }
      const { status } = response;
      const location = response.headers.get("Location");
      if (status < 300 || status > 399 || location === null) return findingOf(status);
      const target = redirectTarget(location, url);
      if (target === undefined) return { reason: "forbidden", status };
      if (redirects === MAX_REDIRECTS || visited.has(target)) return { reason: "redirects", status };
      const host = destinationHost(target);
      if (!hosts.has(host)) {
        const turn = await asker.waitForHost(host);
        if (turn === "forbidden") return { reason: "forbidden", status };
        if (turn === "later") return undefined;
        hosts.add(host);
      }
      url = target;
      redirects++;
    }
  }

  const byHead = await follow("HEAD", HEAD_MS);
  if (byHead === undefined || isFinal(byHead) || mustPause) return byHead;
  return follow("GET", ASK_MS);
}
