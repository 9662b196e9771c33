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

/** The rows of a query of a deployed database; none of a new one. */
async function query(
  name: string,
  text: string,
  wrangler: Wrangler,
): Promise<Record<string, string | number | null>[]> {
  const target = ["d1", "execute", name, "--remote", "--config", DEPLOYED_CONFIG, TOP_LEVEL];
  try {
    const [answer = {}] = parseJsonArray(await wrangler([...target, "--command", text, "--json"]));
    return answer["results"] as Record<string, string | number | null>[];
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table")) return [];
    throw error;
  }
}

/** The names of the migrations that a deployed database has. */
export const readDeployedMigrations = async (name: string, wrangler: Wrangler): Promise<string[]> =>
  (await query(name, "select name from d1_migrations", wrangler)).map((row) => String(row["name"]));

/** A proved host of a workspace. */
export interface DeployedDomain {
  host: string;
  /** Whether it answered with the mark of this installation when it was last asked. */
  leadsHere: boolean;
  /** Its addresses still belong to the workspace, which may add it again. */
  isRemoved: boolean;
}

const DOMAINS = "select host, state, failing_since, removed_at from domains where state <> 'pending'";

export const readDeployedDomains = async (name: string, wrangler: Wrangler): Promise<DeployedDomain[]> =>
  (await query(name, DOMAINS, wrangler)).map((row) => ({
    host: String(row["host"]),
    leadsHere: row["state"] === "active" && row["failing_since"] === null,
    isRemoved: row["removed_at"] !== null,
  }));

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
