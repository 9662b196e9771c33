import { publicSuffixes } from "../../analytics/public-suffixes";
import type { ServiceContext } from "../../context";
import { destinationHost, parseDestination } from "../../lib/destination";
import { sleep } from "../../lib/sleep";
import { DAY_MS, MINUTE_MS, ownUntil, SECOND_MS } from "../../lib/time";
import { selectRefusedHosts } from "../../resources/destinations/destination-statements";
import { hostProblem, toRefusedHosts } from "../../resources/destinations/hosts";
import { type HealthChange, reportBroken } from "../alerts/broken";
import { tellBroken } from "./broken-events";
import { type CheckResult, nextHealth } from "./check-result";
import {
  claimDomains,
  type DueDestination,
  deleteDestinations,
  insertDestinations,
  queueDomains,
  selectClaimedDomains,
  selectDueDestinations,
  selectDueDomains,
  selectMissing,
  updateHealth,
} from "./health-repository";
import { MAX_REQUESTS, probe } from "./probe";
import { domainOf, isPaused, MAX_PROBED_AT_ONCE, type Net, type ProbeRun, withRequests } from "./requests";

/** Links that a run looks at for destinations that are not queued yet. */
const MAX_FOUND_LINKS = 500;
/** No destination is begun after this time. */
const RUN_MS = 80 * SECOND_MS;
/** A run claims its domains for this long: longer than it can take. */
const CLAIM_MS = 3 * MINUTE_MS;
const MAX_DOMAINS_PER_RUN = 36;
const MAX_OF_DOMAIN_PER_RUN = 8;
/** Between two destinations of a domain. */
const PACE_MS = 10 * SECOND_MS;
/** The free plan allows 50 outgoing calls per invocation. */
const MAX_REQUESTS_PER_RUN = 48;

/** Queues the destinations of the next chunk of links that are not queued yet. Returns how many. */
export async function discover({
  db,
  now,
  files,
}: Pick<ServiceContext, "db" | "now" | "files">): Promise<number> {
  const suffixes = await publicSuffixes(files);
  const at = now();
  const [missing] = await db.read(selectMissing(at, MAX_FOUND_LINKS));
  const found = missing
    .filter(({ url }) => parseDestination(url) !== undefined)
    .map((one) => {
      const host = destinationHost(one.url);
      return { ...one, host, domain: domainOf(host, suffixes) };
    });
  if (found.length > 0) await db.writeGuarded(insertDestinations(found, at));
  return new Set(found.map(({ url }) => url)).size;
}

/**
 * Probes destinations in rounds, in each one of every domain and several at once, as far as time and requests allow. Returns
 * those that have a result.
 */
async function probeAll(
  run: ProbeRun,
  rows: readonly DueDestination[],
  latest: number,
): Promise<HealthChange[]> {
  const { ctx, net } = run;
  const isOver = () => run.requestsLeft < MAX_REQUESTS || ctx.now() >= latest;
  const [found] = await ctx.db.read(selectRefusedHosts(rows.map(({ host }) => host)));
  const refused = toRefusedHosts(found);
  const probeOne = async ({ url, host }: DueDestination): Promise<CheckResult | undefined> =>
    hostProblem(ctx, "destination_url", url, refused) === undefined
      ? withRequests(run, host, (send) => probe(url, send))
      : { reason: "forbidden", status: null };

  const changes: HealthChange[] = [];
  const worker = async (waiting: DueDestination[]) => {
    while (!isOver()) {
      const was = waiting.shift();
      if (was === undefined) return;
      const result = isPaused(run, was.domain) ? undefined : await probeOne(was);
      if (result === undefined) continue;
      const is = nextHealth(was, result, { at: ctx.now(), isLive: was.is_on_live_asset === 1 });
      changes.push({ url: was.url, was, is });
    }
  };
  for (let round = 1; round <= MAX_OF_DOMAIN_PER_RUN; round++) {
    const waiting = rows.filter((row) => row.round === round);
    if (waiting.length === 0 || isOver()) break;
    if (round > 1) await net.sleep(PACE_MS);
    await Promise.all(Array.from({ length: MAX_PROBED_AT_ONCE }, () => worker(waiting)));
  }
  return changes;
}

/** Takes the domains whose turn it is, also if the answer was lost. */
async function takeDomains({ db, now }: Pick<ServiceContext, "db" | "now">): Promise<string[]> {
  const at = now();
  const until = ownUntil(at + CLAIM_MS);
  const [due] = await db.read(selectDueDomains(at, MAX_DOMAINS_PER_RUN));
  if (due.length === 0) return [];
  const domains = due.map(({ domain }) => domain);
  const [taken] = await db.writeGuarded(
    [claimDomains(domains, at, until)],
    selectClaimedDomains(domains, until),
  );
  return taken.map(({ domain }) => domain);
}

/** Probes the destinations whose turn it is, as far as the limits of an invocation allow. Nothing while it is off. */
export async function probeDestinations(
  ctx: ServiceContext,
  net: Net = { sleep },
): Promise<{ found: number; asked: number; broken: number }> {
  if (!ctx.config.healthCheck) return { found: 0, asked: 0, broken: 0 };
  const { db, now } = ctx;
  const latest = now() + RUN_MS;
  const found = await discover(ctx);
  const domains = await takeDomains(ctx);
  if (domains.length === 0) return { found, asked: 0, broken: 0 };
  const perDomain = Math.min(MAX_OF_DOMAIN_PER_RUN, Math.ceil(MAX_DOMAINS_PER_RUN / domains.length));
  const [rows] = await db.read(selectDueDestinations(domains, now(), perDomain));
  const suffixes = await publicSuffixes(ctx.files);
  const run: ProbeRun = { ctx, net, suffixes, requestsLeft: MAX_REQUESTS_PER_RUN, pausedUntil: new Map() };
  const isServed = (row: DueDestination) => row.is_served === 1;
  const changes = await probeAll(run, rows.filter(isServed), latest);
  const touched = [...new Set([...domains, ...run.pausedUntil.keys()])];
  const { stored, told } = await tellBroken(ctx, changes);
  await db.writeGuarded([
    updateHealth(stored.map(({ url, is }) => ({ ...is, url }))),
    deleteDestinations(rows.filter((row) => !isServed(row)).map(({ url }) => url)),
    ...queueDomains(touched.map((domain) => ({ domain, free_at: run.pausedUntil.get(domain) ?? 0 }))),
    ...(await reportBroken(ctx, stored)),
    ...told,
  ]);
  const broken = changes.filter(({ is }) => is.state === "broken").length;
  return { found, asked: changes.length, broken };
}

/** For the demo: stores that a destination has answered with an error for some days. It is due again in a week. */
export async function recordBroken(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  url: string,
  { status, since }: { status: number; since: number },
): Promise<void> {
  const at = now();
  const host = destinationHost(url);
  const failure = { state: "broken", reason: "http", http_status: status, failures: 3 } as const;
  await db.writeGuarded([
    ...insertDestinations([{ url, host, domain: domainOf(host, new Set()) }], at),
    updateHealth([{ ...failure, url, due_at: at + 7 * DAY_MS, asked_at: at, failing_since: since }]),
  ]);
}
