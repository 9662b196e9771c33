import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/context";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { addDomain, setPrimaryDomain } from "../../../src/resources/domains/domain-service";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { makeWorkspace, SHORT, type TestWorkspace } from "../../harness";
import { WHOLE_MS } from "../../interruption";
import {
  ask,
  bindings,
  callOf,
  callService,
  dispatch,
  FAILURES,
  type Fate,
  fated,
  HOLDS,
  hurry,
  type Kind,
  type OperationName,
  PLACES,
  runJob,
  type ServiceCall,
  settleEverything,
  truths,
  visitOf,
  withoutD1In,
} from "./bindings";

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";
const MOVED = "https://www.example.com/moved";
const LINKS = "/api/v1/links";
const SHORT_NAME = new URL(SHORT).hostname;

let ws: TestWorkspace;
let second: TestWorkspace;
/** The primary domain of each workspace. */
let domain: string;
let secondDomain: string;

async function withDomain(): Promise<readonly [TestWorkspace, string]> {
  const made = await makeWorkspace();
  const { host } = await addDomain(made.ctx, `go.${made.slug}.example`, true);
  await setPrimaryDomain(made.ctx, host);
  return [made, host];
}
beforeAll(async () => {
  [ws, domain] = await withDomain();
  [second, secondDomain] = await withDomain();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await settleEverything();
  await ws.call("GET", LINKS);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const elapse = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

/** Three ways to lead visitors elsewhere: by another destination, an end and where visitors go then, or a rule. */
const EDITS = {
  destination: { destination_url: NEW },
  end: { ends_at: "2020-01-01T00:00:00.000Z", ended_url: NEW },
  rule: { rules: [{ destination_url: NEW, devices: ["ios"] }] },
} as const;

type Edit = keyof typeof EDITS;

/** The target that a visitor gets: null for a 404, undefined if it is unknown. */
function seen(response: Response): string | null | undefined {
  if (response.status === 503) return undefined;
  return response.headers.get("location");
}

/** When held calls continue: after the next step, the last step, or half a minute later. */
type Release = "next" | "last" | "late";

interface Faults {
  plan: ReadonlyMap<number, Kind>;
  edit: Edit;
  release?: Release;
}

const named = ({ plan, edit, release }: Faults): string =>
  `${edit}: ${[...plan].map(([number, kind]) => `${number} ${kind}`).join(", ")}${release ? ` until ${release}` : ""}`;

/**
 * What a story visits: a slug on the short host or on the workspace's domain, or the code of an asset, which is on the domain.
 * Beside one on the domain, the same slug is that of another link on the short host and on the other workspace's domain.
 */
type Visited = "slug" | "slug on a domain" | "code";

/** Moves an asset to a link, as the web application and the operator's command do. */
const moveTo = (asset: string, link: string): ServiceCall =>
  callService(ws.ctx, (ctx) => updateAsset(ctx, asset, { link }));

/**
 * Runs create, visit, edit, visit, delete, visit. Of a code: visit, edit the link, visit, move the asset, visit, delete
 * the other link, visit. One instance writes, and both are visited, in two places.
 */
async function tell(faults: Faults, what: Visited = "slug") {
  const bound = bindings((number) => faults.plan.get(number));
  const writer = bound.instance();
  const other = bound.instance(1);
  const slug = `f-${crypto.randomUUID()}`;
  const host = what === "slug" ? SHORT_HOST : domain;
  const urlOf = (name: string) => `https://${name === SHORT_HOST ? SHORT_NAME : name}`;
  const neighbours: { name: string; target: string }[] = [];
  const idempotencyKey = crypto.randomUUID();
  const wrong: string[] = [];
  const open: Promise<Response>[] = [];
  let visited = slug;
  let possible = new Set<string | null>([null]);
  const ever = new Set<string | null>([null]);
  let released = false;
  let isPushed = true;

  async function step(environment: Env, request: Request | ServiceCall): Promise<Response | undefined> {
    const before = bound.fired();
    const wasHolding = bound.holding() > 0;
    const { answer, settled } = await ask(bound, environment, request);
    open.push(settled);
    if (answer !== undefined && answer.status >= 500 && bound.fired() === before && !wasHolding) {
      const name = typeof request === "function" ? "the move" : request.method;
      wrong.push(`${name} ${answer.status} without a fault`);
    }
    if (wasHolding && faults.release === "next") await releaseAll();
    return answer;
  }

  async function releaseAll() {
    released ||= bound.holding() > 0;
    bound.release();
    await Promise.all(open);
  }

  /** Sends a change, and retries it once if it failed. Returns true if it was confirmed. */
  async function change(
    target: string | null,
    request: () => Request | ServiceCall,
  ): Promise<Response | undefined> {
    ever.add(target);
    possible.add(target);
    for (let tries = 1; ; tries++) {
      const answer = await step(writer, request());
      // The retry of a change that took effect finds nothing to do, so the job writes it to KV.
      isPushed &&= answer?.ok === true;
      if (answer?.ok) possible = new Set([target]);
      if (answer === undefined || answer.ok || answer.status < 500 || tries === 2) return answer;
    }
  }

  async function visits() {
    for (const [environment, allowed, name] of [
      [writer, released || !isPushed ? ever : possible, "writer"],
      [other, ever, "other"],
    ] as const) {
      const answer = await step(environment, visitOf(visited, urlOf(host)));
      const target = answer && seen(answer);
      if (target !== undefined && !allowed.has(target)) wrong.push(`the ${name} showed ${target}`);
      for (const neighbour of neighbours) {
        const beside = await step(environment, visitOf(visited, urlOf(neighbour.name)));
        const shown = beside && seen(beside);
        if (shown !== undefined && shown !== neighbour.target)
          wrong.push(`${neighbour.name} showed ${shown}`);
      }
    }
  }

  const create = () =>
    callOf(
      ws.key,
      "POST",
      LINKS,
      { destination_url: OLD, slug, domain: host === SHORT_HOST ? SHORT_NAME : host, title: slug },
      { "idempotency-key": idempotencyKey },
    );
  /** Creates the link and the asset without faults. */
  async function codeStory(): Promise<void> {
    const link = await ws.link({ destination_url: OLD, title: slug });
    const next = await ws.link({ destination_url: MOVED });
    const asset = await createAsset(ws.ctx, { name: slug, link: link.id });
    visited = asset.code ?? "";
    possible = new Set([OLD]);
    ever.clear();
    ever.add(OLD);
    await visits();
    await change(NEW, () => callOf(ws.key, "PATCH", `${LINKS}/${link.id}`, EDITS[faults.edit]));
    await visits();
    const moved = await change(MOVED, () => moveTo(asset.id, next.id));
    await visits();
    const deleted = await change(null, () => callOf(ws.key, "DELETE", `${LINKS}/${next.id}`));
    // The deletion may overtake a held move, which is then refused.
    if (moved === undefined && deleted?.ok) possible.add(NEW);
    await visits();
  }

  /** Creates the links with the same slug on other hosts without faults. */
  async function makeNeighbours(): Promise<void> {
    for (const [own, name] of [
      [ws, SHORT_HOST],
      [second, secondDomain],
    ] as const) {
      const target = `https://www.example.com/${name}`;
      await own.link({ destination_url: target, slug, domain: name === SHORT_HOST ? SHORT_NAME : name });
      neighbours.push({ name, target });
    }
  }

  let created: Response | undefined;
  if (what === "slug on a domain") await makeNeighbours();
  if (what === "code") await codeStory();
  else {
    created = await change(OLD, create);
    await visits();
    if (created === undefined) {
      await releaseAll();
      created = await open[0];
    }
  }
  if (created?.status === 201) {
    possible = new Set([OLD]);
    const { link } = await created.clone().json<{ link: { id: string } }>();
    const path = `${LINKS}/${link.id}`;
    await change(NEW, () => callOf(ws.key, "PATCH", path, EDITS[faults.edit]));
    await visits();
    await change(null, () => callOf(ws.key, "DELETE", path));
    await visits();
  }

  if (faults.release === "last") await releaseAll();

  return {
    name: named(faults),
    faults,
    slug,
    visited,
    host: urlOf(host),
    key: slugKey(host, visited),
    isCreated: what === "code" || created?.status === 201,
    trace: bound.trace,
    wrong,
    possible,
    create,
    async end() {
      bound.heal();
      await releaseAll();
    },
  };
}

type Story = Awaited<ReturnType<typeof tell>>;

const AT_ONCE = 12;

async function tellAll(plans: readonly Faults[], what?: Visited): Promise<Story[]> {
  hurry();
  const stories: Story[] = [];
  const waiting = [...plans];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let faults = waiting.pop(); faults !== undefined; faults = waiting.pop()) {
        stories.push(await tell(faults, what));
      }
    }),
  );
  return stories;
}

