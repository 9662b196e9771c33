import { getDomain } from "tldts-icann";

/** Distinct referrers per link and day, or per link and folded month. Others count as `OTHER_REFERRERS`. */
export const MAX_REFERRERS = 100;
/** Never a domain, because a domain has a dot. */
export const OTHER_REFERRERS = "other";
export const NO_REFERRER = "";
const MAX_HOST_LENGTH = 253;

/** The registrable domain by ICANN's public suffixes, or "" for none, an IP address or a name without a dot. */
export function referrerDomain(referrer: string | null): string {
  if (referrer === null) return NO_REFERRER;
  try {
    const { protocol, hostname } = new URL(referrer);
    if ((protocol !== "https:" && protocol !== "http:") || hostname.length > MAX_HOST_LENGTH)
      return NO_REFERRER;
    return getDomain(hostname) ?? NO_REFERRER;
  } catch {
    return NO_REFERRER;
  }
}

interface OriginCount {
  dimension: string;
  value: string;
  people: number;
}

/** The counts of a group below its top 100 referrers, with its existing `OTHER_REFERRERS` count. */
function surplusOf<T extends OriginCount>(group: readonly T[]): T[] {
  const named = group.filter(({ value }) => value !== OTHER_REFERRERS);
  if (named.length <= MAX_REFERRERS) return [];
  const others = group.filter(({ value }) => value === OTHER_REFERRERS);
  return [...named.toSorted((one, other) => other.people - one.people).slice(MAX_REFERRERS), ...others];
}

/** Keeps the top 100 referrers of each group, and sums the others as `OTHER_REFERRERS`. */
export function boundReferrers<T extends OriginCount>(
  counts: readonly T[],
  groupOf: (count: T) => string,
): T[] {
  const groups = new Map<string, T[]>();
  for (const count of counts) {
    if (count.dimension !== "referrer" || count.value === NO_REFERRER) continue;
    const key = groupOf(count);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [count]);
    else group.push(count);
  }
  const surpluses = [...groups.values()].map(surplusOf);
  const surplus = new Set(surpluses.flat());
  const others = surpluses.flatMap((group) => {
    const people = group.reduce((sum, count) => sum + count.people, 0);
    return group.slice(0, 1).map((count) => ({ ...count, value: OTHER_REFERRERS, people }));
  });
  return [...counts.filter((count) => !surplus.has(count)), ...others];
}
