import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";

/** Runs wrangler and returns its standard output. */
export type Wrangler = (args: readonly string[], echo?: boolean) => Promise<string>;

/** A database or namespace that a deployment needs. */
export interface Resource {
  kind: "D1 database" | "KV namespace";
  name: string;
  /** From wrangler.toml or the last deployment. wrangler stops if the account has no such resource. */
  id: string | undefined;
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

/** Returns the ids of the resources in their order: the known one, or that of the same name, which is created if it is missing. */
export async function findOrCreate(
  resources: readonly Resource[],
  wrangler: Wrangler,
  print: (line: string) => void,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { kind, name, id: known } of resources) {
    let id = known ?? (await list(kind, wrangler)).get(name);
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
