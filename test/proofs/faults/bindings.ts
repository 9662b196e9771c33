import { env } from "cloudflare:test";
import { vi } from "vitest";
import { parseConfig } from "../../../src/config";
import type { Context, Env } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { ServiceError } from "../../../src/errors";
import worker from "../../../src/worker";
import { CONNECTION_LOST, gate, OVERLOADED } from "../../faulty";
import { API, SHORT, testEnv } from "../../harness";
import { overriding } from "../../overriding";
import { bindKv, createPlaces } from "../../places";

// Bindings whose operations fail or hang by a plan, and requests whose work after the answer is not awaited.

/** KV as all tests of a file see it. Their clock stands still for many writes, so they are not paced. */
export const places = createPlaces(() => Date.now(), false);

/** A read-only batch of D1, another batch, and the operations of KV. */
export type OperationName = "read" | "write" | "get" | "put" | "delete";

/**
 * `lost` is a D1 failure that is retried, `refused` one that is not. KV has one kind of failure. `after` means that
 * the operation took effect. What is held waits for `release`, before its effect or with its answer.
 */
export type Kind =
  | "lost before"
  | "lost after"
  | "refused before"
  | "refused after"
  | "held before"
  | "held after";

export const FAILURES: readonly Kind[] = ["lost before", "lost after", "refused before", "refused after"];
export const HOLDS: readonly Kind[] = ["held before", "held after"];

/** The fault of the operation with this number, from 0. Undefined means success. */
export type Plan = (number: number, name: OperationName) => Kind | undefined;

export type Bindings = ReturnType<typeof bindings>;

/** Bindings to the real D1 and a KV in places that fail by `plan` until healed. */
export function bindings(plan: Plan) {
  const trace: OperationName[] = [];
  let healthy = false;
  let fired = 0;
  let holding = 0;
  let hold = gate();
  let held = gate();

  async function go<T>(name: OperationName, run: () => Promise<T>): Promise<T> {
    if (healthy) return run();
    const kind = plan(trace.push(name) - 1, name);
    if (kind === undefined) return run();
    fired++;
    const [way, when] = kind.split(" ");
    if (way === "held") {
      const { passed } = hold;
      const done = when === "after" ? { result: await run() } : undefined;
      holding++;
      held.open();
      held = gate();
      await passed;
      return done === undefined ? run() : done.result;
    }
    if (when === "after") await run();
    if (name !== "read" && name !== "write") throw new Error("KV request failed: 503 Service Unavailable");
    throw new Error(way === "lost" ? CONNECTION_LOST : OVERLOADED);
  }

  const DB = overriding(env.DB, {
    batch: (statements: D1PreparedStatement[]) => go(nameOf(statements), () => env.DB.batch(statements)),
  });
  return {
    /** The names of the operations so far, in order. */
    trace,
    /** An instance of the Worker in a place, with an empty memory. */
    instance: (place = 0): Env => ({
      ...testEnv,
      DB,
      KV: bindKv(places, place, (operation, _, run) => go(operation, async () => run())),
    }),
    fired: () => fired,
    holding: () => holding,
    /** Resolves when the next operation is held. */
    nextHold: () => held.passed,
    release() {
      holding = 0;
      hold.open();
      hold = gate();
    },
    /** Ends all faults. Held operations stay held. */
    heal() {
      healthy = true;
    },
  };
}

const nameOf = (statements: D1PreparedStatement[]): OperationName =>
  (statements as (D1PreparedStatement & { statement: string })[]).every(({ statement }) =>
    statement.startsWith("select"),
  )
    ? "read"
    : "write";

export interface Sent {
  answer: Promise<Response>;
  /** Resolves with the answer when all work after it is done. */
  settled: Promise<Response>;
}

type Incoming = Parameters<typeof worker.fetch>[0];

/** A call of a service in the place of a request, for what no operation does. */
export type ServiceCall = (
  environment: Env,
  waitUntil: (work: Promise<unknown>) => void,
) => Promise<Response>;

/** Runs a service in the place of a request, with its errors as statuses. */
export const callService =
  (own: Context, run: (ctx: Context) => Promise<unknown>): ServiceCall =>
  async (environment, waitUntil) => {
    const db = createDatabase(environment.DB);
    const config = parseConfig(environment, API);
    // The workspace's own clock is real.
    const ctx = { ...own, db, config, kv: environment.KV, waitUntil, now: () => Date.now() };
    try {
      return Response.json(await run(ctx));
    } catch (error) {
      return new Response(null, { status: error instanceof ServiceError ? error.status : 500 });
    }
  };

/** Sends a request without waiting. */
export function dispatch(environment: Env, request: Request | ServiceCall): Sent {
  const behind: Promise<unknown>[] = [];
  const execution = {
    waitUntil: (work: Promise<unknown>) => void behind.push(work),
    passThroughOnException: () => undefined,
    props: {},
  };
  const answer = Promise.resolve(
    typeof request === "function"
      ? request(environment, execution.waitUntil)
      : worker.fetch(request as Incoming, environment, execution as unknown as ExecutionContext),
  );
  const settled = answer.then(async (response) => {
    for (let index = 0; index < behind.length; index++) await behind[index];
    return response;
  });
  return { answer, settled };
}

