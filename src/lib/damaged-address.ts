import { mergeVisitorQuery, pairName, UTM_NAMES } from "./link-target";

// Addresses that a program or a hand has damaged on the way. They are valid, so nothing refuses them: people are told.

const ENTITY = /&(?:amp;)+/gi;
const PAIR = /^[\w.-]+=/;
/** What an address has and a plain value lacks. */
const OF_ADDRESS = /[/:%]/;

const MENDS: readonly [says: string, mend: (url: string) => string][] = [
  ["It has “&amp;” where “&” is meant.", (url) => url.replace(ENTITY, "&")],
  [
    "UTM parameters stand behind the “#”, where no analytics tool reads them.",
    (url) => {
      const { address, fragment } = partsOf(url);
      const { moved, rest } = withoutUtm(fragment);
      if (moved.length === 0) return url;
      return mergeVisitorQuery(address, moved.join("&")) + (rest === "" ? "" : `#${rest}`);
    },
  ],
  ["It has a second “?” where “&” is meant.", (url) => withPairs(url, (pairs) => pairs.map(withoutMarks))],
  ["It gives a UTM parameter two different values. The first counts.", withoutSecondValues],
];

/** A URL up to its fragment, the pairs of its query, and its fragment. */
function partsOf(url: string) {
  const [address = "", ...fragments] = url.split("#");
  const [path = "", ...queries] = address.split("?");
  return {
    address,
    path,
    pairs: queries.length === 0 ? [] : queries.join("?").split("&"),
    fragment: fragments.join("#"),
  };
}

/** The UTM parameters of a fragment, and the rest of it. What follows one takes its `?`. */
function withoutUtm(fragment: string): { moved: string[]; rest: string } {
  const moved: string[] = [];
  let rest = "";
  let freed: string | undefined;
  for (const part of fragment.split(/(?=[?&])/)) {
    const mark = /^[?&]/.exec(part)?.[0] ?? "";
    const pair = part.slice(mark.length);
    if (/^utm_/i.test(pair) && pair.includes("=")) {
      moved.push(pair);
      freed ??= mark;
    } else {
      rest += (mark === "&" ? (freed ?? mark) : mark) + pair;
      freed = undefined;
    }
  }
  return { moved, rest };
}

function withPairs(url: string, change: (pairs: string[]) => string[]): string {
  const { address, path, pairs } = partsOf(url);
  return pairs.length === 0 ? url : `${path}?${change(pairs).join("&")}${url.slice(address.length)}`;
}

/** Each `?` that begins a pair as `&`, unless it may belong to an address in the value before it. */
function withoutMarks(pair: string): string {
  const [first = "", ...rest] = pair.replace(/^\?+/, "").split("?");
  let mended = first;
  let isPlain = PAIR.test(first) && !OF_ADDRESS.test(first);
  for (const part of rest) {
    mended += (isPlain && PAIR.test(part) ? "&" : "?") + part;
    isPlain &&= !OF_ADDRESS.test(part);
  }
  return mended;
}

function withoutSecondValues(url: string): string {
  const values = Map.groupBy(new Set(partsOf(url).pairs), pairName);
  const twice = new Set<string>(UTM_NAMES.filter((name) => (values.get(name)?.length ?? 0) > 1));
  if (twice.size === 0) return url;
  const seen = new Set<string>();
  return withPairs(url, (pairs) =>
    pairs.filter((pair) => {
      const name = pairName(pair);
      const isLater = twice.has(name) && seen.has(name);
      seen.add(name);
      return !isLater;
    }),
  );
}

export function damageOf(url: string): { says: readonly string[]; mended: string } | undefined {
  const says: string[] = [];
  let mended = url;
  for (const [sentence, mend] of MENDS) {
    const next = mend(mended);
    if (next !== mended) says.push(sentence);
    mended = next;
  }
  return says.length === 0 ? undefined : { says, mended };
}
