import { getDomain } from "tldts-icann";

/** Distinct referrers that are kept of a link and day, or of a link and month that is over; what is beyond counts as `OTHER`. */
export const MAX_REFERRERS = 100;
/** No domain: a domain has a dot. */
export const OTHER_REFERRERS = "other";
export const NO_REFERRER = "";
const MAX_HOST_LENGTH = 253;

/** The registrable domain of a referrer, by the public suffixes of ICANN; empty for none, an IP address or a name without a dot. */
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

/** What a group has beyond its 100 referrers of most people, with what it has of `OTHER_REFERRERS` already. */
function surplusOf<T extends OriginCount>(group: readonly T[]): T[] {
  const named = group.filter(({ value }) => value !== OTHER_REFERRERS);
  if (named.length <= MAX_REFERRERS) return [];
  const others = group.filter(({ value }) => value === OTHER_REFERRERS);
  return [...named.toSorted((one, other) => other.people - one.people).slice(MAX_REFERRERS), ...others];
}

/** The same counts with at most 100 referrers in each group, those of most people; the people of the others are counted together. */
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
