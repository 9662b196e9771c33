/** In the order in which they are added to a destination. */
export const UTM_NAMES = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

export type Utm = Record<(typeof UTM_NAMES)[number], string | null>;

/**
 * Sets the UTM parameters (null and "" are absent) on `destination`, an absolute URL, and keeps every other byte. Throws
 * TypeError for an invalid non-ASCII URL, URIError for a lone surrogate.
 */
export function composeTarget(destination: string, utm: Utm): string {
  // The URL parser encodes everything but printable ASCII, so no control character reaches a header.
  let target = /[^ -~]/.test(destination) ? new URL(destination).href : destination;
  let missing = "";
  for (const name of UTM_NAMES) {
    const value = utm[name];
    if (!value) continue;
    const pair = `${name}=${encodeURIComponent(value)}`;
    const replaced = replacePairs(target, name, pair);
    if (replaced === undefined) missing += missing === "" ? pair : `&${pair}`;
    else target = replaced;
  }
  return missing === "" ? target : appendPairs(target, missing);
}

/** Appends the visitor's pairs whose names `target` lacks, unchanged. `search` may start with "?". */
export function mergeVisitorQuery(target: string, search: string): string {
  const query = search.startsWith("?") ? search.slice(1) : search;
  if (query === "") return target;
  const taken = new Set(pairsOf(target).filter(Boolean).map(pairName));
  const added = query.split("&").filter((pair) => pair !== "" && !taken.has(pairName(pair)));
  return added.length === 0 ? target : appendPairs(target, added.join("&"));
}

/** Replaces the first pair of this name and removes later ones. Undefined if there is none. */
function replacePairs(url: string, name: string, pair: string): string | undefined {
  const pairs = pairsOf(url);
  const first = pairs.findIndex((one) => pairName(one) === name);
  if (first === -1) return undefined;
  const later = pairs.slice(first + 1).filter((one) => pairName(one) !== name);
  const end = queryEnd(url);
  const query = [...pairs.slice(0, first), pair, ...later].join("&");
  return url.slice(0, queryStart(url, end)) + query + url.slice(end);
}

function appendPairs(url: string, pairs: string): string {
  const end = queryEnd(url);
  const start = queryStart(url, end);
  let glue = "&";
  if (start > end) glue = "?";
  else if (start === end || url[end - 1] === "&") glue = "";
  return url.slice(0, end) + glue + pairs + url.slice(end);
}

/** The pairs of the query as they are; one empty pair without a query. */
function pairsOf(url: string): string[] {
  const end = queryEnd(url);
  return url.slice(queryStart(url, end), end).split("&");
}

function queryEnd(url: string): number {
  const hash = url.indexOf("#");
  return hash === -1 ? url.length : hash;
}

/** The index of the query's first character, or `end + 1` without a query. */
function queryStart(url: string, end: number): number {
  const mark = url.indexOf("?");
  return mark === -1 || mark > end ? end + 1 : mark + 1;
}

export function pairName(pair: string): string {
  const equals = pair.indexOf("=");
  const name = equals === -1 ? pair : pair.slice(0, equals);
  // Decoded byte by byte, because invalid UTF-8 would throw.
  return name.includes("%") ? name.replace(/%[\da-f]{2}/gi, toByte) : name;
}

function toByte(encoded: string): string {
  return String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
}
