// Single pairs in the query of a URL. Every other byte stays as it is.

interface Query {
  /** Up to the "?" or, without a query, up to the fragment. */
  before: string;
  /** Undefined without a query. */
  pairs: string[] | undefined;
  /** The fragment with its "#". */
  after: string;
}

function split(url: string): Query {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf("?");
  const after = url.slice(end);
  if (mark === -1 || mark > end) return { before: url.slice(0, end), pairs: undefined, after };
  return { before: url.slice(0, mark), pairs: url.slice(mark + 1, end).split("&"), after };
}

const join = ({ before, pairs, after }: Query): string =>
  before + (pairs === undefined ? "" : `?${pairs.join("&")}`) + after;

const decoded = (text: string): string => new URLSearchParams(`v=${text}`).get("v") ?? "";

const toByte = (encoded: string): string => String.fromCharCode(Number.parseInt(encoded.slice(1), 16));

/** Whether a pair has this name, which is ASCII. */
const isNamed = (pair: string, name: string): boolean =>
  pair.replace(/=.*/s, "").replace(/%[\da-f]{2}/gi, toByte) === name;

/** The value of the first pair of this name, decoded, on one line; "" if there is none. */
export function readPair(url: string, name: string): string {
  const pair = split(url).pairs?.find((one) => isNamed(one, name));
  if (pair === undefined) return "";
  const equals = pair.indexOf("=");
  return decoded(equals === -1 ? "" : pair.slice(equals + 1))
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
}

/**
 * Sets a pair in place of the first of its name, and drops later ones; without one, it is added at the end. An empty value
 * takes all of them out.
 */
export function setPair(url: string, name: string, value: string): string {
  const query = split(url);
  const pair = value === "" ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`];
  const { pairs = [] } = query;
  const at = pairs.findIndex((one) => isNamed(one, name));
  if (at === -1) {
    if (pair.length === 0) return url;
    // A trailing "?" or "&" takes the pair as it is.
    const kept = pairs.at(-1) === "" ? pairs.slice(0, -1) : pairs;
    return join({ ...query, pairs: [...kept, ...pair] });
  }
  const others = pairs.slice(at + 1).filter((one) => !isNamed(one, name));
  const rest = [...pairs.slice(0, at), ...pair, ...others];
  return join({ ...query, pairs: rest.length === 0 ? undefined : rest });
}
