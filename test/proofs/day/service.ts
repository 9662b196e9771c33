import { parseConfig } from "../../../src/config";
import { type Env, type ServiceContext, systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { changeAllLinks } from "../../../src/resources/links/change-many";
import worker from "../../../src/worker";
import { bindKv, createPlaces } from "../../places";
import type { Clock } from "./clock";
import type { Cause, Store } from "./database";
import { destinationOf, makeLinks, type Visited } from "./links";
import { IDLE_MS, INSTANCES, PLACES, type Scenario } from "./scenarios";

// The service in its places: instances that are born and die, and what they cost.

const API = "https://links.example.com";
const SHORT = "https://s.example.com";
const KV_READ_MS = 8;
const KV_WRITE_MS = 80;
/** Visits that wait longer than KV takes have waited for D1. */
const WAITED_MS = 30;
/** By the promise an old destination is shown no longer than this, usually. */
const PROMISED_MS = 120_000;
const OFFICE = 0;

const VARIABLES = { BASE_URL: API, SHORT_BASE_URL: SHORT, CLOUDFLARE_PLAN: "paid", CLICK_PACK_SECONDS: "5" };

const AGENTS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
  "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
] as const;
const REFERRERS = [
  null,
  null,
  null,
  "https://www.google.com/",
  "https://t.co/",
  "https://lnkd.in/x",
  "https://news.example.org/a",
];
const COUNTRIES = ["CH", "DE", "AT", "FR", "IT", "GB", "US", "ES", "NL", "SE"] as const;

export interface Counts {
  visits: number;
  waited: number;
  failed: number;
  /** Of an old destination, up to two minutes after the change and later. */
  outdated: number;
  late: number;
  kvReads: number;
  kvWrites: Record<Cause, number>;
  lines: number;
}

const noCounts = (): Counts => ({
  visits: 0,
  waited: 0,
  failed: 0,
  outdated: 0,
  late: 0,
  kvReads: 0,
  kvWrites: { visit: 0, change: 0, cron: 0 },
  lines: 0,
});

interface Instance {
  env: Env;
  lastVisitAt: number;
}

