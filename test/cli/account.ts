import { join } from "node:path";
import { expect } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { deploy } from "../../src/cli/deployment";
import { listMigrations } from "../../src/cli/migrations";
import { ROOT } from "./terminal";

export const CONFIG = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;

export type Config = typeof CONFIG;

export const VERSION = "1.2.3";

export const ADDRESSES = [
  "--base-url",
  "https://links.example.com",
  "--short-base-url",
  "https://go.example.com",
];

/** The resources of an account that has both. */
export const BOTH = { databases: ["waymark"], namespaces: ["waymark-kv"] };

export interface Account {
  databases?: string[];
  namespaces?: string[];
  /** The names of R2 buckets, each with the options that it was created with. */
  buckets?: string[];
  /** The migrations of the database; undefined for a new one. */
  migrations?: string[];
  /** The start of the wrangler command that fails. */
  fails?: string;
  /** Whether it has its effect all the same. */
  takesEffect?: boolean;
  /** wrangler's output before and after its JSON. */
  around?: [string, string];
  /** The create commands succeed but create nothing. */
  forgets?: boolean;
  config?: Config;
  /** The config that the last deployment saved. */
  kept?: Config;
  /** The Worker that the account has, by the config that it was deployed with: `kept` unless it is given, null for none. */
  deployed?: Config | null;
  /** The ids of databases and namespaces that are not `id of <name>`. */
  ids?: Record<string, string>;
  /** The jurisdiction that namespaces are listed with; undefined if none is. */
  namespaceJurisdiction?: string | null;
  /** The jurisdictions of databases. */
  jurisdictions?: Record<string, string>;
  environment?: Record<string, string>;
  /** Hosts that have DNS records. */
  inUse?: string[];
  /** The proved domains of workspaces. Without them the database is new. */
  domains?: { host: string; state?: "verified" | "active"; failing_since?: number; removed_at?: number }[];
  cloudflare?: {
    zones?: string[];
    /** The Workers by their custom domains, if they are not those of what is deployed. */
    workers?: Record<string, string>;
    /** Whether the API tells of no host before the Worker is deployed. */
    onlyDeployed?: boolean;
    /** Hosts with DNS records. */
    records?: string[];
    accounts?: string[];
    /** The account's subdomain of workers.dev. */
    subdomain?: string;
    /** A part of the paths that are refused. */
    fails?: string;
  };
  /** The answers at the prompts. Without them there is no terminal. */
  answers?: string[];
  /** The answer to what is going to be done, Enter unless it is given. */
  confirms?: string;
}

const NAME = CONFIG.name ?? "";

type Bucket = NonNullable<Config["r2_buckets"]>[number];

/** The bindings of a Worker that is deployed with a config, as the API has them. */
const bindingsOf = ({
  vars = {},
  d1_databases: d1 = [],
  kv_namespaces: kv = [],
  r2_buckets: r2 = [],
}: Config) => [
  ...Object.entries(vars).map(([name, text]) => ({ type: "plain_text", name, text })),
  ...d1.map(({ binding, database_id: id }: { binding: string; database_id?: string }) => ({
    type: "d1",
    name: binding,
    id,
  })),
  ...kv.map(({ binding, id }: { binding: string; id?: string }) => ({
    type: "kv_namespace",
    name: binding,
    namespace_id: id,
  })),
  ...r2.map(({ binding, bucket_name, jurisdiction }: Bucket) => ({
    ...{ type: "r2_bucket", name: binding, bucket_name },
    ...(jurisdiction !== undefined && { jurisdiction }),
  })),
  { type: "secret_text", name: "ALERT_WEBHOOK" },
];

/** What the account has now. */
interface State {
  worker: Config | undefined;
  workers: Record<string, string>;
  databases: string[];
  idOf: (name: string) => string;
}

const missing = (what: string) => new Error(`This ${what} does not exist.`, { cause: 10007 });

/** The rows of a query of the deployed database. */
function rowsOf(account: Account, { sql }: { sql: string }): object[] {
  if (sql.includes("from domains")) {
    const row = { state: "verified", failing_since: null, removed_at: null };
    return (account.domains ?? []).map((domain) => ({ ...row, ...domain }));
  }
  const migrations = account.migrations ?? (account.domains && listMigrations());
  if (migrations === undefined) throw new Error("no such table: d1_migrations: SQLITE_ERROR");
  return migrations.map((name) => ({ name }));
}

/** A fake of the part of Cloudflare's API that tells what is deployed, and what a custom domain would replace. */
const fakeApi =
  (account: Account, state: State) =>
  async (path: string, body?: object): Promise<unknown> => {
    const {
      zones = [],
      records = [],
      accounts = ["acme"],
      onlyDeployed,
      subdomain,
      fails,
    } = account.cloudflare ?? {};
    if (fails !== undefined && path.includes(fails)) throw new Error("Authentication error");
    const { pathname, searchParams } = new URL(path, "https://api.example");
    const { worker, workers, databases, idOf } = state;
    if (pathname === "/accounts") return accounts.map((id) => ({ id }));
    if (pathname === "/accounts/acme/workers/domains")
      return Object.entries(workers).map(([hostname, service]) => ({ hostname, service }));
    if (pathname === "/accounts/acme/workers/subdomain") {
      if (subdomain === undefined) throw missing("subdomain");
      return { subdomain };
    }
    const [, of = "", what] = /^\/accounts\/acme\/workers\/scripts\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
    if (what !== undefined && worker?.name !== of && (what !== "domains/changeset" || onlyDeployed))
      throw missing("Worker");
    const versions = [
      { version_id: "old", percentage: 0 },
      { version_id: "new", percentage: 100 },
    ];
    if (what === "deployments") return { deployments: [{ versions }, { versions: [] }] };
    if (what === "versions/new") return { resources: { bindings: bindingsOf(worker ?? CONFIG) } };
    if (what === "subdomain") return { enabled: worker?.workers_dev === true };
    if (what === "domains/changeset") {
      const [{ hostname }] = body as [{ hostname: string }];
      return { added: [], conflicting: records.includes(hostname) ? [{ hostname }] : [] };
    }
    if (pathname.endsWith("/query")) return [{ results: rowsOf(account, body as { sql: string }) }];
    const id = decodeURIComponent(pathname.replace("/accounts/acme/d1/database/", ""));
    const name = databases.find((database) => idOf(database) === id);
    if (name !== undefined) return { name };
    if (pathname.startsWith("/accounts/acme/d1/database/")) throw missing("database");
    if (pathname === "/zones") {
      const wanted = searchParams.get("name") ?? undefined;
      return zones.filter((zone) => wanted === undefined || zone === wanted).map((zone) => ({ name: zone }));
    }
    throw new Error(`no ${path}`);
  };

