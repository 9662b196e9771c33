import { DEPLOYED_CONFIG } from "./platform";

/** Runs wrangler and returns its standard output. */
export type Wrangler = (args: readonly string[], echo?: boolean) => Promise<string>;

interface Entry {
  id: string;
  name: string;
}

/** A database or namespace that a deployment needs. */
export interface Resource {
  kind: "D1 database" | "KV namespace";
  name: string;
  /** From wrangler.toml. */
  configuredId: string | undefined;
  /** From the last deployment. */
  lastId: string | undefined;
  list: (wrangler: Wrangler) => Promise<Entry[]>;
  create: readonly string[];
}

/** Parses the JSON array in wrangler's output, which may have other lines around it. */
function parseJsonArray(output: string): Record<string, unknown>[] {
  const json = /^\[(?:\n[\s\S]*^)?\]$/m.exec(output)?.[0];
  if (json === undefined) throw new Error(`wrangler answered something unexpected:\n${output.trim()}`);
  return JSON.parse(json);
}

const parseEntries = (output: string, id: string, name: string): Entry[] =>
  parseJsonArray(output).map((entry) => ({ id: String(entry[id]), name: String(entry[name]) }));

type Ids = Pick<Resource, "configuredId" | "lastId">;

export const database = (name: string, ids: Ids): Resource => ({
  kind: "D1 database",
  name,
  ...ids,
  list: async (wrangler) => parseEntries(await wrangler(["d1", "list", "--json"]), "uuid", "name"),
  create: ["d1", "create", name],
});

export const namespace = (name: string, ids: Ids): Resource => ({
  kind: "KV namespace",
  name,
  ...ids,
  list: async (wrangler) => parseEntries(await wrangler(["kv", "namespace", "list"]), "id", "title"),
  create: ["kv", "namespace", "create", name],
});

/** The names of the migrations that a deployed database has; none of a new one. */
export async function readDeployedMigrations(name: string, wrangler: Wrangler): Promise<string[]> {
  const query = ["--command", "select name from d1_migrations", "--json"];
  const target = ["d1", "execute", name, "--remote", "--config", DEPLOYED_CONFIG];
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
function assertExpected(resource: Resource, listed: readonly Entry[], adopt: boolean): void {
  const { kind, name, configuredId, lastId } = resource;
  const expected = configuredId ?? (adopt ? undefined : lastId);
  const found = listed.find((entry) => entry.name === name);
  if (expected === undefined || found?.id === expected) return;
  const expectation =
    configuredId === undefined
      ? `the last deployment from here used ${expected} (${DEPLOYED_CONFIG})`
      : `wrangler.toml says ${expected}`;
  const problem =
    found === undefined
      ? `This account has no ${kind} ${name}, but ${expectation}. A new one would be empty.`
      : `The ${kind} ${name} of this account has the id ${found.id}, but ${expectation}.`;
  const renamed = listed.find((entry) => entry.id === expected);
  const newName = renamed === undefined ? "" : ` That one is named ${renamed.name} here.`;
  const remedy =
    configuredId === undefined
      ? "If it is meant to be another one from now on: npm run deploy -- --adopt."
      : "If another one is meant from now on, change the id in wrangler.toml.";
  throw new Error(`${problem}${newName} Nothing was changed. ${WRONG_ACCOUNT} ${remedy}`);
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
    const listed = await resource.list(wrangler);
    assertExpected(resource, listed, adopt);
    found.push(listed.find((entry) => entry.name === resource.name)?.id);
  }
  const ids: string[] = [];
  for (const [index, resource] of resources.entries()) {
    const { kind, name, list, create } = resource;
    let id = found[index];
    if (id !== undefined) print(`Found the ${kind} ${name}.`);
    else {
      print(`Creating the ${kind} ${name} …`);
      await wrangler(create);
      id = (await list(wrangler)).find((entry) => entry.name === name)?.id;
      if (id === undefined) throw new Error(`The ${kind} ${name} was created but is not listed.`);
    }
    ids.push(id);
  }
  return ids;
}