/** Where visitors are sent now, or null. */
const targetOf = (fate: Fate | null): string | null => {
  const shown = fated(fate, Date.now());
  return shown.startsWith("https:") ? shown : null;
};

const healthy = (place = 0) => bindings(() => undefined).instance(place);

async function linksByTitle(stories: readonly Story[]): Promise<Map<string, number>> {
  const { results } = await env.DB.prepare(
    "select title, count(*) as links from links where title in (select value from json_each(?)) group by title",
  )
    .bind(JSON.stringify(stories.map(({ slug }) => slug)))
    .all<{ title: string; links: number }>();
  return new Map(results.map((row) => [row.title, row.links]));
}

/** Checks that a story's link exists at most once, and exactly once if its creation was confirmed. */
async function wrongLinks(stories: readonly Story[]): Promise<string[]> {
  const before = await linksByTitle(stories);
  const answers = new Map<string, number>();
  for (const { create, slug, isCreated } of stories) {
    answers.set(slug, isCreated ? 201 : (await dispatch(healthy(), create()).settled).status);
  }
  const after = await linksByTitle(stories);
  return stories.flatMap(({ name, slug }) => {
    const [most, exactly, status] = [before.get(slug) ?? 0, after.get(slug) ?? 0, answers.get(slug)];
    return most <= 1 && exactly === 1 && status === 201
      ? []
      : [`${name}: ${most} links, then ${exactly} after ${status}`];
  });
}