export async function startService(clock: Clock, store: Store, scenario: Scenario, random: () => number) {
  const places = createPlaces(clock.now);
  const count = noCounts();
  let takesWrites = true;
  let instancesBorn = 0;
  const drawn = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;

  const bind = (place: number, cause: Cause): Env => ({
    ...VARIABLES,
    DB: store.bind(cause),
    KV: bindKv(places, place, async (operation, _, run) => {
      await clock.sleep(operation === "get" ? KV_READ_MS : KV_WRITE_MS);
      if (operation === "get") count.kvReads++;
      if (operation === "put" && !takesWrites) throw new Error("KV put() limit exceeded for the day.");
      const result = run();
      if (operation === "put") count.kvWrites[cause]++;
      return result;
    }),
  });

  console.log = () => void count.lines++;
  console.error = console.log;

  const context = (DB: D1Database, KV: KVNamespace): ServiceContext => ({
    db: createDatabase(DB),
    kv: KV,
    config: parseConfig({ ...VARIABLES, DB, KV }, API),
    actor: "operator",
    now: clock.now,
    random: systemRandom,
    waitUntil: () => undefined,
  });
  const made = await makeLinks(
    context(store.instant(), bind(OFFICE, "change").KV),
    store,
    scenario.links + (scenario.others ?? 0),
  );
  const links = made.links.slice(0, scenario.links);

  const instances = new Map<number, Instance>();
  const perPlace = scenario.instances ?? INSTANCES;
  function instanceAt(place: number): Env {
    const number = place * perPlace + Math.floor(random() * perPlace);
    const known = instances.get(number);
    const isAlive = known !== undefined && clock.now() - known.lastVisitAt < IDLE_MS;
    const instance = isAlive ? known : { env: bind(place, "visit"), lastVisitAt: 0 };
    if (!isAlive) instancesBorn++;
    instances.set(number, instance);
    instance.lastVisitAt = clock.now();
    return instance.env;
  }

  type Incoming = Parameters<typeof worker.fetch>[0];
  function dispatch(env: Env, request: Request): { answer: Promise<Response>; whole: Promise<unknown> } {
    const behind: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void behind.push(work);
    const answer = Promise.resolve(worker.fetch(request as Incoming, env, { waitUntil } as ExecutionContext));
    const ended = async () => {
      await answer;
      for (let index = 0; index < behind.length; index++) await behind[index];
    };
    return { answer, whole: ended() };
  }

  /** What a link leads to, and what it led to before its last change. */
  const states = new Map<string, { number: number; changedAt: number }>();
  const stateOf = ({ slug }: Visited) => states.get(slug) ?? { number: 0, changedAt: 0 };

  function visit(link: Visited): void {
    const place = Math.floor(random() * PLACES);
    const referrer = drawn(REFERRERS);
    const headers = {
      "user-agent": drawn(AGENTS),
      accept: "text/html",
      "cf-connecting-ip": `192.0.2.${Math.floor(random() * 250)}`,
      "cf-ipcountry": drawn(COUNTRIES),
      ...(referrer !== null && { referer: referrer }),
    };
    const askedAt = clock.now();
    const { number, changedAt } = stateOf(link);
    count.visits++;
    const { answer } = dispatch(
      instanceAt(place),
      new Request(`${SHORT}/${link.code ?? link.slug}`, { redirect: "manual", headers }),
    );
    void answer.then((response) => {
      if (clock.now() - askedAt >= WAITED_MS) count.waited++;
      if (response.status !== 302) count.failed++;
      const shown = Number(/change=(\d+)/.exec(response.headers.get("location") ?? "")?.[1] ?? number);
      if (shown >= number) return;
      if (askedAt - changedAt <= PROMISED_MS) count.outdated++;
      else count.late++;
    });
  }

  async function change(link: Visited): Promise<void> {
    const number = stateOf(link).number + 1;
    const request = new Request(`${API}/api/v1/links/${link.id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
      body: JSON.stringify({ destination_url: destinationOf(link.slug, number) }),
    });
    const { answer, whole } = dispatch(bind(OFFICE, "change"), request);
    const response = await clock.whole(answer);
    if (response.status !== 200) {
      if (response.status < 500)
        throw new Error(`A change answered ${response.status}: ${await response.text()}`);
      return;
    }
    states.set(link.slug, { number, changedAt: clock.now() });
    await clock.whole(whole);
  }

  /** Changes all links, 250 a request, as the web application does. */
  async function changeAll(): Promise<void> {
    const { DB, KV } = bind(OFFICE, "change");
    const behind: Promise<unknown>[] = [];
    const service = { ...context(DB, KV), waitUntil: (work: Promise<unknown>) => void behind.push(work) };
    const ctx = { ...made.ctx, ...service };
    const query = { status: "active", sort: "-created_at", page: 1, per_page: 100 } as Parameters<
      typeof changeAllLinks
    >[1];
    const asked = { change: "set", set: { utm_term: "bulk" } } as Parameters<typeof changeAllLinks>[2];
    let progress: Parameters<typeof changeAllLinks>[3] = { batch: null };
    for (;;) {
      const done = await changeAllLinks(ctx, query, asked, progress);
      if (done.next === null) break;
      progress = { after: done.next, batch: done.batch, left: done.left };
    }
    await Promise.all(behind);
  }

  const scheduler = bind(OFFICE, "cron");
  async function runCron(cron: string): Promise<void> {
    const behind: Promise<unknown>[] = [];
    const controller = { cron, scheduledTime: clock.now(), noRetry: () => undefined };
    const execution = { waitUntil: (work: Promise<unknown>) => void behind.push(work) } as ExecutionContext;
    await worker.scheduled(controller, scheduler, execution);
    await Promise.allSettled(behind);
  }

  return {
    links,
    count,
    visit,
    change,
    changeAll,
    runCron,
    born: () => instancesBorn,
    setTakesWrites(takes: boolean): void {
      takesWrites = takes;
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
