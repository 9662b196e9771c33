import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";

/** Runs wrangler and returns its standard output. */
export type Wrangler = (args: readonly string[], echo?: boolean) => Promise<string>;

/** A database or namespace that a deployment needs. */
export interface Resource {
  kind: "D1 database" | "KV namespace";
  name: string;
  /** From wrangler.toml. */
  configuredId: string | undefined;
  /** From the last deployment. */
  lastId: string | undefined;
}

const COMMANDS = {
  "D1 database": { list: ["d1", "list", "--json"], create: ["d1", "create"], id: "uuid", name: "name" },
  "KV namespace": {
    list: ["kv", "namespace", "list"],
    create: ["kv", "namespace", "create"],
    id: "id",
    name: "title",
  },
} as const;

/** Parses the JSON array in wrangler's output, which may have other lines around it. */
function parseJsonArray(output: string): Record<string, unknown>[] {
  const json = /^\[(?:\n[\s\S]*^)?\]$/m.exec(output)?.[0];
  if (json === undefined) throw new Error(`wrangler answered something unexpected:\n${output.trim()}`);
  return JSON.parse(json);
}

/** The ids of the account's resources by name. */
async function list(kind: Resource["kind"], wrangler: Wrangler): Promise<Map<string, string>> {
  const command = COMMANDS[kind];
  const entries = parseJsonArray(await wrangler(command.list));
  return new Map(entries.map((entry) => [String(entry[command.name]), String(entry[command.id])]));
}

/** The names of the migrations that a deployed database has; none of a new one. */
export async function readDeployedMigrations(name: string, wrangler: Wrangler): Promise<string[]> {
  const query = ["--command", "select name from d1_migrations", "--json"];
  const target = ["d1", "execute", name, "--remote", "--config", DEPLOYED_CONFIG, TOP_LEVEL];
  try {
    const [answer = {}] = parseJsonArray(await wrangler([...target, ...query]));
    return (answer["results"] as { name: string }[]).map((row) => row.name);
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table")) return [];
    throw error;
  }
}

const WRONG_ACCOUNT =
  "If wrangler is in the wrong account, sign in to the right one or set CLOUDFLARE_ACCOUNT_ID (npx wrangler whoami lists them).";

/** Throws if the resource's id differs from wrangler.toml or the last deployment. `adopt` accepts another id. */
function assertExpected(
  { kind, name, configuredId, lastId }: Resource,
  ids: ReadonlyMap<string, string>,
  adopt: boolean,
): void {
  const expected = configuredId ?? (adopt ? undefined : lastId);
  const found = ids.get(name);
  if (expected === undefined || found === expected) return;
  const [expectation, remedy] =
    configuredId === undefined
      ? [
          `the last deployment from here used ${expected} (${DEPLOYED_CONFIG})`,
          "If it is meant to be another one from now on: npm run deploy -- --adopt.",
        ]
      : [
          `wrangler.toml says ${expected}`,
          "If another one is meant from now on, change the id in wrangler.toml.",
        ];
  const problem =
    found === undefined
      ? `This account has no ${kind} ${name}, but ${expectation}. A new one would be empty.`
      : `The ${kind} ${name} of this account has the id ${found}, but ${expectation}.`;
  const [newName] = [...ids].find(([, id]) => id === expected) ?? [];
  const renamed = newName === undefined ? "" : ` That one is named ${newName} here.`;
  throw new Error(`${problem}${renamed} Nothing was changed. ${WRONG_ACCOUNT} ${remedy}`);
}

/** Returns the ids of the resources in their order. Checks all before it creates the missing ones. Throws if one is not expected. */
export async function findOrCreate(
  resources: readonly Resource[],
  wrangler: Wrangler,
  adopt: boolean,
  print: (line: string) => void,
): Promise<string[]> {
  const found: (string | undefined)[] = [];
  for (const resource of resources) {
    const ids = await list(resource.kind, wrangler);
    assertExpected(resource, ids, adopt);
    found.push(ids.get(resource.name));
  }
  const ids: string[] = [];
  for (const [index, { kind, name }] of resources.entries()) {
    let id = found[index];
    print(id === undefined ? `Creating the ${kind} ${name} …` : `Found the ${kind} ${name}.`);
    if (id === undefined) {
      await wrangler([...COMMANDS[kind].create, name]);
      id = (await list(kind, wrangler)).get(name);
    }
    if (id === undefined) throw new Error(`The ${kind} ${name} was created but is not listed.`);
    ids.push(id);
  }
  return ids;
}
