import type { Unstable_RawConfig } from "wrangler";
import type { Ask } from "./addresses";
import {
  askForJurisdiction,
  assertJurisdiction,
  JURISDICTION_VARIABLE,
  type Jurisdiction,
} from "./jurisdiction";
import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";

/** Runs wrangler and returns its standard output. */
export type Wrangler = (args: readonly string[], echo?: boolean) => Promise<string>;

const COMMANDS = {
  "D1 database": { list: ["d1", "list", "--json"], create: ["d1", "create"], id: "uuid", name: "name" },
  "KV namespace": {
    list: ["kv", "namespace", "list"],
    create: ["kv", "namespace", "create"],
    id: "id",
    name: "title",
  },
} as const;

type Row = Record<string, unknown>;

/** Parses the JSON array in wrangler's output, which may have other lines around it. */
function parseJsonArray(output: string): Row[] {
  const json = /^\[(?:\n[\s\S]*^)?\]$/m.exec(output)?.[0];
  if (json === undefined) throw new Error(`wrangler answered something unexpected:\n${output.trim()}`);
  return JSON.parse(json);
}

interface Account {
  /** wrangler.toml. */
  config: Unstable_RawConfig;
  wrangler: Wrangler;
  print: (line: string) => void;
}

/** Where the data of the database has to be. */
interface Location {
  wanted: Jurisdiction | undefined;
  /** Undefined without a terminal, and for a Worker that was deployed before. */
  ask: Ask | undefined;
}

/** Returns the id of the account's resource with a name, which is created if it is missing. */
async function findOrCreate(
  { wrangler, print }: Account,
  kind: keyof typeof COMMANDS,
  name: string,
  location?: Location,
): Promise<{ id: string; jurisdiction?: unknown }> {
  const command = COMMANDS[kind];
  const find = async () => {
    const entries = parseJsonArray(await wrangler(command.list));
    const row = entries.find((entry) => entry[command.name] === name);
    return row && { id: String(row[command.id]), jurisdiction: row["jurisdiction"] };
  };
  const found = await find();
  if (found !== undefined) {
    print(`Found the ${kind} ${name}.`);
    assertJurisdiction(location?.wanted, name, found.jurisdiction);
    return found;
  }
  const jurisdiction = location?.wanted ?? (location?.ask && (await askForJurisdiction(location.ask)));
  print(`Creating the ${kind} ${name} …`);
  await wrangler([
    ...command.create,
    ...(jurisdiction === "eu" ? ["--jurisdiction", jurisdiction] : []),
    name,
  ]);
  const created = await find();
  if (created === undefined) throw new Error(`The ${kind} ${name} was created but is not listed.`);
  return { ...created, jurisdiction };
}

/** The parts of wrangler.toml that a deployment needs. Throws if one is missing or there are routes. */
export function getParts(config: Unstable_RawConfig) {
  const [d1] = config.d1_databases ?? [];
  const [kv] = config.kv_namespaces ?? [];
  const { name } = config;
  if (name === undefined) throw new Error("wrangler.toml must name the Worker.");
  if (d1?.database_name === undefined || kv === undefined) {
    throw new Error("wrangler.toml must name one D1 database and one KV namespace.");
  }
  if (config.routes !== undefined || config.route !== undefined) {
    throw new Error(
      "Take the routes out of wrangler.toml: they rewrite the addresses of local requests. npm run deploy makes them of --base-url and --short-base-url.",
    );
  }
  return { name, d1, database: d1.database_name, kv };
}

/** wrangler.toml with the ids of D1 and KV: those in it, of the last deployment, or of what has the names. */
export async function withIds(
  account: Account,
  { name, d1, database, kv }: ReturnType<typeof getParts>,
  known: Unstable_RawConfig | undefined,
  location: Location,
): Promise<Unstable_RawConfig> {
  const databaseId = d1.database_id ?? known?.d1_databases?.[0]?.database_id;
  const namespaceId = kv.id ?? known?.kv_namespaces?.[0]?.id;
  const saved = known?.vars?.[JURISDICTION_VARIABLE];
  if (databaseId !== undefined) assertJurisdiction(location.wanted, database, saved);
  const { id, jurisdiction = saved } =
    databaseId === undefined
      ? await findOrCreate(account, "D1 database", database, location)
      : { id: databaseId };
  const namespace = `${name}-${kv.binding.toLowerCase()}`;
  return {
    ...account.config,
    vars: { ...account.config.vars, ...(jurisdiction === "eu" && { [JURISDICTION_VARIABLE]: jurisdiction }) },
    d1_databases: [{ ...d1, database_id: id, remote: true }],
    kv_namespaces: [
      {
        ...kv,
        id: namespaceId ?? (await findOrCreate(account, "KV namespace", namespace)).id,
        remote: true,
      },
    ],
  };
}

/** The rows of a query of a deployed database; none of a new one. */
async function query(database: string, text: string, wrangler: Wrangler): Promise<Row[]> {
  const target = ["d1", "execute", database, "--remote", "--config", DEPLOYED_CONFIG, TOP_LEVEL];
  try {
    const [answer = {}] = parseJsonArray(await wrangler([...target, "--command", text, "--json"]));
    return answer["results"] as Row[];
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table")) return [];
    throw error;
  }
}

/** The names of the migrations that a deployed database has. */
export const readDeployedMigrations = async (database: string, wrangler: Wrangler): Promise<string[]> =>
  (await query(database, "select name from d1_migrations", wrangler)).map(({ name }) => String(name));

/** A proved host of a workspace. */
export interface DeployedDomain {
  host: string;
  /** Whether it answered with the mark of this installation when it was last asked. */
  leadsHere: boolean;
  /** Its addresses still belong to the workspace, which may add it again. */
  isRemoved: boolean;
}

const DOMAINS = "select host, state, failing_since, removed_at from domains where state <> 'pending'";

export const readDeployedDomains = async (database: string, wrangler: Wrangler): Promise<DeployedDomain[]> =>
  (await query(database, DOMAINS, wrangler)).map(({ host, state, failing_since, removed_at }) => ({
    host: String(host),
    leadsHere: state === "active" && failing_since === null,
    isRemoved: removed_at !== null,
  }));
