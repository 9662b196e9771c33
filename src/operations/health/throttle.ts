import { getDomain } from "tldts-icann";
import { SECOND_MS } from "../../lib/time";

/** A domain is probed for one destination in this time. */
export const PACE_MS = 10 * SECOND_MS;

/** The registrable domain of a host: all its subdomains are one place in the queue. */
export const domainOf = (host: string): string => getDomain(host) ?? host;

export type Throttle = ReturnType<typeof makeThrottle>;

/** Keeps the pace of the domains of a run. */
export function makeThrottle(now: () => number, sleep: (ms: number) => Promise<void>) {
  const freeAt = new Map<string, number>();
  /** Keeps the domain occupied for `ms` from now. */
  const occupy = (domain: string, ms = PACE_MS): void =>
    void freeAt.set(domain, Math.max(freeAt.get(domain) ?? 0, now() + ms));
  return {
    occupy,
    /** Waits until the domain is free and occupies it. False if that would be after `latest`. */
    async wait(domain: string, latest: number): Promise<boolean> {
      // Several destinations may wait for one domain, so the one that wakes first occupies it.
      for (;;) {
        const free = freeAt.get(domain) ?? 0;
        if (free <= now()) break;
        if (free > latest) return false;
        await sleep(free - now());
      }
      occupy(domain);
      return true;
    },
    /** When each domain that was probed is free again. */
    freeAt: (): ReadonlyMap<string, number> => freeAt,
  };
}
