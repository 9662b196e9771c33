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
  /** The id in wrangler.toml, where it has one. */
  configuredId: string | undefined;
  /** The id that the last deployment kept, where there was one. */
  keptId: string | undefined;
  list: (wrangler: Wrangler) => Promise<Entry[]>;
  create: readonly string[];
}

/** The JSON array in wrangler's output, around which it may say something. */
function jsonArray(output: string): Record<string, unknown>[] {
  const json = /^\[(?:\n[\s\S]*^)?\]$/m.exec(output)?.[0];
  if (json === undefined) throw new Error(`wrangler answered something unexpected:\n${output.trim()}`);
  return JSON.parse(json);
}

const entries = (output: string, id: string, name: string): Entry[] =>
  jsonArray(output).map((entry) => ({ id: String(entry[id]), name: String(entry[name]) }));

type Ids = Pick<Resource, "configuredId" | "keptId">;

export const database = (name: string, ids: Ids): Resource => ({
  kind: "D1 database",
  name,
  ...ids,
  list: async (wrangler) => entries(await wrangler(["d1", "list", "--json"]), "uuid", "name"),
  create: ["d1", "create", name],
});

export const namespace = (name: string, ids: Ids): Resource => ({
  kind: "KV namespace",
  name,
  ...ids,
  list: async (wrangler) => entries(await wrangler(["kv", "namespace", "list"]), "id", "title"),
  create: ["kv", "namespace", "create", name],
});

const WRONG_ACCOUNT =
  "If wrangler is in the wrong account, sign in to the right one or set CLOUDFLARE_ACCOUNT_ID (npx wrangler whoami lists them).";

/** Refuses a resource that is not the one wrangler.toml or the last deployment means. */
function assertExpected(resource: Resource, listed: readonly Entry[], adopt: boolean): void {
  const { kind, name, configuredId, keptId } = resource;
  const expected = configuredId ?? (adopt ? undefined : keptId);
  const found = listed.find((entry) => entry.name === name);
  if (expected === undefined || found?.id === expected) return;
  const source =
    configuredId === undefined
      ? `the last deployment from here used ${expected} (${DEPLOYED_CONFIG})`
      : `wrangler.toml says ${expected}`;
  const there =
    found === undefined
      ? `This account has no ${kind} ${name}, but ${source}. A new one would be empty.`
      : `The ${kind} ${name} of this account has the id ${found.id}, but ${source}.`;
  const renamed = listed.find((entry) => entry.id === expected);
  const nowCalled = renamed === undefined ? "" : ` That one is named ${renamed.name} here.`;
  const remedy =
    configuredId === undefined
      ? "If it is meant to be another one from now on: npm run deploy -- --adopt."
      : "If another one is meant from now on, change the id in wrangler.toml.";
  throw new Error(`${there}${nowCalled} Nothing was changed. ${WRONG_ACCOUNT} ${remedy}`);
}

/**
 * The ids of the resources, in their order. Those that are missing are created, once every one that is there has been found
 * to be the expected one; throws where one is not.
 */
export async function findOrCreate(
  resources: readonly Resource[],
  wrangler: Wrangler,
  adopt: boolean,
  say: (line: string) => void,
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
    if (id !== undefined) say(`Found the ${kind} ${name}.`);
    else {
      say(`Creating the ${kind} ${name} …`);
      await wrangler(create);
      id = (await list(wrangler)).find((entry) => entry.name === name)?.id;
      if (id === undefined) throw new Error(`The ${kind} ${name} was created but is not listed.`);
    }
    ids.push(id);
  }
  return ids;
}