const hostsOf = ({ routes = [] }: Config): string[] =>
  routes.map((route: string | { pattern: string }) => (typeof route === "string" ? route : route.pattern));

/** Deploys with a fake wrangler that has databases and namespaces. */
export async function deployTo(account: Account, args: readonly string[] = ADDRESSES) {
  const databases = account.databases?.slice() ?? [];
  const namespaces = account.namespaces?.slice() ?? [];
  const buckets = account.buckets?.slice() ?? [];
  const jurisdictions = account.jurisdictions ?? {};
  const [before, after] = account.around ?? ["", ""];
  const commands: string[] = [];
  const kept: Config[] = [];
  const asked: string[] = [];
  const answers = account.answers?.slice();
  const idOf = (name: string) => account.ids?.[name] ?? `id of ${name}`;
  const said: string[] = [];
  const workerName = (account.config ?? CONFIG).name ?? NAME;
  const worker = account.deployed === undefined ? account.kept : (account.deployed ?? undefined);
  const hosts = worker === undefined ? [] : hostsOf(worker).map((host) => [host, worker.name ?? NAME]);
  const workers = { ...(account.cloudflare?.workers ?? Object.fromEntries(hosts)) };
  const state: State = { worker, workers, databases, idOf };
  const { namespaceJurisdiction } = account;
  const placed = namespaceJurisdiction === undefined ? {} : { jurisdiction: namespaceJurisdiction };
  const answer = (entries: object[]) => `${before}${JSON.stringify(entries, null, 2)}\n${after}`;
  const wrangler = async (given: readonly string[]): Promise<string> => {
    const command = given.join(" ");
    commands.push(command);
    const isFailing = account.fails !== undefined && command.startsWith(account.fails);
    const output = isFailing && !account.takesEffect ? "" : perform(command, given.at(-1) ?? "");
    if (isFailing) throw new Error(`wrangler ${command} failed`);
    return output;
  };
  const perform = (command: string, name: string): string => {
    if (command === "d1 list --json") {
      return answer(
        databases.map((database) => ({
          uuid: idOf(database),
          name: database,
          version: "production",
          jurisdiction: jurisdictions[database] ?? null,
        })),
      );
    }
    if (command === "kv namespace list") {
      return answer(
        namespaces.map((title) => ({ ...placed, id: idOf(title), title, supports_url_encoding: true })),
      );
    }
    if (command.startsWith("d1 create ") && !account.forgets) {
      databases.push(name);
      const [, jurisdiction] = / --jurisdiction (\w+) /.exec(command) ?? [];
      if (jurisdiction !== undefined) jurisdictions[name] = jurisdiction;
    }
    if (command.startsWith("r2 bucket create ")) {
      const bucket = command.replace("r2 bucket create ", "");
      if (buckets.includes(bucket)) throw new Error(`The bucket ${name} already exists, and you own it.`);
      buckets.push(bucket);
    }
    if (command.startsWith("kv namespace create ") && !account.forgets) namespaces.push(name);
    const last = kept.at(-1);
    if (command.startsWith("deploy ") && last !== undefined) {
      state.worker = last;
      for (const host of Object.keys(workers)) if (workers[host] === workerName) delete workers[host];
      for (const host of hostsOf(last)) workers[host] = workerName;
    }
    return "";
  };
  const error = await deploy({
    args,
    environment: account.environment ?? {},
    wrangler,
    cloudflare: fakeApi(account, state),
    config: account.config ?? CONFIG,
    savedConfig: account.kept,
    version: VERSION,
    ask:
      answers &&
      (async (question) => {
        if (question.startsWith("Go on?")) return account.confirms ?? "";
        asked.push(question);
        const answer = answers.shift();
        if (answer === undefined) throw new Error("Nobody answers.");
        return answer;
      }),
    hasDnsRecords: async (host) => account.inUse?.includes(host) ?? false,
    saveConfig: (config) => {
      commands.push("(the config is kept)");
      kept.push(config);
    },
    print: (line) => said.push(line),
  }).then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  /** The account as it is now, for the next deployment from the same clone. */
  const next: Account = {
    ...account,
    databases,
    namespaces,
    buckets,
    jurisdictions,
    deployed: state.worker ?? null,
    cloudflare: { ...account.cloudflare, workers },
    ...(kept.length > 0 && { kept: kept.at(-1) as Config }),
  };
  return { error, commands, kept, said, asked, next };
}

/** Deploys, and fails if that does. */
export async function deployWell(account: Account, args?: readonly string[]) {
  const { error, ...effects } = await deployTo(account, args);
  expect(error).toBeUndefined();
  return effects;
}