/** Lists a story's wrong answers, and where D1 differs from confirmed changes. */
async function wrongInD1(stories: readonly Story[]): Promise<string[]> {
  const rows = await truths(stories.map(({ key }) => key));
  return stories.flatMap(({ name, key, wrong, possible }) => {
    const target = targetOf(rows.get(key)?.fate ?? null);
    const lost = possible.has(target) ? [] : [`D1 has ${target}`];
    return [...wrong, ...lost].map((what) => `${name}: ${what}`);
  });
}

const dueIn = async (keys: readonly string[]): Promise<string[]> =>
  [...(await truths(keys))].flatMap(([key, { push_at }]) => (push_at === null ? [] : [key]));

/** Lists what an instance that has just started shows from KV alone, if that is not the truth. Unknown is what KV does not have. */
async function wrongInKv(stories: readonly Story[]): Promise<string[]> {
  const rows = await truths(stories.map(({ key }) => key));
  const wrong: string[] = [];
  for (const { name, visited, host, key } of stories) {
    if (rows.get(key)?.push_at != null) wrong.push(`${name}: still due`);
    const truth = targetOf(rows.get(key)?.fate ?? null);
    for (const place of PLACES) {
      const shown = seen(await dispatch(withoutD1In(place), visitOf(visited, host)).settled);
      if (shown !== undefined && shown !== truth)
        wrong.push(`${name}: KV shows ${shown} in place ${place}, not ${truth}`);
    }
  }
  return wrong;
}

/** What instances show that began to serve visitors a minute ago, while no job runs. */
async function wrongAfterAMinute(stories: readonly Story[]): Promise<string[]> {
  const served = stories.map((story) => ({ story, environment: healthy(1) }));
  for (const { story, environment } of served)
    await dispatch(environment, visitOf(story.visited, story.host)).settled;
  elapse(61);
  const rows = await truths(stories.map(({ key }) => key));
  const wrong: string[] = [];
  for (const { story, environment } of served) {
    const { name, visited, host, key } = story;
    const shown = seen(await dispatch(environment, visitOf(visited, host)).settled);
    const truth = targetOf(rows.get(key)?.fate ?? null);
    if (shown !== truth) wrong.push(`${name}: shows ${shown} after a minute, not ${truth}`);
  }
  return wrong;
}

/** A run of the job writes a limited number of slugs, and there are more stories. */
const MOST_RUNS = 20;
const SPREAD_SECONDS = 180;

