import { parseHosts } from "../config";
import type { Env } from "../context";
import { perBinding } from "../lib/recent-map";
import { SHORT_HOST } from "../lib/slug-text";

/** What a host of the service has: everything, short links and its own files, or nothing but short links. */
type Service = "main" | "short" | "former";

const hostsOf = perBinding((env: Env) => parseHosts(env));

const NEEDS_CARE = /[A-Z:]|\.$/;

/** The host name in a URL, in lower case, without port and trailing dot. It is cut out, since a parser takes too long. */
function hostOf(url: string): string {
  const start = url.indexOf("//") + 2;
  const end = url.indexOf("/", start);
  const host = end === -1 ? url.slice(start) : url.slice(start, end);
  return NEEDS_CARE.test(host) ? (host.toLowerCase().split(":", 1)[0] ?? "").replace(/\.$/, "") : host;
}

/** What the host of a URL has; undefined if it may be a domain. Locally each host has everything, but names below localhost. */
export function serviceAt(url: string, env: Env): Service | undefined {
  const { main, short, former } = hostsOf(env);
  const host = hostOf(url);
  if (main === null) return host.endsWith(".localhost") ? undefined : "main";
  if (host === main) return "main";
  if (host === short) return "short";
  return former.has(host) ? "former" : undefined;
}

/** The domain that a URL may be on; the short host for each host of the service. */
export const domainAt = (url: string, env: Env): string =>
  serviceAt(url, env) === undefined ? hostOf(url) : SHORT_HOST;

/** The length of "http://h", the shortest origin. */
const MIN_ORIGIN_LENGTH = 8;

/**
 * The path of a URL as sent. It is not decoded, so `/api%2Fv1%2Flinks` is not under `/api/`.
 */
export function pathOf(url: string): string {
  const start = url.indexOf("/", MIN_ORIGIN_LENGTH);
  if (start === -1) return "/";
  const query = url.indexOf("?", start);
  const end = query === -1 ? url.length : query;
  const hash = url.indexOf("#", start);
  return url.slice(start, hash === -1 || hash > end ? end : hash);
}

/** Where a request that came over http should have gone; undefined over https, and where the main address is no https. */
export function encryptedUrl(url: string, env: Env): string | undefined {
  const { secureOrigin } = hostsOf(env);
  if (secureOrigin === null || !url.startsWith("http:")) return undefined;
  const start = url.indexOf("/", MIN_ORIGIN_LENGTH);
  return secureOrigin + (start === -1 ? "" : url.slice(start));
}

/** Has browsers ask the main host over https alone. A browser ignores this over http. */
export function secureTransport({ headers }: Response, url: string, env: Env): void {
  if (!url.startsWith("https:")) return;
  const { secureOrigin } = hostsOf(env);
  if (secureOrigin !== null && serviceAt(url, env) === "main")
    headers.set("Strict-Transport-Security", "max-age=31536000");
}
