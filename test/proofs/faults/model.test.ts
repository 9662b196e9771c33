import { env } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, it, vi } from "vitest";
import type { Env } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { parseEntry } from "../../../src/redirect/slugs/cache";
import { sweep } from "../../../src/redirect/slugs/sync";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage";
import { addDomain } from "../../../src/resources/domains/service";
import { makeWorkspace, SHORT, type TestWorkspace } from "../../harness";
import {
  ask,
  bindings,
  callOf,
  callService,
  ENDED,
  FAILURES,
  type Fate,
  fated,
  fateIn,
  HOLDS,
  hurry,
  type Kind,
  type OpenFate,
  type OperationName,
  type ServiceCall,
  seenIn,
  settleEverything,
  TAKEN_DOWN,
  truths,
  visitOf,
} from "./bindings";

const RUNS = Number(env.RUNS || 500);
const MS_PER_RUN = 3_000;
/** After it the commands so far are printed. The first runs also load the application. */
const LIMIT_MS = RUNS * MS_PER_RUN + 60_000;
const LINKS = "/api/v1/links";

const LEASE_MS = 300_000;
const FRESH_MS = [60_000, 120_000, 240_000];
const STALE_MS = 65 * 60_000;
/** The platform ends work after an answer at this time, so nothing is held longer. */
const LONGEST_HOLD_MS = 30_000;

/** One slug on the short host and on a domain of each workspace, and another slug on the short host. */
const ADDRESSES = [
  { domainOf: undefined, letter: "x" },
  { domainOf: 0, letter: "x" },
  { domainOf: 1, letter: "x" },
  { domainOf: undefined, letter: "y" },
] as const;
const SLUGS = [0, 1, 2, 3] as const;
const WORKSPACES = [0, 1] as const;
type Who = (typeof WORKSPACES)[number];
const DESTINATIONS = ["https://a.example/", "https://b.example/", "https://c.example/"] as const;
const APPS = ["https://apps.example/", "https://store.example/"] as const;
const OVER = "https://over.example/";
const GROUPS_OVER = "https://group-over.example/";

interface Team {
  ws: TestWorkspace;
  domain: string;
  group: string;
}

async function makeTeam(): Promise<Team> {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `go.${ws.slug}.example`, true);
  return { ws, domain: host, group: (await ws.group()).id };
}

