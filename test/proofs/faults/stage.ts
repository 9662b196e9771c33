import { env } from "cloudflare:test";
import { vi } from "vitest";
import type { Context, Env } from "../../../src/context";
import { gate, OVERLOADED } from "../../faulty";
import { SHORT, type TestWorkspace, testEnv } from "../../harness";
import { overriding } from "../../overriding";
import { bindKv } from "../../places";
import { deleteAllRows } from "../../tables";
import { callOf, callService, dispatch, places, runJob, seenIn, visitOf } from "./bindings";

// The stage of a history: instances in places, what is out of order, and time, in which the job of every minute runs.

const LINKS = "/api/v1/links";
const MINUTE_MS = 60_000;
export const SHORT_NAME = new URL(SHORT).hostname;

/** What is out of order now. */
export const trouble = {
  d1: false,
  puts: false,
  deletes: false,
  /** Where puts are not seen, but are to take effect later. */
  late: undefined as (() => unknown)[] | undefined,
  /** Holds puts, before their effect. */
  heldPuts: undefined as Promise<unknown> | undefined,
  /** Holds D1's answers. */
  held: undefined as Promise<unknown> | undefined,
};
export const count = { puts: 0, deletes: 0, calls: 0 };
let hasJobs = true;
let epoch: string | undefined;

/** Empties D1 and KV, and stops the clock. */
export async function setStage(): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  places.clear();
  await deleteAllRows(env.DB);
  Object.assign(trouble, {
    d1: false,
    puts: false,
    deletes: false,
    late: undefined,
    heldPuts: undefined,
    held: undefined,
  });
  hasJobs = true;
  epoch = undefined;
}

export const stopJobs = () => {
  hasJobs = false;
};

/** What `npm run deploy -- --new-cache` does. */
export const deployNewCache = () => {
  epoch = crypto.randomUUID();
};

/** A new instance in a place. */
export function instanceIn(place: number): Env {
  const KV = bindKv(places, place, async (operation, _, run) => {
    if (operation === "get") return run();
    if (trouble[`${operation}s`]) throw new Error(`KV ${operation}() limit exceeded for the day.`);
    if (operation === "put" && trouble.late !== undefined) {
      trouble.late.push(run);
      return undefined as never;
    }
    if (operation === "put") await trouble.heldPuts;
    count[`${operation}s`]++;
    return run();
  });
  const DB = overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      count.calls++;
      if (trouble.d1) throw new Error(OVERLOADED);
      const { held } = trouble;
      const results = await env.DB.batch(statements);
      await held;
      return results;
    },
  });
  return { ...testEnv, DB, KV, ...(epoch !== undefined && { CACHE_EPOCH: epoch }) };
}

/** What a visitor sees; 503 if nothing. */
export async function visited(instance: Env, slug: string, host = SHORT_NAME): Promise<string> {
  const response = await dispatch(instance, visitOf(slug, `https://${host}`)).settled;
  return response.status === 503 ? "503" : seenIn(response);
}

/** Real time that an answer without D1 never takes. */
const PATIENCE_MS = 300;

/** Whether a visit to a new instance waits for D1. */
export async function waitsIn(place: number, slug: string): Promise<boolean> {
  const d1 = gate();
  trouble.held = d1.passed;
  const { answer, settled } = dispatch(instanceIn(place), visitOf(slug));
  const late = new Promise<undefined>((resolve) => void setTimeout(resolve, PATIENCE_MS));
  const first = await Promise.race([answer, late]);
  trouble.held = undefined;
  d1.open();
  await settled;
  return first === undefined;
}

const CRONS = instanceIn(0);

/** In a long time the job runs less often than every minute. */
const MOST_RUNS = 30;

/** Lets time pass, in which the job runs every minute and an instance goes on serving visitors. */
export async function pass(seconds: number, ...serving: Env[]): Promise<void> {
  const until = Date.now() + seconds * 1000;
  const stepMs = Math.max(MINUTE_MS, (seconds * 1000) / MOST_RUNS);
  while (Date.now() < until) {
    vi.setSystemTime(Math.min(until, Date.now() + stepMs));
    if (hasJobs && !trouble.d1) await runJob(CRONS);
    for (const instance of serving) await visited(instance, "nobody-has-this");
  }
}

async function call(instance: Env, ws: TestWorkspace, method: string, path: string, body?: object) {
  const response = await dispatch(instance, callOf(ws.key, method, path, body)).settled;
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

export async function create(instance: Env, ws: TestWorkspace, fields: object): Promise<string> {
  const response = await call(instance, ws, "POST", LINKS, { domain: SHORT_NAME, ...fields });
  return (await response.json<{ link: { id: string } }>()).link.id;
}

/** Sends an edit. Its answer comes before what waits behind it. */
export const beginEdit = (instance: Env, ws: TestWorkspace, id: string, fields: object) =>
  dispatch(instance, callOf(ws.key, "PATCH", `${LINKS}/${id}`, fields));

export const edit = (instance: Env, ws: TestWorkspace, id: string, fields: object) =>
  call(instance, ws, "PATCH", `${LINKS}/${id}`, fields);

export const remove = (instance: Env, ws: TestWorkspace, id: string) =>
  call(instance, ws, "DELETE", `${LINKS}/${id}`);

/** Runs a service in an instance. Returns the status. */
export async function act(instance: Env, own: Context, run: (ctx: Context) => Promise<unknown>) {
  const { status } = await dispatch(instance, callService(own, run)).settled;
  return status;
}
