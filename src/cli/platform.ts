import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GetPlatformProxyOptions, PlatformProxy } from "wrangler";
import { type Env, parseConfig, type ServiceContext, systemRandom } from "../context";
import { type Binding, createDatabase } from "../db/client";
import { isTransient } from "../db/failure";
import { sleep } from "../lib/sleep";
import { OFFLINE } from "./wrangler";

/** Written by `npm run deploy`: wrangler.toml with the ids of the account's own resources. */
export const DEPLOYED_CONFIG = ".wrangler.deploy.json";
export const LOCAL_STATE = join(".wrangler", "state");
export const LOCAL_PORT = 8787;
/** In the local state: where `npm run dev` serves it. */
const SERVED_AT = "served-at";
/** Stands in for `BASE_URL` of a deployment that has none: such an address is nobody's. */
export const NO_ADDRESS = "https://base-url-is-not-set.invalid";

export const noteOrigin = (persistTo: string, origin: string): void =>
  writeFileSync(join(persistTo, SERVED_AT), origin);

/** The origin at which `npm run dev` serves, or last served, the state. */
function localOrigin(persistTo: string): string {
  const file = join(persistTo, SERVED_AT);
  return existsSync(file) ? readFileSync(file, "utf8") : `http://localhost:${LOCAL_PORT}`;
}

export interface PlatformOptions {
  remote: boolean;
  /** Where `wrangler dev` keeps its local state. */
  persistTo: string;
}

export type OpenProxy = (
  options: GetPlatformProxyOptions,
) => Promise<Pick<PlatformProxy<Env>, "env" | "dispose">>;

// Loaded when it is needed: it takes a second, and a command that is typed wrongly shall not wait for it.
const openProxy: OpenProxy = async (options) => (await import("wrangler")).getPlatformProxy<Env>(options);

/** How wrangler is asked for the bindings: those of the local state, or the deployed ones. */
export function proxyOptions({ remote, persistTo }: PlatformOptions): GetPlatformProxyOptions {
  if (!remote) {
    return { configPath: "wrangler.toml", persist: { path: join(persistTo, "v3") }, remoteBindings: false };
  }
  if (!existsSync(DEPLOYED_CONFIG)) {
    throw new Error("Nothing is deployed from here yet: run `npm run deploy` first.");
  }
  return { configPath: DEPLOYED_CONFIG, persist: false, remoteBindings: true };
}

export interface Platform {
  ctx: ServiceContext;
  close: () => Promise<void>;
}

/** A command can wait: another process may hold the local database's file, and a connection may be lost. */
const PAUSES_MS = [50, 50, 100, 100, 200, 200, 400, 400, 800, 800, 1600];

/**
 * D1 whose statements are text and values, as its own hold them, until a batch takes them. Here its own would be proxies, and
 * each `prepare` and `bind` a request that blocks the process and, on a busy machine, may get the answer of another.
 */
export const withPlainStatements = (db: D1Database): Binding => ({
  prepare: (statement) => {
    const bind = (...params: unknown[]) => ({ statement, params });
    return { bind } as unknown as D1PreparedStatement;
  },
  batch: (statements) => db.batch(statements),
});

/** KV with every operation, since each may be repeated, repeated where its connection is lost. */
function patient(kv: KVNamespace): KVNamespace {
  return new Proxy(kv, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        for (let tries = 0; ; tries++) {
          try {
            return await Reflect.apply(value, target, args);
          } catch (error) {
            const pause = PAUSES_MS[tries];
            if (!isTransient(error) || pause === undefined) throw error;
            await sleep(pause);
          }
        }
      };
    },
  });
}

/** Opens the database and KV for the services; works beside a running `npm run dev` on the same state. */
export async function openPlatform(options: PlatformOptions, open: OpenProxy = openProxy): Promise<Platform> {
  Object.assign(process.env, OFFLINE);
  const { env, dispose } = await open(proxyOptions(options));
  const served = localOrigin(options.persistTo);
  const pending: Promise<unknown>[] = [];
  const ctx: ServiceContext = {
    db: createDatabase(withPlainStatements(env.DB), undefined, PAUSES_MS),
    kv: patient(env.KV),
    config: options.remote ? parseConfig(env, NO_ADDRESS) : { ...parseConfig(env, served), baseUrl: served },
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    waitUntil: (work) => pending.push(work),
  };
  const close = async () => {
    await Promise.allSettled(pending);
    await dispose();
  };
  return { ctx, close };
}