/** Real time limit of an answer that is not held, in milliseconds. */
const PATIENCE_MS = 100;

const realTimeout = globalThis.setTimeout;
const pause = (ms: number) => new Promise<undefined>((resolve) => realTimeout(() => resolve(undefined), ms));

/** Sends a request and waits until only held operations are left. `answer` is undefined if it is held too. */
export async function ask(bound: Bindings, environment: Env, request: Request | ServiceCall) {
  const wasHolding = bound.holding() > 0;
  const held = bound.nextHold().then(() => undefined);
  const { answer, settled } = dispatch(environment, request);
  const done = await Promise.race(wasHolding ? [settled, pause(PATIENCE_MS)] : [settled, held]);
  return { answer: done ?? (await Promise.race([answer, pause(PATIENCE_MS)])), settled };
}

/** A visit from a phone, which the rules of these tests are for. */
export const visitOf = (slug: string, host = SHORT): Request =>
  new Request(`${host}/${slug}`, {
    redirect: "manual",
    headers: { accept: "application/json", "user-agent": "Mozilla/5.0 (iPhone)" },
  });

/** What a visitor sees: where they are sent, or what the page says. */
export async function seenIn(response: Response): Promise<string> {
  const target = response.headers.get("location");
  return target ?? (await response.clone().json<{ message: string }>()).message;
}

/** What decides a visit of a link that is not taken down, as one moment has it. */
export interface OpenFate {
  destination: string;
  starts_at: number | null;
  /** The link's own end, or that of its group. */
  ends_at: number | null;
  ended_url: string | null;
  /** Where a rule leads phones; null without one. */
  rule: string | null;
}

export const UNKNOWN = "Not found.";
export const EARLY = "This link is not open yet.";
export const ENDED = "This link has ended.";
export const TAKEN_DOWN = "This link was taken down.";

export type Fate = OpenFate | typeof TAKEN_DOWN;

/** What a visitor must see at a time. */
export function fated(fate: Fate | null, now: number): string {
  if (fate === null) return UNKNOWN;
  if (fate === TAKEN_DOWN) return TAKEN_DOWN;
  if (fate.starts_at !== null && now < fate.starts_at) return EARLY;
  if (fate.ends_at === null || now < fate.ends_at) return fate.rule ?? fate.destination;
  return fate.ended_url ?? ENDED;
}

export const callOf = (
  key: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Request =>
  new Request(`${API}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const TIMES_FASTER = 40;

/** Makes the Worker's timers run faster, in order, until `vi.unstubAllGlobals`. */
export function hurry(): void {
  vi.stubGlobal("setTimeout", (work: () => void, ms = 0) => realTimeout(work, ms / TIMES_FASTER));
}

interface Row {
  key: string;
  workspace: number;
  rev: number;
  push_at: number | null;
  link: string | null;
  /** Whether it is the link's current address. */
  is_current: number;
  taken_down: number;
  destination: string | null;
  starts_at: number | null;
  ends_at: number | null;
  ended_url: string | null;
  rule: string | null;
}

/** Reads addresses by key from D1 directly. The active window is the link's own, without its group's. */
export async function truths(keys: readonly string[]) {
  const { results } = await env.DB.prepare(
    `select s.key, s.workspace_id as workspace, s.rev, s.push_at, l.public_id as link,
       l.slug_key is s.key as is_current, s.taken_down_at is not null as taken_down, l.destination_url as destination, l.starts_at, l.ends_at, l.ended_url, l.rules ->> '$[0].destination_url' as rule
     from slugs s left join links l on l.id = s.link_id where s.key in (select value from json_each(?))`,
  )
    .bind(JSON.stringify(keys))
    .all<Row>();
  return new Map(
    results.map(({ destination, starts_at, ends_at, ended_url, rule, taken_down, ...row }) => {
      const given = destination === null ? null : { destination, starts_at, ends_at, ended_url, rule };
      const fate: Fate | null = taken_down === 1 ? TAKEN_DOWN : given;
      return [row.key, { ...row, given, fate }];
    }),
  );
}

/** Empties KV, and settles the rows of earlier tests, so that no job finds them. */
export async function settleEverything(): Promise<void> {
  places.clear();
  await env.DB.prepare("update slugs set push_at = null where push_at is not null").run();
}

/** Runs the job of every minute in an instance. */
export async function runJob(environment: Env): Promise<void> {
  const behind: Promise<unknown>[] = [];
  const controller = { cron: "* * * * *", scheduledTime: Date.now(), noRetry: () => undefined };
  const waitUntil = (work: Promise<unknown>) => void behind.push(work);
  await worker.scheduled(controller, environment, { waitUntil } as ExecutionContext);
  await Promise.all(behind);
}

/** An instance in a place that has just started, while D1 refuses everything: it shows what KV has there. */
export const withoutD1In = (place: number): Env =>
  bindings((_, name) => (name === "read" || name === "write" ? "refused before" : undefined)).instance(place);

export const PLACES = [0, 1, 2] as const;
