import { join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { deploy } from "../../../src/operations/cli/deployment";
import { ROOT } from "./terminal";

export const CONFIG = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;

export type Config = typeof CONFIG;

export const ADDRESSES = [
  "--base-url",
  "https://links.example.com",
  "--short-base-url",
  "https://go.example.com",
];

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
  environment?: Record<string, string>;
  /** Hosts that have DNS records. */
  inUse?: string[];
  /** The answers at the prompts. Without them there is no terminal. */
  answers?: string[];
}

/** Deploys with a fake wrangler that has databases and namespaces. */
export async function deployTo(account: Account, args: readonly string[] = ADDRESSES) {
  const databases = account.databases ?? [];
  const namespaces = account.namespaces ?? [];
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
        databases.map((database) => ({ uuid: idOf(database), name: database, version: "production" })),
      );
    }
    if (command === "kv namespace list") {
      return answer(namespaces.map((title) => ({ id: idOf(title), title, supports_url_encoding: true })));
    }
    if (command.startsWith("d1 execute ")) {
      if (account.migrations === undefined) throw new Error("no such table: d1_migrations: SQLITE_ERROR");
      return answer([{ results: account.migrations.map((name) => ({ name })), success: true }]);
    }
    if (command.startsWith("d1 create ") && !account.forgets) databases.push(name);
    if (command.startsWith("kv namespace create ") && !account.forgets) namespaces.push(name);
    return "";
  };
  const error = await deploy({
    args,
    environment: account.environment ?? {},
    wrangler,
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
