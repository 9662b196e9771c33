import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { vi } from "vitest";
import { createApiKey } from "../src/access/keys";
import { parseConfig } from "../src/config";
import { type Env, type ServiceContext, systemRandom, type WorkspaceContext } from "../src/context";
import { createDatabase } from "../src/db/client";
import type { ActivityGroup, NewActivityGroup } from "../src/resources/activity-groups/group-schema";
import { createActivityGroup } from "../src/resources/activity-groups/manage-groups";
import type { Link } from "../src/resources/links/link-schema";
import type { Tag } from "../src/resources/tags/tag-schema";
import { createWorkspace, getWorkspace } from "../src/resources/workspaces/workspace-service";
import worker from "../src/worker";
import { overriding } from "./overriding";

type IncomingRequest = Parameters<typeof worker.fetch>[0];

export const API = "https://api.example";
export const SHORT = "https://s.example";

const {
  KEY_RATE: _key,
  PERSON_RATE: _person,
  CALLER_WORK: _caller,
  WORKSPACE_WORK: _workspace,
  REPORT_WORK: _report,
  AUTH_FAILURE_RATE: _failure,
  UNKNOWN_SLUG_RATE: _slug,
  PASSKEY_RATE: _passkey,
  ...unlimited
} = env;

/**
 * The environment of every test: wrangler.toml with two public hosts, no clicks and no rate limits, which only fast
 * machines would reach.
 */
export const testEnv: Env = {
  ...unlimited,
  BASE_URL: API,
  SHORT_BASE_URL: SHORT,
  ABUSE_CONTACT: "abuse@s.example",
  CLICK_PACK_SECONDS: "0",
};

/** Sends a request to the Worker's entry, and waits for the whole answer and the work after it. */
export async function send(request: Request, environment: Env = testEnv): Promise<Response> {
  const execution = createExecutionContext();
  const response = await worker.fetch(request as IncomingRequest, environment, execution);
  const body = response.body === null ? null : await response.arrayBuffer();
  await waitOnExecutionContext(execution);
  return new Response(body, response);
}

/** The environment of another instance of the Worker. Memory is kept per KV binding. */
export const otherInstance = (environment: Env = testEnv): Env => ({
  ...environment,
  KV: overriding(environment.KV),
});

/** The name of a slug's value in KV, and the value. */
export const kvName = (key: string): string => `1:${key.toLowerCase()}`;
export const kvValue = (key: string) => env.KV.get<Record<string, unknown>>(kvName(key), "json");

/** Visits a path of the short host like a browser, in a new instance. Does not follow redirects. */
export const visit = (
  path: string,
  init: RequestInit = {},
  environment: Env = otherInstance(),
): Promise<Response> => send(new Request(`${SHORT}${path}`, { redirect: "manual", ...init }), environment);

export const serviceContext = (environment: Env = testEnv): ServiceContext => ({
  db: createDatabase(environment.DB),
  kv: environment.KV,
  config: parseConfig(environment, API),
  actor: "operator",
  now: Date.now,
  random: systemRandom,
  waitUntil: () => undefined,
});

export interface Call {
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string | Uint8Array;
  headers?: Record<string, string | null>;
  env?: Env;
}

/** A response with its body: parsed if it is JSON, else text, null if empty. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

let workspaces = 0;

/** A new workspace with a full key, and functions to act in it. */
export async function makeWorkspace(options: { linkLimit?: number } = {}) {
  const number = ++workspaces;
  const slug = `ws-${number}-${crypto.randomUUID().slice(0, 8)}`;
  const ctx = serviceContext();
  await createWorkspace(ctx, {
    name: `Workspace ${number}`,
    slug,
    ...(options.linkLimit === undefined ? {} : { link_limit: options.linkLimit }),
  });
  const own: WorkspaceContext = { ...ctx, workspace: await getWorkspace(ctx, slug) };
  const { key, id: keyId } = await createApiKey(own, { name: "test" });

  /** Calls an operation with the workspace's key. A null header is not sent. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
  async function call<Body = any>(method: string, path: string, request: Call = {}): Promise<Answer<Body>> {
    const headers = new Headers({ authorization: `Bearer ${key}`, accept: "application/json" });
    const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    if (body !== undefined) headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    const response = await send(
      new Request(`${API}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      request.env ?? testEnv,
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) : text === "" ? null : text,
    };
  }

  async function created<Body>(path: string, body: object, name: string): Promise<Body> {
    const answer = await call("POST", path, { body });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body[name];
  }

  return {
    slug,
    key,
    keyId,
    ctx: own,
    call,
    link: (fields: object = {}): Promise<Link> =>
      created("/api/v1/links", { destination_url: "https://www.example.com/", ...fields }, "link"),
    tag: (fields: object = {}): Promise<Tag> =>
      created("/api/v1/tags", { name: `Tag ${crypto.randomUUID().slice(0, 8)}`, ...fields }, "tag"),
    group: (fields: Partial<NewActivityGroup> = {}): Promise<ActivityGroup> =>
      createActivityGroup(own, {
        name: "Group",
        slug: `group-${crypto.randomUUID().slice(0, 8)}`,
        type: "campaign",
        ...fields,
      }),
  };
}

export type TestWorkspace = Awaited<ReturnType<typeof makeWorkspace>>;

/** Bindings that count calls of D1 and KV. A batch is one call. */
export function counted(environment: Env = testEnv) {
  const trips = { d1: 0, kvReads: 0, kvWrites: 0 };
  const count = <T extends object>(target: T, calls: Partial<Record<string, keyof typeof trips>>): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const counter = calls[String(name)];
          if (counter !== undefined) trips[counter]++;
          const result: unknown = Reflect.apply(value, object, args);
          const isStatement = name === "prepare" || name === "bind";
          return isStatement
            ? count(result as object, { all: "d1", first: "d1", run: "d1", raw: "d1" })
            : result;
        };
      },
    });
  const db = count(environment.DB, { batch: "d1", exec: "d1", dump: "d1" });
  return {
    env: { ...environment, DB: db, KV: count(environment.KV, { get: "kvReads", put: "kvWrites" }) },
    trips,
  };
}

/** From here on a timer is the longest wait for D1, which answers at once, or that of `waitOnExecutionContext`. */
const D1_WAIT_MS = 7_000;

/** Makes timers of `atLeast` milliseconds end at once until `done`, which returns their total. */
export function hurry(atLeast = 0) {
  const { setTimeout: usual } = globalThis;
  let asked = 0;
  vi.stubGlobal("setTimeout", (run: () => void, ms = 0) => {
    if (ms < atLeast || ms >= D1_WAIT_MS) return usual(run, ms);
    asked += ms;
    return usual(run, 0);
  });
  return {
    done: (): number => {
      vi.unstubAllGlobals();
      return asked;
    },
  };
}
