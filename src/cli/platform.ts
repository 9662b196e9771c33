import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GetPlatformProxyOptions, PlatformProxy } from "wrangler";
import { type Env, parseConfig, type ServiceContext, systemRandom } from "../context";
import { createDatabase } from "../db/client";
import { OFFLINE } from "./wrangler";

/** Written by `npm run deploy`: wrangler.toml with the ids of the account's own resources. */
export const DEPLOYED_CONFIG = ".wrangler.deploy.json";
export const LOCAL_STATE = join(".wrangler", "state");
export const LOCAL_PORT = 8787;

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

const LOCKED = /SQLITE_BUSY|internal error; reference/;
const PATIENCE_MS = 5000;
const PAUSE_MS = 50;

/**
 * The database for a command that can wait: a server on the same local state may hold the file for a moment.
 * A batch begins with its audit row, so that a repeat never takes effect twice.
 */
export function patient(db: D1Database): D1Database {
  async function batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await db.batch<T>(statements);
      } catch (error) {
        const text = error instanceof Error ? `${error.message} ${error.cause ?? ""}` : String(error);
        if (!LOCKED.test(text) || Date.now() >= deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
  return new Proxy(db, {
    get(target, name) {
      if (name === "batch") return batch;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (...args: unknown[]) => Reflect.apply(value, target, args) : value;
    },
  });
}

/** Opens the database and KV for the services; works beside a running `npm run dev` on the same state. */
export async function openPlatform(options: PlatformOptions, open: OpenProxy = openProxy): Promise<Platform> {
  Object.assign(process.env, OFFLINE);
  const { env, dispose } = await open(proxyOptions(options));
  const pending: Promise<unknown>[] = [];
  const ctx: ServiceContext = {
    db: createDatabase(patient(env.DB)),
    kv: env.KV,
    config: parseConfig(env, `http://localhost:${LOCAL_PORT}`),
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    later: (work) => pending.push(work),
  };
  const close = async () => {
    await Promise.allSettled(pending);
    await dispose();
  };
  return { ctx, close };
}
