import { env } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, beforeEach, it, vi } from "vitest";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { deleteAllRows } from "../../tables";
import {
  callOf,
  callService,
  dispatch,
  ENDED,
  FAILURES,
  fated,
  HOLDS,
  hurry,
  type OpenFate,
  type OperationName,
  PLACES,
  places,
  type ServiceCall,
  seenIn,
  TAKEN_DOWN,
  truths,
  visitOf,
  withoutD1In,
} from "./bindings";
import { INSTANCES, isSame, Model, SLUGS, type Who, WORKSPACES } from "./model";
import { block, moderate, suspend } from "./operator";
import { makeTeam, type Team, World } from "./world";

const RUNS = Number(env.RUNS || 500);
const MS_PER_RUN = 3_000;
/** After it the commands so far are printed. The first runs also load the application. */
const LIMIT_MS = RUNS * MS_PER_RUN + 60_000;
const LINKS = "/api/v1/links";

const DESTINATIONS = ["https://a.example/", "https://b.example/", "https://c.example/"] as const;
const APPS = ["https://apps.example/", "https://store.example/"] as const;
const OVER = "https://over.example/";
/** Of a destination, and of a rule. */
const BLOCKED = ["a.example", "apps.example"] as const;
const GROUPS_OVER = "https://group-over.example/";

