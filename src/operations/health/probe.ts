import { destinationProblem } from "../../lib/destination";
import { type CheckResult, classify, resultOfError, resultOfStatus } from "./check-result";

const MAX_REDIRECTS = 5;
/** The most requests that a destination takes: all redirects, HEAD and GET. */
export const MAX_REQUESTS = MAX_REDIRECTS + 2;
const MAX_LOCATION_CHARACTERS = 4096;
const TOO_MANY_REQUESTS = 429;

export type Method = "HEAD" | "GET";

/** Why no request is sent: the host is an own or a blocked one, or cannot be asked within this run. */
export type Refusal = "forbidden" | "later";

/** Sends a request without following a redirect. */
export type Send = (url: string, method: Method) => Promise<Response | Refusal>;

/** True after HEAD if GET would find the same, or the host wants no further request. */
function isFinal(result: CheckResult, response: Response | undefined): boolean {
  const hasPause = result.status !== null && result.status >= 400 && response?.headers.has("Retry-After");
  return classify(result) === "ok" || result.status === TOO_MANY_REQUESTS || hasPause === true;
}

/**
 * The URL that a redirect leads to, without its fragment; undefined if the destination rules refuse it. The same host is not
 * checked again, since rules may have become stricter since the link was made.
 */
function redirectTarget(location: string, base: string): string | undefined {
  if (location.length > MAX_LOCATION_CHARACTERS || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  url.hash = "";
  if (!["https:", "http:"].includes(url.protocol)) return undefined;
  const isSameHost = url.host === new URL(base).host && url.username + url.password === "";
  return isSameHost || destinationProblem(url.href) === undefined ? url.href : undefined;
}

/**
 * Probes a destination: HEAD, then GET unless HEAD found the page. GET starts at the last URL that HEAD reached. Undefined if
 * this run cannot find it out.
 */
export async function probe(destination: string, send: Send): Promise<CheckResult | undefined> {
  let method: Method = "HEAD";
  let url = destination;
  let redirects = 0;
  let status: number | null = null;
  let visited = new Set<string>();
  for (;;) {
    visited.add(url);
    const answer = await send(url, method).catch(resultOfError);
    if (answer === undefined || answer === "later") return undefined;
    if (answer === "forbidden") return { reason: "forbidden", status };
    const response = answer instanceof Response ? answer : undefined;
    const location = response?.headers.get("Location") ?? null;
    if (response !== undefined && location !== null && response.status >= 300 && response.status < 400) {
      status = response.status;
      const target = redirectTarget(location, url);
      if (target === undefined) return { reason: "forbidden", status };
      if (redirects === MAX_REDIRECTS || visited.has(target)) return { reason: "redirects", status };
      url = target;
      redirects++;
      continue;
    }
    const result = answer instanceof Response ? resultOfStatus(answer.status) : answer;
    if (method === "GET" || isFinal(result, response)) return result;
    method = "GET";
    visited = new Set();
  }
}
