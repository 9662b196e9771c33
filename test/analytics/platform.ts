import { env } from "cloudflare:test";
import { vi } from "vitest";
import { applyAll } from "../../src/analytics/queue";
import { recordVisit } from "../../src/analytics/record";
import type { Env } from "../../src/context";
import { createDatabase } from "../../src/db/client";
import { selectValue } from "../sql";

const WAIT_UNTIL_MS = 30_000;
const DESKTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

interface PendingRequest {
  endsAt: number;
  timers: { at: number; run: () => void }[];
  work: Promise<unknown>[];
}

export type Batch = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

/** A new D1 binding for an instance, since buffered clicks are kept per binding. */
export const ownD1 = (batch: Batch = (statements) => env.DB.batch(statements)): D1Database =>
  new Proxy(env.DB, {
    get(db, name) {
      if (name === "batch") return batch;
      const value: unknown = Reflect.get(db, name);
      return typeof value === "function" ? value.bind(db) : value;
    },
  });

/** The headers that a browser sends when it requests a short link. */
export const requestWith = (headers: Record<string, string> = {}): Request =>
  new Request("https://s.example/x", { headers: { "user-agent": DESKTOP, ...headers } });

/**
 * One instance under Cloudflare's rule that a request's timers end with it, at most 30 s after its response.
 * The clock is fake and only `advance` moves it. `restore` restores the real clock and timers.
 */
export function simulateInstance(packSeconds: string, db: D1Database = ownD1()) {
  const startedAt = Date.UTC(2026, 10, 1, 12);
  const { setTimeout: realTimeout } = globalThis;
  const requests = new Set<PendingRequest>();
  let now = startedAt;
  let current: PendingRequest | undefined;
  vi.useFakeTimers({ toFake: ["Date"], now });
  vi.stubGlobal("setTimeout", (run: () => void, ms = 0) => {
    if (current === undefined) return realTimeout(run, ms);
    current.timers.push({ at: now + ms, run });
    return 0;
  });
  const instance: Env = { ...env, DB: db, CLICK_PACK_SECONDS: packSeconds };

  /** Waits until all work of the requests is done, except work that waits for timers. */
  const settle = () =>
    Promise.all(
      [...requests].filter(({ timers }) => timers.length === 0).map(({ work }) => Promise.allSettled(work)),
    );

  return {
    /** Visits a link. The returned function cancels the request with its background work. */
    visit(link: string, request = requestWith()): () => void {
      const pending: PendingRequest = { endsAt: now + WAIT_UNTIL_MS, timers: [], work: [] };
      requests.add(pending);
      current = pending;
      recordVisit(request, { link, asset: null }, { isAfterEnd: false, rule: null }, now, instance, {
        waitUntil: (work) => pending.work.push(work),
      });
      current = undefined;
      return () => requests.delete(pending);
    },
    settle,
    async advance(ms: number): Promise<void> {
      const until = now + ms;
      for (;;) {
        const [next] = [...requests]
          .flatMap((request) => request.timers.map((timer) => ({ request, timer })))
          .filter(({ request, timer }) => timer.at <= Math.min(until, request.endsAt))
          .sort((one, other) => one.timer.at - other.timer.at);
        if (next === undefined) break;
        now = next.timer.at;
        vi.setSystemTime(now);
        next.request.timers.splice(next.request.timers.indexOf(next.timer), 1);
        next.timer.run();
        await settle();
      }
      now = until;
      vi.setSystemTime(now);
      for (const request of requests) if (request.endsAt <= now) requests.delete(request);
      await settle();
    },
    restore(): void {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    },
  };
}

/** The statements of a batch as text. */
export const textOf = ([first]: readonly D1PreparedStatement[]): string =>
  (first as { statement?: string } | undefined)?.statement ?? "";

/** Whether statements add a batch of clicks to the queue. */
export const addsBatch = (statements: readonly D1PreparedStatement[]): boolean =>
  /^insert into "?visit_queue\b/.test(textOf(statements));

/** Adds up all batches that instances have written. */
export const applyNow = (): Promise<unknown> => applyAll({ db: createDatabase(env.DB), now: Date.now });

/** The clicks of a link in the database, people and bots together, after the queue is added up. */
export async function clicksIn(link: string): Promise<number> {
  await applyNow();
  const clicks = await selectValue<number>`select sum(hours.clicks + bots + hours.scans + after_end)
    from visit_hours as hours join links on links.id = owner_id
    where owner_kind = 'link' and public_id = ${link}`;
  return clicks ?? 0;
}
