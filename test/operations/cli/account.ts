import { join } from "node:path";
import { expect } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { deploy } from "../../../src/operations/cli/deployment";
import { listMigrations } from "../../../src/operations/cli/migrations";
import { ROOT } from "./terminal";

export const CONFIG = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;

export type Config = typeof CONFIG;

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
  /** The migrations of the database; undefined for a new one. */
  migrations?: string[];
  /** The start of the wrangler command that fails. */
  fails?: string;
  /** wrangler's output before and after its JSON. */
  around?: [string, string];
  /** The create commands succeed but create nothing. */
  forgets?: boolean;
  config?: Config;
  /** The config that the last deployment saved. */
  kept?: Config;
  /** The ids of databases and namespaces that are not `id of <name>`. */
  ids?: Record<string, string>;
  /** The jurisdictions of databases. */
  jurisdictions?: Record<string, string>;
  environment?: Record<string, string>;
  /** Hosts that have DNS records. */
  inUse?: string[];
  /** The proved domains of workspaces. Without them the database is new. */
  domains?: { host: string; state?: "verified" | "active"; failing_since?: number; removed_at?: number }[];
  cloudflare?: {
    zones?: string[];
    /** The Workers by their custom domains. */
    workers?: Record<string, string>;
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
}

/** A fake of the part of Cloudflare's API that tells what a custom domain would replace, and the subdomain of workers.dev. */
const fakeApi =
  ({
    cloudflare: { zones = [], workers = {}, records = [], accounts = ["acme"], subdomain, fails } = {},
  }: Account) =>
  async (path: string, body?: object): Promise<unknown> => {
    if (fails !== undefined && path.includes(fails)) throw new Error("Authentication error");
    const { pathname, searchParams } = new URL(path, "https://api.example");
    if (pathname === "/accounts") return accounts.map((id) => ({ id }));
    if (pathname === "/accounts/acme/workers/domains")
      return Object.entries(workers).map(([hostname, service]) => ({ hostname, service }));
    if (pathname === "/accounts/acme/workers/subdomain") {
      if (subdomain === undefined) throw new Error("This account has no subdomain.", { cause: 10007 });
      return { subdomain };
    }
    if (pathname === "/zones") {
      const wanted = searchParams.get("name") ?? undefined;
      return zones.filter((name) => wanted === undefined || name === wanted).map((name) => ({ name }));
    }
    if (pathname === "/accounts/acme/workers/scripts/waymark/domains/changeset") {
      const [{ hostname }] = body as [{ hostname: string }];
      return { added: [], conflicting: records.includes(hostname) ? [{ hostname }] : [] };
    }
    throw new Error(`no ${path}`);
  };

/** Deploys with a fake wrangler that has databases and namespaces. */
export async function deployTo(account: Account, args: readonly string[] = ADDRESSES) {
  const databases = account.databases?.slice() ?? [];
  const namespaces = account.namespaces?.slice() ?? [];
  const jurisdictions = account.jurisdictions ?? {};
  const [before, after] = account.around ?? ["", ""];
  const commands: string[] = [];
  const kept: Config[] = [];
  const asked: string[] = [];
  const answers = account.answers?.slice();
  const idOf = (name: string) => account.ids?.[name] ?? `id of ${name}`;
  const said: string[] = [];
  const answer = (entries: object[]) => `${before}${JSON.stringify(entries, null, 2)}\n${after}`;
  const wrangler = async (given: readonly string[]): Promise<string> => {
    const command = given.join(" ");
    const name = given.at(-1) ?? "";
    commands.push(command);
    if (account.fails !== undefined && command.startsWith(account.fails))
      throw new Error(`wrangler ${command} failed`);
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
      return answer(namespaces.map((title) => ({ id: idOf(title), title, supports_url_encoding: true })));
    }
    if (command.startsWith("d1 execute ")) {
      if (command.includes("from domains")) {
        const row = { state: "verified", failing_since: null, removed_at: null };
        return answer([{ results: (account.domains ?? []).map((domain) => ({ ...row, ...domain })) }]);
      }
      const migrations = account.migrations ?? (account.domains && listMigrations());
      if (migrations === undefined) throw new Error("no such table: d1_migrations: SQLITE_ERROR");
      return answer([{ results: migrations.map((name) => ({ name })), success: true }]);
    }
    if (command.startsWith("d1 create ") && !account.forgets) {
      databases.push(name);
      const [, jurisdiction] = / --jurisdiction (\w+) /.exec(command) ?? [];
      if (jurisdiction !== undefined) jurisdictions[name] = jurisdiction;
    }
    if (command.startsWith("kv namespace create ") && !account.forgets) namespaces.push(name);
    return "";
  };
  const error = await deploy({
    args,
    environment: account.environment ?? {},
    wrangler,
    cloudflare: fakeApi(account),
    config: account.config ?? CONFIG,
    lastConfig: account.kept,
    ask:
      answers &&
      (async (question) => {
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
  return { error, commands, kept, said, asked };
}

/** Deploys, and fails if that does. */
export async function deployWell(account: Account, args?: readonly string[]) {
  const { error, ...effects } = await deployTo(account, args);
  expect(error).toBeUndefined();
  return effects;
}