/** Two workspaces with a domain each, new ones for each sequence. */
let teams: readonly [Team, Team];
let start: number;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  start = Date.now();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

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
  const hosts = await env.DB.prepare("select host from blocked_hosts").all<{ host: string }>();
  model.blocked.clear();
  for (const { host } of hosts.results) model.blocked.add(host);
  for (const who of WORKSPACES) {
    const { ws, group } = teams[who];
    const [own] = (
      await env.DB.prepare(
        `select suspended_at, iif(ends_links = 1, ends_at, null) as ends_at, ended_url
          from workspaces join activity_groups on activity_groups.public_id = ? where workspaces.id = ?`,
      )
        .bind(group, ws.ctx.workspace.rowId)
        .all<{ suspended_at: number | null; ends_at: number | null; ended_url: string | null }>()
    ).results;
    model.suspended[who] = own?.suspended_at != null;
    model.groups[who] = { ends_at: own?.ends_at ?? null, ended_url: own?.ended_url ?? null };
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
/** Whether its workspace is suspended, whose members can change nothing. */
const isSuspended = (model: Readonly<Model>, slug: number): boolean => {
  const who = model.owners[slug];
  return who !== undefined && model.suspended[who] === true;
};
const opensLink = (model: Readonly<Model>, slug: number): boolean => model.opens[slug] != null;
const canChange = (model: Readonly<Model>, slug: number): boolean =>
  opensLink(model, slug) && !isSuspended(model, slug);

async function create(
  model: Model,
  world: World,
  slug: number,
  destination: string,
  instance: number,
  who: Who,
) {
  if (model.suspended[who] === true) return;
  const { ws, group } = teams[who];
  const address = { slug: world.slug(slug), domain: world.host(slug) };
  const request = callOf(ws.key, "POST", LINKS, {
    destination_url: destination,
    ...address,
    activity_group_id: group,
  });
  const answer = await change(
    model,
    world,
    instance,
    request,
    model.isFree(slug, who) && !model.isBlocked(destination) ? 201 : 422,
  );
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
  // What a link has already is no change.
  const isRefused =
    (destination !== was.destination && model.isBlocked(destination ?? null)) ||
    (rule !== was.rule && model.isBlocked(rule ?? null));
  const answer = await change(model, world, instance, request, isRefused ? 422 : 200);
  if (answer?.status !== 200) return;
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

/** A group's change touches no link. */
async function changeGroup(
  model: Model,
  world: World,
  who: Who,
  activeWindow: ActiveWindow,
  instance: number,
) {
  const [, end, endedUrl] = activeWindow;
  const { ends_at, ended_url } = lifeFrom([null, end, endedUrl]);
  const { ws, group } = teams[who];
  // Without "links end with the group" its end does not count.
  const fields = { ends_at: ends_at ?? Date.now(), ends_links: ends_at !== null, ended_url };
  const call = callService(ws.ctx, (ctx) => updateActivityGroup(ctx, group, fields));
  if ((await change(model, world, instance, call, 200)) === undefined) return;
  model.groups[who] = { ends_at, ended_url };
  model.record(instance);
}

async function changeSuspension(model: Model, world: World, who: Who, instance: number) {
  const isEnd = model.suspended[who] === true;
  if ((await change(model, world, instance, suspend(teams[who].ws.ctx, isEnd), 200)) === undefined) return;
  model.suspended[who] = !isEnd;
  model.record(instance);
}

async function changeBlock(model: Model, world: World, host: string, instance: number) {
  const isEnd = model.blocked.has(host);
  if ((await change(model, world, instance, block(teams[0].ws.ctx, host, isEnd), 200)) === undefined) return;
  if (isEnd) model.blocked.delete(host);
  else model.blocked.add(host);
  model.record(instance);
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
async function changeTakedown(model: Model, world: World, slug: number, isEnd: boolean, instance: number) {
  const link = model.opens[slug];
  const named = link ?? world.key(slug);
  const call = moderate(teams[0].ws.ctx, named, isEnd);
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
    const told = `${response.status} ${response.headers.get("x-cache")} ${shown} on instance ${instance}`;
    if (response.status === 503) {
      if (!hadFault) throw new Error(`${told} without a fault`);
      return;
    }
    const status = shown.startsWith("https:") ? 302 : shown === ENDED ? 410 : 404;
    if (response.status !== status) throw new Error(told);
    if (!model.maySee(slug, shown, instance, askedAt, hadFault))
      throw new Error(`${told} was not true: ${JSON.stringify(model.history[slug])} at ${askedAt}`);
    const isAtOnce = answer !== undefined && writer === instance && !hadFault;
    if (isAtOnce && shown !== expected) throw new Error(`${told}, but this instance made it ${expected}`);
  };

  if (answer === undefined) world.later(settled.then(check));
  else await check(answer);
  model.visited(instance, askedAt, hadFault);
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
const instance = fc.constantFrom(...INSTANCES);
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
  canChange,
);
const ruleChanges = commands(
  "rule",
  fc.tuple(slug, fc.constantFrom(null, ...APPS), instance),
  (model, world, s, rule, i) => edit(model, world, s, { rule }, i),
  canChange,
);
const beginsAndEnds = commands(
  "beginAndEnd",
  fc.tuple(slug, lives, instance),
  (model, world, s, activeWindow, i) => edit(model, world, s, lifeFrom(activeWindow), i),
  canChange,
);
const groupChanges = commands("group", fc.tuple(who, lives, instance), (model, world, team, life, i) =>
  changeGroup(model, world, team, [null, life[1], life[2] === null ? null : GROUPS_OVER], i),
);
const suspensions = commands("suspendOrResume", fc.tuple(who, instance), changeSuspension);
const blocks = commands("blockOrUnblock", fc.tuple(fc.constantFrom(...BLOCKED), instance), changeBlock);
const renames = commands("rename", fc.tuple(slug, slug, instance), rename, canChange);
const deletions = commands("delete", fc.tuple(slug, instance), remove, canChange);
const reclaims = commands(
  "reclaim",
  fc.tuple(slug, destination, instance, who),
  create,
  (model, s) => model.opens[s] === null,
);
const takedowns = commands(
  "takeDown",
  fc.tuple(slug, instance),
  (model, world, s, i) => changeTakedown(model, world, s, false, i),
  (model, s) => opensLink(model, s) && model.takenDown[s] === false,
);
const restorations = commands(
  "restore",
  fc.tuple(slug, instance),
  (model, world, s, i) => changeTakedown(model, world, s, true, i),
  (model, s) => model.takenDown[s] === true,
);
const visits = commands("visit", fc.tuple(slug, instance), visit);
const restarts = commands("restart", fc.tuple(instance), (_, world, i) => world.restart(i));
const kvEvictions = commands("evictKv", fc.tuple(slug), (_, world, s) => {
  for (const key of places.newest().keys()) if (key.endsWith(world.key(s))) places.lose(key);
});
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
  canChange,
);
const releases = commands("release", fc.tuple(), (_, world) => world.release());
const seconds = fc.oneof(
  fc.integer({ min: 1, max: 10 }),
  fc.integer({ min: 20, max: 80 }),
  fc.integer({ min: 81, max: 400 }),
  fc.constant(3_700),
);
const waits = commands("wait", fc.tuple(seconds), (_, world, s) => world.elapse(s * 1000));
const jobs = commands("job", fc.tuple(), async (_, world) => {
  const before = world.bound.fired();
  await world.runJob().catch((error: unknown) => {
    if (world.bound.fired() === before) throw error;
  });
});
const kinds = fc.constantFrom<readonly OperationName[]>(
  ["read", "write"],
  ["get"],
  ["put"],
  ["put", "delete"],
);
const faults = commands("fault", fc.tuple(kinds, fc.constantFrom(...FAILURES)), (_, world, names, kind) =>
  world.arm(names, kind),
);

/** The first write, the second one after 45 s, and time for both. */
const RUNS_OF_JOB = 4;
const SPREAD_MS = 180_000;

/** Releases held operations, ends faults and runs the job until KV has everything. Then D1 equals the model, and KV shows it. */
async function settle(model: Model, world: World): Promise<void> {
  world.disarm();
  world.bound.heal();
  await world.release();
  vi.unstubAllGlobals();
  for (let runs = 0; runs < RUNS_OF_JOB; runs++) {
    await world.runJob();
    vi.setSystemTime(Date.now() + 50_000);
  }
  vi.setSystemTime(Date.now() + SPREAD_MS);
  const rows = await truths(SLUGS.map((each) => world.key(each)));
  for (const each of SLUGS) {
    const row = rows.get(world.key(each));
    const told = `address ${each}: D1 ${JSON.stringify(row)}, model ${JSON.stringify(model.fateOf(each))}`;
    if (!isSame(row?.fate ?? null, model.ownOf(each)) || row?.link !== model.opens[each])
      throw new Error(told);
    if (row !== undefined && row.push_at !== null) throw new Error(`still due: ${told}`);
    const expected = fated(model.fateOf(each), Date.now());
    for (const place of PLACES) {
      const request = visitOf(world.slug(each), `https://${world.host(each)}`);
      const response = await dispatch(withoutD1In(place), request).settled;
      const shown = await seenIn(response);
      if (response.status !== 503 && shown !== expected)
        throw new Error(`KV shows ${shown} in place ${place}: ${told}`);
    }
  }
}

/** Most sequences begin with links that KV shows everywhere. */
async function furnish(model: Model, world: World, destinations: readonly (string | undefined)[]) {
  for (const [each, to] of destinations.entries()) {
    if (to === undefined) continue;
    await create(model, world, each, to, 0, each === 2 ? 1 : 0);
    for (const i of [0, 1]) await visit(model, world, each, i);
  }
  await world.elapse(SPREAD_MS);
}

it(`for random changes, visits, faults, held calls and jobs every visitor sees what the promise allows, and KV ends up equal to D1, in ${RUNS} runs`, {
  timeout: LIMIT_MS + 10_000,
}, async () => {
  const furniture = fc.tuple(
    ...SLUGS.map(() => fc.constantFrom(undefined, ...DESTINATIONS, ...DESTINATIONS)),
  );
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
      suspensions,
      blocks,
      renames,
      deletions,
      deletions,
      reclaims,
      takedowns,
      restorations,
      ...Array.from({ length: 10 }, () => visits),
      restarts,
      kvEvictions,
      heldFills,
      heldPushes,
      releases,
      waits,
      waits,
      jobs,
      faults,
    ],
    { maxCommands: 24, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(furniture, sequences, async (destinations, sequence) => {
      vi.setSystemTime(start);
      places.clear();
      await deleteAllRows(env.DB);
      teams = [await makeTeam(), await makeTeam()];
      hurry();
      const model = new Model();
      const world = new World(teams, model);
      await furnish(model, world, destinations);
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
