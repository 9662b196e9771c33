import { SECOND_MS } from "../lib/time";

/** A host is asked for one destination in this time. */
export const HOST_PACE_MS = 10 * SECOND_MS;

/** When the hosts that a run has claimed may be asked. No other run asks them meanwhile. */
export interface Turns {
  /** Adds a claimed host that is free. */
  add: (host: string) => void;
  has: (host: string) => boolean;
  /** Waits until the host is free and occupies it. False if that would be after `latest`. */
  waitFor: (host: string, latest: number) => Promise<boolean>;
  /** Keeps the host occupied for `ms` from now. */
  occupy: (host: string, ms?: number) => void;
  /** When each host is free again. */
  freeAt: () => { host: string; free_at: number }[];
}

export function makeTurns(now: () => number, sleep: (ms: number) => Promise<void>): Turns {
  const hosts = new Map<string, number>();
  const occupy = (host: string, ms = HOST_PACE_MS): void => {
    hosts.set(host, Math.max(hosts.get(host) ?? 0, now() + ms));
  };
  return {
    add: (host) => void hosts.set(host, now()),
    has: (host) => hosts.has(host),
    async waitFor(host, latest) {
      // Several destinations may wait for one host, so the one that wakes first occupies it.
      for (;;) {
        const freeAt = hosts.get(host) ?? 0;
        const waitMs = freeAt - now();
        if (waitMs <= 0) break;
        if (freeAt > latest) return false;
        await sleep(waitMs);
      }
      occupy(host);
      return true;
    },
    occupy,
    freeAt: () => [...hosts].map(([host, free_at]) => ({ host, free_at })),
  };
}