/**
 * Lists the errors of stories with these faults: during the story, on instances that have served visitors for a minute without a
 * job, and in KV after the job has written everything twice and KV has spread it.
 */
async function whatGoesWrong(stories: readonly Story[]): Promise<string[]> {
  const wrong = await wrongInD1(stories);
  elapse(29);
  for (const story of stories) await story.end();
  vi.unstubAllGlobals();
  wrong.push(...(await wrongAfterAMinute(stories)));
  const keys = stories.map(({ key }) => key);
  for (let runs = 0; runs < MOST_RUNS && (await dueIn(keys)).length > 0; runs++) {
    await runJob(healthy());
    elapse(60);
  }
  elapse(SPREAD_SECONDS);
  return [...wrong, ...(await wrongInKv(stories)), ...(await wrongLinks(stories))];
}

/** The operations of a story without faults. */
async function operations(what?: Visited): Promise<OperationName[]> {
  const { trace, wrong } = await tell({ plan: new Map(), edit: "end" }, what);
  expect(wrong).toEqual([]);
  return trace;
}

/** When a held call continues. */
const RELEASES: readonly Release[] = ["next", "last", "late"];

const edits = Object.keys(EDITS) as Edit[];
/** The edit whose turn it is. */
const editIn = (turn: number): Edit => edits[turn % edits.length] ?? "destination";

/** The distinct failures of this operation. KV has only one. */
const failuresOf = (name: OperationName): readonly Kind[] =>
  name === "get" || name === "put" ? ["refused before", "refused after"] : FAILURES;

/** The failures to combine. A read fails in one way, since it has no effect. D1's two kinds take turns. */
function failuresInPairs(name: OperationName, turn: number): readonly Kind[] {
  if (name === "get") return ["refused before"];
  if (name === "put") return ["refused before", "refused after"];
  const way = turn % 2 === 0 ? "lost" : "refused";
  return name === "read" ? [`${way} before`] : [`${way} before`, `${way} after`];
}

/**
 * One fault for each operation, of every kind. A write meets every kind with each edit. The edits take turns at the other
 * operations, so that each of them and each kind meets all.
 */
const singleFaults = (names: readonly OperationName[]): Faults[] =>
  names.flatMap((name, number) => {
    const kinds: Omit<Faults, "edit">[] = [
      ...failuresOf(name).map((kind) => ({ plan: new Map([[number, kind]]) })),
      ...HOLDS.flatMap((kind) => RELEASES.map((release) => ({ plan: new Map([[number, kind]]), release }))),
    ];
    return kinds.flatMap((faults, turn): Faults[] =>
      (name === "write" ? edits : [editIn(number + turn)]).map((edit) => ({ ...faults, edit })),
    );
  });

it("a story of a code, whose link is edited, left and deleted, shows no wrong target and recovers if any single operation fails or is held", {
  timeout: WHOLE_MS,
}, async () => {
  const stories = await tellAll(singleFaults(await operations("code")), "code");
  expect(await whatGoesWrong(stories)).toEqual([]);
});

describe("a story of create, edit and delete shows no wrong target, applies every change once and recovers", () => {
  it("if any single operation fails or is held, on a domain, beside the same slug on other hosts", {
    timeout: WHOLE_MS,
  }, async () => {
    const what = "slug on a domain";
    expect(await whatGoesWrong(await tellAll(singleFaults(await operations(what)), what))).toEqual([]);
  });

  it("if any two operations fail, before or after their effect", {
    timeout: WHOLE_MS,
  }, async () => {
    const firsts = (await operations()).flatMap((name, number) =>
      failuresInPairs(name, number).map(
        (kind, turn): Faults => ({ plan: new Map([[number, kind]]), edit: editIn(number + turn) }),
      ),
    );
    const stories = await tellAll(firsts);
    // The first failure lengthens the story by its retries.
    const pairs = stories.flatMap(({ faults, trace }) => {
      const first = Math.max(...faults.plan.keys());
      return trace.flatMap((name, number) =>
        number <= first
          ? []
          : failuresInPairs(name, Math.floor((first + number) / 2)).map((kind) => ({
              plan: new Map([...faults.plan, [number, kind] as const]),
              edit: editIn(number),
            })),
      );
    });
    stories.push(...(await tellAll(pairs)));
    expect(await whatGoesWrong(stories)).toEqual([]);
  });
});