/** Two workspaces with a domain each. */
let teams: readonly [Team, Team];
let start: number;
beforeAll(async () => {
  teams = [await makeTeam(), await makeTeam()];
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  start = Date.now();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The state of a slug from `from` until the next truth. */
interface Truth {
  from: number;
  fate: Fate | null;
}

/** The group of all links of a workspace. Both groups have the same values, which count where a link has none of its own. */
type GroupWindow = Pick<OpenFate, "ends_at" | "ended_url">;

const within = (own: Fate, { ends_at, ended_url }: GroupWindow): Fate =>
  own === TAKEN_DOWN
    ? own
    : { ...own, ends_at: own.ends_at ?? ends_at, ended_url: own.ended_url ?? ended_url };

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The model: who owns which address, and what was true when. */
class Model {
  /** The workspace that an address belongs to; undefined if it was never claimed. */
  readonly owners: (Who | undefined)[] = SLUGS.map(() => undefined);
  /** The link that an address opens: null if freed, undefined if never claimed. */
  readonly opens: (string | null | undefined)[] = SLUGS.map(() => undefined);
  /** Whether the operator took down the link of an address, which may be deleted since. */
  readonly takenDown: boolean[] = SLUGS.map(() => false);
  /** The links' own values, and their current addresses. */
  readonly links = new Map<string, OpenFate>();
  readonly current = new Map<string, number>();
  readonly groups: (GroupWindow & { from: number })[] = [
    { from: Number.NEGATIVE_INFINITY, ends_at: null, ended_url: null },
  ];
  readonly history: Truth[][] = SLUGS.map(() => [{ from: Number.NEGATIVE_INFINITY, fate: null }]);
  /** The instance with the last confirmed change of a slug, until a held operation continues. */
  readonly writers: (number | undefined)[] = SLUGS.map(() => undefined);

  /** What was given to the link of an address, also while it is taken down. */
  givenTo(slug: number): OpenFate | null {
    const link = this.opens[slug];
    return link == null ? null : (this.links.get(link) ?? null);
  }

  /** Without the group's values. */
  ownOf(slug: number): Fate | null {
    return this.takenDown[slug] === true ? TAKEN_DOWN : this.givenTo(slug);
  }

  /** Whether a workspace may give the address to this link, or to a new one. */
  isFree(slug: number, who: Who, link?: string): boolean {
    const { owners, opens, takenDown } = this;
    const isOfOther = (owner: Who | undefined) => owner !== undefined && owner !== who;
    if (isOfOther(ADDRESSES[slug]?.domainOf) || isOfOther(owners[slug]) || takenDown[slug] === true)
      return false;
    return opens[slug] == null || opens[slug] === link;
  }

  /** Gives an address to a link, whose former ones go on opening it. */
  claim(slug: number, who: Who, link: string): void {
    this.owners[slug] = who;
    this.opens[slug] = link;
    this.current.set(link, slug);
  }

  fateOf(slug: number): Fate | null {
    const own = this.ownOf(slug);
    const now = this.groups.at(-1);
    return own === null || now === undefined ? null : within(own, now);
  }

  /** The fates of a slug's link since a time, by its own values as they are now. */
  fatesSince(slug: number, since: number): (Fate | null)[] {
    const own = this.ownOf(slug);
    if (own === null) return [null];
    return this.groups
      .filter((_, index) => (this.groups[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= since)
      .map((activeWindow) => within(own, activeWindow));
  }

  slugsOf(link: string): number[] {
    return SLUGS.filter((slug) => this.opens[slug] === link);
  }

  /** Records a new truth. `writer` is the instance that confirmed it. */
  record(writer: number | undefined): void {
    for (const slug of SLUGS) {
      const fate = this.fateOf(slug);
      if (isSame(this.history[slug]?.at(-1)?.fate, fate)) continue;
      this.history[slug]?.push({ from: Date.now(), fate });
      this.writers[slug] = writer;
    }
  }

  /**
   * Whether a visitor who asked at a time may see this, by what was true at some time from `since` on. A newly claimed
   * slug must work at once. Start and end are checked at the visit, however old the value is.
   */
  wasTrue(slug: number, shown: string, since: number, askedAt: number): boolean {
    const truths = this.history[slug] ?? [];
    return truths.some((truth, index) => {
      const until = truths[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      return fated(truth.fate, askedAt) === shown && until >= (index === 0 ? askedAt : since);
    });
  }
}

/** The system under test: bindings, two instances of the Worker, and pending requests. */
class World {
  readonly name = crypto.randomUUID().slice(0, 13);
  private armed: { names: readonly OperationName[]; kind: Kind } | undefined;
  private releaseBy = Number.POSITIVE_INFINITY;
  private readonly open: Promise<unknown>[] = [];
  readonly bound = bindings((_, name) => {
    if (this.armed?.names.includes(name) !== true) return undefined;
    const { kind } = this.armed;
    this.armed = undefined;
    return kind;
  });
  readonly instances: Env[] = [this.bound.instance(), this.bound.instance()];

  slug(index: number): string {
    return `m-${this.name}-${ADDRESSES[index]?.letter}`;
  }

  /** The domain of an address, or the short host. */
  host(index: number): string {
    const domainOf = ADDRESSES[index]?.domainOf;
    return domainOf === undefined ? new URL(SHORT).hostname : teams[domainOf].domain;
  }

  key(index: number): string {
    return slugKey(
      ADDRESSES[index]?.domainOf === undefined ? SHORT_HOST : this.host(index),
      this.slug(index),
    );
  }

  arm(names: readonly OperationName[], kind: Kind): void {
    this.armed = { names, kind };
  }

  disarm(): void {
    this.armed = undefined;
  }

  async send(instance: number, request: Request | ServiceCall) {
    const before = this.bound.fired();
    const environment = this.instances[instance] ?? this.bound.instance();
    const { answer, settled } = await ask(this.bound, environment, request);
    const isHolding = this.bound.holding() > 0;
    if (isHolding) {
      this.releaseBy = Math.min(this.releaseBy, Date.now() + LONGEST_HOLD_MS);
      this.open.push(settled);
    }
    return { answer, settled, hadFault: this.bound.fired() > before || isHolding };
  }

  later(work: Promise<unknown>): void {
    this.open.push(work);
  }

  async release(model: Model): Promise<void> {
    if (this.open.length === 0) return;
    model.writers.fill(undefined);
    this.bound.release();
    this.releaseBy = Number.POSITIVE_INFINITY;
    await Promise.all(this.open.splice(0));
  }

  async elapse(model: Model, ms: number): Promise<void> {
    const until = Date.now() + ms;
    if (until >= this.releaseBy) {
      vi.setSystemTime(this.releaseBy);
      await this.release(model);
    }
    vi.setSystemTime(until);
  }

  sweep(): Promise<unknown> {
    const { DB, KV } = this.instances[0] ?? env;
    return sweep({ db: createDatabase(DB), kv: KV, now: Date.now });
  }
}

type Command = fc.AsyncCommand<Model, World>;

/** Reads from D1 whether a failed request took effect. */
async function learn(model: Model, world: World): Promise<void> {
  const rows = await truths(SLUGS.map((slug) => world.key(slug)));
  for (const slug of SLUGS) {
    const row = rows.get(world.key(slug));
    model.opens[slug] = row === undefined ? undefined : row.link;
    model.owners[slug] = WORKSPACES.find((who) => teams[who].ws.ctx.workspace.rowId === row?.workspace);
    model.takenDown[slug] = row?.fate === TAKEN_DOWN;
    if (row?.link == null || row.given === null) continue;
    model.links.set(row.link, row.given);
    if (row.is_current === 1) model.current.set(row.link, slug);
  }
  model.record(undefined);
}

/** Sends a change and checks its status, unless a fault hit it. Returns true if it was made. */
async function change(
  model: Model,
  world: World,
  instance: number,
  request: Request | ServiceCall,
  expected: number,
): Promise<Response | undefined> {
  const { answer, hadFault } = await world.send(instance, request);
  if (answer?.status === expected) return answer;
  if (!hadFault || (answer !== undefined && answer.status < 500)) {
    const name = typeof request === "function" ? "the operator" : request.method;
    throw new Error(`${name} answered ${answer?.status}, not ${expected}`);
  }
  await learn(model, world);
  return undefined;
}

const pathOf = (link: string | null | undefined): string => `${LINKS}/${link}`;
/** The API key of an address's workspace. */
const keyOf = (model: Model, slug: number): string => teams[model.owners[slug] ?? 0].ws.key;
const opensLink = (model: Readonly<Model>, slug: number): boolean => model.opens[slug] != null;

async function create(
  model: Model,
  world: World,
  slug: number,
  destination: string,
  instance: number,
  who: Who,
) {
  const { ws, group } = teams[who];
  const address = { slug: world.slug(slug), domain: world.host(slug) };
  const request = callOf(ws.key, "POST", LINKS, {
    destination_url: destination,
    ...address,
    activity_group_id: group,
  });
  const answer = await change(model, world, instance, request, model.isFree(slug, who) ? 201 : 422);
  if (answer?.status !== 201) return;
  const { link } = await answer.json<{ link: { id: string } }>();
  model.claim(slug, who, link.id);
  model.links.set(link.id, {
    destination,
    starts_at: null,
    ends_at: null,
    ended_url: null,
    rule: null,
  });
  model.record(instance);
}

const isoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

async function edit(model: Model, world: World, slug: number, fields: Partial<OpenFate>, instance: number) {
  const link = model.opens[slug];
  const was = model.givenTo(slug);
  if (link == null || was === null) return;
  const { destination, starts_at, ends_at, ended_url, rule } = fields;
  const request = callOf(keyOf(model, slug), "PATCH", pathOf(link), {
    ...(destination !== undefined && { destination_url: destination }),
    ...(starts_at !== undefined && { starts_at: isoTime(starts_at) }),
    ...(ends_at !== undefined && { ends_at: isoTime(ends_at) }),
    ...(ended_url !== undefined && { ended_url }),
    ...(rule !== undefined && { rules: rule && [{ destination_url: rule, devices: ["ios"] }] }),
  });
  if ((await change(model, world, instance, request, 200)) === undefined) return;
  model.links.set(link, { ...was, ...fields });
  model.record(instance);
}

/** Seconds from now to a start and to an end; null for none. */
type ActiveWindow = readonly [start: number | null, end: number | null, endedUrl: string | null];

const lifeFrom = ([start, end, ended_url]: ActiveWindow) => ({
  starts_at: start === null ? null : Date.now() + start * 1000,
  ends_at: end === null ? null : Date.now() + end * 1000,
  ended_url,
});

/** A group's change touches no link, so only the leases bring it to visitors. */
async function changeGroup(model: Model, [, end, endedUrl]: ActiveWindow) {
  const { ends_at, ended_url } = lifeFrom([null, end, endedUrl]);
  // Without "links end with the group" its end does not count.
  const endsAt = ends_at ?? Date.now();
  const fields = { ends_at: endsAt, ends_links: ends_at !== null, ended_url };
  for (const { ws, group } of teams) await updateActivityGroup(ws.ctx, group, fields);
  model.groups.push({ from: Date.now(), ends_at, ended_url });
  model.record(undefined);
}

async function rename(model: Model, world: World, slug: number, to: number, instance: number) {
  const [link, who] = [model.opens[slug], model.owners[slug]];
  if (link == null || who === undefined) return;
  const isFree = model.isFree(to, who, link) && model.takenDown[slug] === false;
  const address = { slug: world.slug(to), domain: world.host(to) };
  const request = callOf(keyOf(model, slug), "PATCH", pathOf(link), address);
  // The address that a link has now is no change, also while it is taken down.
  const isCurrent = model.current.get(link) === to;
  const answer = await change(model, world, instance, request, isFree || isCurrent ? 200 : 422);
  if (answer?.status !== 200) return;
  model.claim(to, who, link);
  model.record(instance);
}

async function remove(model: Model, world: World, slug: number, instance: number) {
  const link = model.opens[slug];
  if (link == null) return;
  const answer = await change(
    model,
    world,
    instance,
    callOf(keyOf(model, slug), "DELETE", pathOf(link)),
    204,
  );
  if (answer === undefined) return;
  for (const each of model.slugsOf(link)) model.opens[each] = null;
  model.record(instance);
}

/** The operator takes a link down, or restores it or the address of a deleted one. */
async function moderate(model: Model, world: World, slug: number, isEnd: boolean, instance: number) {
  const link = model.opens[slug];
  const named = link ?? world.key(slug);
  const call = callService(teams[0].ws.ctx, (ctx) => (isEnd ? endTakedown : takeDown)(ctx, named));
  if ((await change(model, world, instance, call, 200)) === undefined) return;
  for (const each of link == null ? [slug] : model.slugsOf(link)) model.takenDown[each] = !isEnd;
  model.record(instance);
}

/** Visits an address, and checks the answer when it arrives. */
async function visit(model: Model, world: World, slug: number, instance: number) {
  const askedAt = Date.now();
  const writer = model.writers[slug];
  const expected = fated(model.fateOf(slug), askedAt);
  const { answer, settled, hadFault } = await world.send(
    instance,
    visitOf(world.slug(slug), `https://${world.host(slug)}`),
  );

  const check = async (response: Response) => {
    const shown = await seenIn(response);
    const cache = response.headers.get("x-cache");
    const told = `${response.status} ${cache} ${shown}`;
    if (response.status === 503 || cache === "stale") {
      if (!hadFault) throw new Error(`${told} without a fault`);
      if (response.status === 503) return;
    }
    const status = shown.startsWith("https:") ? 302 : shown === ENDED ? 410 : 404;
    if (response.status !== status) throw new Error(told);
    const since = askedAt - (cache === "stale" ? STALE_MS : LEASE_MS);
    if (!model.wasTrue(slug, shown, since, askedAt)) {
      throw new Error(`${told} was not true since ${since}: ${JSON.stringify(model.history[slug])}`);
    }
    const isAtOnce = answer !== undefined && writer === instance;
    if (isAtOnce && shown !== expected) throw new Error(`${told}, but this instance made it ${expected}`);
  };

  if (answer === undefined) world.later(settled.then(check));
  else await check(answer);
}

/** Commands with arguments, which their name shows. */
const commands = <Args extends unknown[]>(
  name: string,
  args: fc.Arbitrary<Args>,
  run: (model: Model, world: World, ...args: Args) => unknown,
  check: (model: Readonly<Model>, first: NoInfer<Args[0]>) => boolean = () => true,
): fc.Arbitrary<Command> =>
  args.map((given) => ({
    toString: () => `${name}(${given.join(", ")})`,
    check: (model) => check(model, given[0]),
    run: async (model, world) => void (await run(model, world, ...given)),
  }));

const slug = fc.constantFrom(...SLUGS);
const destination = fc.constantFrom(...DESTINATIONS);
const instance = fc.constantFrom(0, 1);
const who = fc.constantFrom<Who>(0, 1);
const kindOfHold = fc.constantFrom(...HOLDS);
const lives: fc.Arbitrary<ActiveWindow> = fc
  .tuple(
    fc.constantFrom(null, null, -100, 2, 30, 250),
    fc.constantFrom(null, 1, 3, 60, 400),
    fc.constantFrom(null, OVER),
  )
  .map(([begins, lasts, endedUrl]) => [begins, lasts === null ? null : (begins ?? 0) + lasts, endedUrl]);

const creations = commands("create", fc.tuple(slug, destination, instance, who), create);
const edits = commands(
  "edit",
  fc.tuple(slug, destination, instance),
  (model, world, s, to, i) => edit(model, world, s, { destination: to }, i),
  opensLink,
);
const ruleChanges = commands(
  "rule",
  fc.tuple(slug, fc.constantFrom(null, ...APPS), instance),
  (model, world, s, rule, i) => edit(model, world, s, { rule }, i),
  opensLink,
);
const beginsAndEnds = commands(
  "beginAndEnd",
  fc.tuple(slug, lives, instance),
  (model, world, s, activeWindow, i) => edit(model, world, s, lifeFrom(activeWindow), i),
  opensLink,
);
const groupChanges = commands("group", fc.tuple(lives), (model, _, [, end, endedUrl]) =>
  changeGroup(model, [null, end, endedUrl === null ? null : GROUPS_OVER]),
);
const renames = commands("rename", fc.tuple(slug, slug, instance), rename, opensLink);
const deletions = commands("delete", fc.tuple(slug, instance), remove, opensLink);
const reclaims = commands(
  "reclaim",
  fc.tuple(slug, destination, instance, who),
  create,
  (model, s) => model.opens[s] === null,
);
const takedowns = commands(
  "takeDown",
  fc.tuple(slug, instance),
  (model, world, s, i) => moderate(model, world, s, false, i),
  (model, s) => opensLink(model, s) && model.takenDown[s] === false,
);
const restorations = commands(
  "restore",
  fc.tuple(slug, instance),
  (model, world, s, i) => moderate(model, world, s, true, i),
  (model, s) => model.takenDown[s] === true,
);
const visits = commands("visit", fc.tuple(slug, instance), visit);
const memoryEvictions = commands("evictMemory", fc.tuple(instance), (model, world, i) => {
  world.instances[i] = world.bound.instance();
  for (const s of SLUGS) if (model.writers[s] === i) model.writers[s] = undefined;
});
const kvEvictions = commands("evictKv", fc.tuple(slug), (_, world, s) => env.KV.delete(world.key(s)));
const heldFills = commands(
  "heldFill",
  fc.tuple(slug, instance, fc.constantFrom<OperationName>("read", "put"), kindOfHold),
  async (model, world, s, i, name, kind) => {
    world.arm([name], kind);
    await visit(model, world, s, i);
    world.disarm();
  },
);
const heldPushes = commands(
  "heldPush",
  fc.tuple(slug, destination, instance, kindOfHold),
  async (model, world, s, to, i, kind) => {
    world.arm(["put"], kind);
    await edit(model, world, s, { destination: to }, i);
    world.disarm();
  },
  opensLink,
);
const releases = commands("release", fc.tuple(), (model, world) => world.release(model));
const seconds = fc.oneof(
  fc.integer({ min: 1, max: 10 }),
  fc.integer({ min: 20, max: 80 }),
  fc.integer({ min: 81, max: 400 }),
);
const waits = commands("wait", fc.tuple(seconds), (model, world, s) => world.elapse(model, s * 1000));
const sweeps = commands("sweep", fc.tuple(), async (_, world) => {
  const before = world.bound.fired();
  await world.sweep().catch((error: unknown) => {
    if (world.bound.fired() === before) throw error;
  });
});
const kinds = fc.constantFrom<readonly OperationName[]>(["read", "write"], ["get"], ["put"]);
const faults = commands("fault", fc.tuple(kinds, fc.constantFrom(...FAILURES)), (_, world, names, kind) =>
  world.arm(names, kind),
);

/** As KV has it: without a start and an end, where visitors go after the end does not matter. */
const shownFate = (fate: Fate | null): Fate | null =>
  fate !== TAKEN_DOWN && fate?.starts_at === null && fate.ends_at === null
    ? { ...fate, ended_url: null }
    : fate;

/** Releases held operations, ends faults, and runs two sweeps, the second for second pushes. */
async function settle(model: Model, world: World): Promise<void> {
  world.disarm();
  world.bound.heal();
  await world.release(model);
  vi.unstubAllGlobals();
  for (let times = 0; times < 2; times++) {
    vi.setSystemTime(Date.now() + 40_000);
    await world.sweep();
  }
  const rows = await truths(SLUGS.map((each) => world.key(each)));
  for (const each of SLUGS) {
    const row = rows.get(world.key(each));
    const text = await env.KV.get(world.key(each));
    const entry = parseEntry(text);
    const told = `address ${each}: KV ${text}, D1 ${JSON.stringify(row)}, model ${JSON.stringify(model.fateOf(each))}`;
    if (!isSame(row?.fate ?? null, model.ownOf(each)) || row?.link !== model.opens[each])
      throw new Error(told);
    if (row !== undefined && row.push_at !== null) throw new Error(`still due: ${told}`);
    if (text === null) continue;
    if (entry === undefined) throw new Error(told);
    const freshMs = entry.refreshAt - (entry.expiresAt - LEASE_MS);
    if (!FRESH_MS.includes(freshMs)) throw new Error(`fresh for ${freshMs} ms: ${told}`);
    const possible = model.fatesSince(each, entry.expiresAt - LEASE_MS).map(shownFate);
    const isTrue = possible.some((fate) => isSame(fate, fateIn(entry)));
    const link = row?.link ?? (row?.fate === TAKEN_DOWN ? "" : null);
    if (entry.rev !== row?.rev || !isTrue || entry.link !== link) throw new Error(told);
  }
}

it(`for random changes, visits, faults, held calls and sweeps every answer was true within the last 300 s, and KV ends up equal to D1, in ${RUNS} runs`, {
  timeout: LIMIT_MS + 10_000,
}, async () => {
  const sequences = fc.commands(
    [
      // Repeated entries are drawn more often.
      creations,
      creations,
      edits,
      ruleChanges,
      beginsAndEnds,
      beginsAndEnds,
      groupChanges,
      renames,
      deletions,
      deletions,
      reclaims,
      takedowns,
      restorations,
      visits,
      visits,
      visits,
      memoryEvictions,
      kvEvictions,
      heldFills,
      heldPushes,
      releases,
      waits,
      waits,
      sweeps,
      faults,
    ],
    { maxCommands: 16, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      vi.setSystemTime(start);
      await settleEverything();
      for (const { ws, group } of teams)
        await updateActivityGroup(ws.ctx, group, { ends_links: false, ended_url: null });
      hurry();
      const model = new Model();
      const world = new World();
      await fc.asyncModelRun(() => ({ model, real: world }), sequence);
      await settle(model, world);
    }),
    {
      numRuns: RUNS,
      ...(env.SEED === "" ? {} : { seed: Number(env.SEED) }),
      interruptAfterTimeLimit: LIMIT_MS,
      markInterruptAsFailure: true,
    },
  );
});
