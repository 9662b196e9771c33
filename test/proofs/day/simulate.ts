import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/lib/time";
import { createClock } from "./clock";
import { createStore, type Rows } from "./database";
import { CHANGES_A_DAY, type Scenario } from "./scenarios";
import { type Counts, type Service, startService } from "./service";

const START = Date.UTC(2026, 10, 2);
/** Visits come by day more often than by night: by so much above and below the mean. */
const SWING = 0.8;
const BUSIEST_HOUR = 14;
/** When trouble begins on the second day. */
const TROUBLE_AT = 12 * HOUR_MS;

const CRONS: readonly [cron: string, isDue: (minute: number) => boolean][] = [
  ["* * * * *", () => true],
  ["*/2 * * * *", (minute) => minute % 2 === 0],
  ["1-59/2 * * * *", (minute) => minute % 2 === 1],
  ["*/3 * * * *", (minute) => minute % 3 === 0],
  ["17 3 * * *", (minute) => minute % 1440 === 3 * 60 + 17],
];

/** Before and after a part of a day, until the last counts are added up. */
const QUIET_MS = 65 * MINUTE_MS;
const FIRST_VISIT_MS = 5;

/** What a part of the simulation has counted. */
export interface Part extends Counts {
  causes: Record<"visit" | "change" | "cron", Rows>;
  born: number;
}

export interface Result {
  scenario: Scenario;
  parts: Part[];
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws numbers below `count`: the first is drawn most, the second half as often. */
function zipf(count: number, random: () => number): () => number {
  let sum = 0;
  const sums = Array.from({ length: count }, (_, n) => (sum += 1 / (n + 1)));
  return () => {
    const at = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** What was counted since an earlier count, number by number. */
function since<T>(now: T, before: T): T {
  if (typeof now === "number") return (now - Number(before ?? 0)) as T;
  return Object.fromEntries(
    Object.entries(now as object).map(([name, value]) => [name, since(value, (before as never)?.[name])]),
  ) as T;
}

export async function simulate(
  storage: DurableObjectStorage,
  migrations: readonly string[],
  scenario: Scenario,
): Promise<Result> {
  const clock = createClock(START);
  clock.install();
  const random = randomOf(41);
  Math.random = randomOf(14);
  const store = createStore(storage, clock.sleep);
  for (const statement of migrations) store.run(statement);
  const service = await startService(clock, store, scenario, random);
  const next = zipf(scenario.links, random);
  const visited = () => service.links[next()] as Service["links"][number];
  const failures: unknown[] = [];
  const begin = (work: Promise<unknown>) => void work.catch((error: unknown) => failures.push(error));

  const perMs = scenario.visits / DAY_MS;
  const rateAt = (time: number): number =>
    minutes === undefined
      ? 1 + SWING * Math.cos((2 * Math.PI * ((time % DAY_MS) / HOUR_MS - BUSIEST_HOUR)) / 24)
      : 1;
  const { minutes } = scenario;
  const begins = minutes === undefined ? START : START + QUIET_MS;
  const end = begins + (minutes === undefined ? 2 * DAY_MS : minutes * MINUTE_MS);
  const quietUntil = minutes === undefined ? end : end + QUIET_MS;
  function visitNext(): void {
    const at = clock.now() - Math.log(1 - random()) / (perMs * (1 + SWING));
    if (at >= end) return;
    clock.at(at, () => {
      if (random() * (1 + SWING) < rateAt(at)) service.visit(visited());
      visitNext();
    });
  }
  clock.at(begins, visitNext);
  // A large service has had its first visits.
  if (minutes !== undefined)
    for (const [index, link] of service.links.entries())
      clock.at(START + index * FIRST_VISIT_MS, () => service.visit(link));

  const trouble = START + DAY_MS + TROUBLE_AT;
  const hasCrons = (time: number) => scenario.trouble !== "no crons" || time < START + DAY_MS;
  for (let minute = 1; START + minute * MINUTE_MS < quietUntil; minute++) {
    const at = START + minute * MINUTE_MS;
    if (hasCrons(at))
      clock.at(at, () => {
        for (const [cron, isDue] of CRONS) if (isDue(minute)) service.runCron(cron).catch(() => undefined);
      });
  }
  const changes = Math.round((CHANGES_A_DAY * (end - begins)) / DAY_MS);
  for (let number = 0; number < changes; number++) {
    const link = service.links[Math.floor(random() * service.links.length)];
    if (link !== undefined) clock.at(begins + random() * (end - begins), () => begin(service.change(link)));
  }
  if (scenario.trouble === "no KV writes for an hour") {
    clock.at(trouble, () => service.setTakesWrites(false));
    clock.at(trouble + HOUR_MS, () => service.setTakesWrites(true));
  }
  if (scenario.trouble === "no D1 for an hour") {
    clock.at(trouble, () => store.setOut(true));
    clock.at(trouble + HOUR_MS, () => store.setOut(false));
  }
  if (scenario.trouble === "15,000 links change") clock.at(trouble, () => begin(service.changeAll()));

  const snapshot = (): Part =>
    structuredClone({ ...service.count, causes: store.causes, born: service.born() });
  const parts: Part[] = [];
  let before = snapshot();
  for (const until of [minutes === undefined ? START + DAY_MS : begins, end, quietUntil]) {
    await clock.runUntil(until);
    const now = snapshot();
    parts.push(since(now, before));
    before = now;
  }
  if (failures.length > 0) throw failures[0];
  return { scenario, parts };
}
