import { env } from "cloudflare:test";
import { inject } from "vitest";
import type { ServiceContext } from "../../../src/context";
import { destinationHost } from "../../../src/lib/destination";
import { probeDestinations } from "../../../src/operations/health/health-job";
import { insertDestinations } from "../../../src/operations/health/health-repository";
import { domainOf, type Net } from "../../../src/operations/health/requests";
import type { Fetch } from "../../../src/resources/destinations/outside";
import { serviceContext, testEnv } from "../../harness";

export const SECOND = 1000;
export const DAY = 86_400 * SECOND;
export const ASKED_ENV = { ...testEnv, DESTINATION_HEALTH_CHECK: "on" };
const CLOSED_PORT = 1;
/** Stands for the time after which a page that never answers is given up. */
const GIVEN_UP_MS = 50;

interface Asked {
  host: string;
  method: string;
  url: string;
  at: number;
  headers: Headers;
}

let hosts = 0;
export const freshHost = (name = "h"): string =>
  `${name}-${++hosts}-${crypto.randomUUID().slice(0, 8)}.example`;

/**
 * The Internet of a test: every host is the server of `pages.ts`, except one whose name begins with `closed`, `tls` or `dns`. The
 * clock moves only by sleeping.
 */
export function openNet(start = Date.UTC(2026, 0, 1)) {
  const asked: Asked[] = [];
  const clock = { now: start };
  const waited = new Set<number>();
  let open = 0;
  let mostOpen = 0;
  const send: Fetch = async (given, init) => {
    const url = new URL(given);
    const method = init.method ?? "GET";
    asked.push({ host: url.hostname, method, url: given, at: clock.now, headers: new Headers(init.headers) });
    const fails = /^(tls|dns)/.exec(url.hostname)?.[1];
    if (fails === "dns") throw new Error("DNS lookup failed.");
    if (fails === "tls") throw new Error("internal error; reference = 0123456789");
    const port = url.hostname.startsWith("closed") ? CLOSED_PORT : inject("pagesPort");
    const hangs = url.pathname === "/slow" || (url.pathname === "/slow-head" && method === "HEAD");
    const signal = hangs ? AbortSignal.timeout(GIVEN_UP_MS) : (init.signal ?? null);
    mostOpen = Math.max(mostOpen, ++open);
    try {
      return await fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { ...init, signal });
    } finally {
      open--;
    }
  };
  /** Ends when the clock has reached its time. It advances while no page is loading, to the next time that is waited for. */
  const sleep = async (ms: number): Promise<void> => {
    const until = clock.now + ms;
    waited.add(until);
    while (clock.now < until) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (open === 0 && clock.now < until) clock.now = Math.max(clock.now, Math.min(...waited));
    }
    waited.delete(until);
  };
  const ctx = (more: Partial<ServiceContext> = {}): ServiceContext => ({
    ...serviceContext(ASKED_ENV),
    now: () => clock.now,
    ...more,
  });
  return {
    asked,
    clock,
    send,
    sleep,
    ctx,
    mostOpen: () => mostOpen,
    /** `GET host/path` of every request since the last call. */
    takeAsked: (): string[] =>
      asked.splice(0).map(({ method, url }) => `${method} ${new URL(url).pathname}${new URL(url).search}`),
    run: (options: Partial<Net> = {}, context = ctx()) =>
      probeDestinations(context, { fetch: send, sleep, ...options }),
  };
}

/** Forgets all destinations, and suspends the workspaces of earlier tests, so that no run finds their links. */
export async function emptyHealth(): Promise<void> {
  await env.DB.batch(
    [
      "delete from destination_health",
      "delete from destination_domains",
      "delete from alerts",
      "update workspaces set suspended_at = 1 where suspended_at is null",
    ].map((query) => env.DB.prepare(query)),
  );
}

/** Adds destinations as a run does that finds them. */
export async function addDestinations(
  urls: readonly string[],
  at: number,
  workspaceId?: number,
): Promise<void> {
  const found = urls.map((url) => ({
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    url,
    host: destinationHost(url),
    domain: domainOf(destinationHost(url), new Set()),
  }));
  await serviceContext().db.writeOnce(...insertDestinations(found, at));
}

export interface HealthInDatabase {
  state: string;
  reason: string | null;
  http_status: number | null;
  failing_since: number | null;
  asked_at: number | null;
  due_at: number;
  failures: number;
}

export const healthOf = (url: string) =>
  env.DB.prepare("select * from destination_health where url = ?").bind(url).first<HealthInDatabase>();
