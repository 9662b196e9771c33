import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GetPlatformProxyOptions, PlatformProxy } from "wrangler";
import { parseConfig } from "../config";
import { type Config, type Env, type ServiceContext, systemRandom } from "../context";
import { createDatabase } from "../db/client";
import { TIME_OF_D1 } from "../db/clock";
import { newMeter } from "../db/meter";
import type { Binding } from "../db/send";
import { MINUTE_MS, SECOND_MS } from "../lib/time";
import { withTimeout } from "../lib/with-timeout";
import { openCloudflare } from "./cloudflare";
import { OFFLINE, runWrangler } from "./wrangler";

/** Written by `npm run deploy`: wrangler.toml with the ids and addresses of the deployment. */
export const DEPLOYED_CONFIG = ".wrangler.deploy.json";

/** The environment at the top of wrangler.toml, whatever CLOUDFLARE_ENV says. */
export const TOP_LEVEL = "--env=";
export const LOCAL_STATE = join(".wrangler", "state");
export const LOCAL_PORT = 8787;
/** wrangler reads `.dev.vars` and `.env`, which are for local runs, unless it is given another file. There is none. */
const NO_FILE = join(".wrangler", "no-variables");
/** A file in the local state with the origin of `npm run dev`. */
const ORIGIN_FILE = "served-at";
/** Replaces an empty `BASE_URL` of a deployment. The top-level domain `.invalid` never resolves. */
export const NO_ADDRESS = "https://base-url-is-not-set.invalid";

export const writeOrigin = (persistTo: string, origin: string): void =>
  writeFileSync(join(persistTo, ORIGIN_FILE), origin);

/** The origin at which `npm run dev` serves or last served this state. */
function readOrigin(persistTo: string): string {
  const file = join(persistTo, ORIGIN_FILE);
  return existsSync(file) ? readFileSync(file, "utf8") : `http://localhost:${LOCAL_PORT}`;
}

export interface PlatformOptions {
  remote: boolean;
  /** Where `wrangler dev` keeps its local state. */
  persistTo: string;
  /** Who the operator is, for the audit log. */
  actor?: string | undefined;
  /** Variables that `npm run dev` was given by `--var`. */
  vars?: Readonly<Record<string, string>>;
  /** Files that are read in place of `.dev.vars`. */
  envFiles?: string[];
}

type OpenProxy = (options: GetPlatformProxyOptions) => Promise<Pick<PlatformProxy<Env>, "env" | "dispose">>;

/** The bindings of a configuration. wrangler is imported late: it takes a second that an invalid command line need not wait for. */
export const openProxy: OpenProxy = async (options) =>
  (await import("wrangler")).getPlatformProxy<Env>(options);

const MAX_NAMING_MS = 10_000;

/** The address that wrangler is logged in with. An API token may not say it. */
async function readLogin(): Promise<string> {
  const { email } = (await openCloudflare(runWrangler, process.env)("/user")) as { email: string };
  return email;
}

/** The actor of a command: with the given name, or on the deployed database with that of the login, if it can be read. */
export async function toActor({ remote, actor }: PlatformOptions, readName = readLogin): Promise<string> {
  const name = remote
    ? (actor ?? (await withTimeout(readName(), MAX_NAMING_MS).catch(() => undefined)))
    : actor;
  return name === undefined ? "operator" : `operator:${name}`;
}

/** wrangler itself tries for longer. */
const MAX_OPENING_MS = MINUTE_MS;
const NOT_OPENED =
  "wrangler has opened no session with the deployed Worker's data within a minute. Try again, or use SQL as the runbook has it (src/docs/runbook.md#commands-do-not-reach-the-service).";

const MAX_CLOCK_SECONDS = 30;

/** Throws if this machine's clock differs from D1's: a command writes its own time, from which writes to KV and expiries follow. */
async function assertClock({ db, now }: ServiceContext): Promise<void> {
  const [[row]] = await db.read(TIME_OF_D1);
  const seconds = Math.round(Math.abs(now() - (row?.now ?? 0)) / SECOND_MS);
  if (seconds <= MAX_CLOCK_SECONDS) return;
  throw new Error(
    `the clock of this machine is ${seconds} seconds off D1's, and commands write its time. Set it, and run the command again.`,
  );
}

/** Options for wrangler's proxy to the local or the deployed bindings. Throws if nothing is deployed. */
export function proxyOptions({ remote, persistTo, envFiles }: PlatformOptions): GetPlatformProxyOptions {
  if (!remote) {
    const persist = { path: join(persistTo, "v3") };
    return { configPath: "wrangler.toml", persist, remoteBindings: false, ...(envFiles && { envFiles }) };
  }
  if (!existsSync(DEPLOYED_CONFIG)) {
    throw new Error("Nothing is deployed from here yet: run `npm run deploy` first.");
  }
  return {
    configPath: DEPLOYED_CONFIG,
    persist: false,
    remoteBindings: true,
    envFiles: [NO_FILE],
  };
}

export interface Platform {
  ctx: ServiceContext;
  close: () => Promise<void>;
}

/** Pauses between retries. Another process may lock the local database, and a connection may be lost. */
const RETRY_PAUSES_MS = [50, 50, 100, 100, 200, 200, 400, 400, 800, 800, 1600];

/**
 * D1 with statements that are plain objects until a batch takes them. Through wrangler's proxy each `prepare` and `bind`
 * would be a blocking request, which can get another request's answer on a busy machine.
 */
export const withPlainStatements = (db: D1Database): Binding => ({
  prepare: (statement) => {
    const bind = (...params: unknown[]) => ({ statement, params });
    return { bind } as unknown as D1PreparedStatement;
  },
  batch: (statements) => db.batch(statements),
});

/**
 * The configuration of a command. The deployed Worker's webhook and its secret cannot be read. A URL that stands in the
 * configuration is left to the Worker too.
 */
export function toConfig({ remote, persistTo }: PlatformOptions, env: Env): Config {
  if (remote) return { ...parseConfig(env, NO_ADDRESS), alertWebhook: null, alertSecret: null };
  const localOrigin = readOrigin(persistTo);
  return { ...parseConfig(env, localOrigin), baseUrl: localOrigin };
}

/** Opens D1 and KV for the services. Works beside a running `npm run dev` on the same state. */
export async function openPlatform(options: PlatformOptions, open: OpenProxy = openProxy): Promise<Platform> {
  Object.assign(process.env, OFFLINE);
  const opening = open(proxyOptions(options));
  const naming = toActor(options);
  const { env: bindings, dispose } = await (options.remote
    ? withTimeout(opening, MAX_OPENING_MS, NOT_OPENED)
    : opening);
  const env: Env = { ...bindings, ...options.vars };
  const pending: Promise<unknown>[] = [];
  const ctx: ServiceContext = {
    db: createDatabase(withPlainStatements(env.DB), newMeter(Number.POSITIVE_INFINITY), RETRY_PAUSES_MS),
    kv: env.KV,
    ...(env.BACKUPS && { backups: env.BACKUPS }),
    config: toConfig(options, env),
    actor: await naming,
    now: Date.now,
    random: systemRandom,
    waitUntil: (work) => pending.push(work),
  };
  const close = async () => {
    await Promise.allSettled(pending);
    await dispose();
  };
  if (options.remote) {
    await assertClock(ctx).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  return { ctx, close };
}
