import type { Unstable_RawConfig } from "wrangler";
import type { Ask } from "./choice";
import {
  ADVICE_FOR_NAMESPACE,
  adviceForDatabase,
  askForJurisdiction,
  askForLocation,
  assertJurisdiction,
  JURISDICTION_VARIABLE,
  type Jurisdiction,
  type Location,
  NO_LOCATION,
} from "./jurisdiction";

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

export type JsonRow = Record<string, unknown>;

/** Parses the JSON array in wrangler's output, which may have other lines around it. */
function parseJsonArray(output: string): JsonRow[] {
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

/** Where the data has to be. */
interface Residency {
  wanted: Jurisdiction | undefined;
  /** Near which visitors a new database is, where it has no jurisdiction. */
  location: Location | undefined;
  /** Undefined without a terminal, and for a Worker that was deployed before. */
  ask: Ask | undefined;
}

type Kind = keyof typeof COMMANDS;

/** The account's resource with a name; undefined if it is missing. */
async function find({ wrangler }: Account, kind: Kind, name: string) {
  const { list, id, name: nameField } = COMMANDS[kind];
  const row = parseJsonArray(await wrangler(list)).find((entry) => entry[nameField] === name);
  return row && { id: String(row[id]), jurisdiction: row["jurisdiction"] };
}

/** A resource of the account, which is created with options of wrangler if it has no id. */
interface Resource {
  kind: Kind;
  name: string;
  id: string | undefined;
  options: readonly string[];
}

/** Creates the resource unless it is there. Returns its id. */
export async function createMissing(
  account: Account,
  { kind, name, id, options }: Resource,
): Promise<string> {
  if (id !== undefined) return id;
  account.print(`Creating the ${kind} ${name} …`);
  await account.wrangler([...COMMANDS[kind].create, ...options, name]);
  const created = await find(account, kind, name);
  if (created === undefined) throw new Error(`The ${kind} ${name} was created but is not listed.`);
  return created.id;
}

/** An option of wrangler for where something is. */
const placed = (option: string, value: string | undefined): string[] =>
  value === undefined || value === "none" ? [] : [option, value];

async function findDatabase(account: Account, name: string, { wanted, location, ask }: Residency) {
  const kind = "D1 database";
  const found = await find(account, kind, name);
  if (found !== undefined) {
    account.print(`Found the D1 database ${name}.`);
    if (location !== undefined) account.print("It exists already, so --location has no effect.");
    assertJurisdiction(wanted, found.jurisdiction, `D1 database ${name}`, adviceForDatabase(wanted));
    return { kind, name, ...found, options: [] } as const;
  }
  const jurisdiction = wanted ?? (ask && (await askForJurisdiction(ask)));
  let options = placed("--jurisdiction", jurisdiction);
  if (options.length === 0) {
    const near = location ?? (ask && (await askForLocation(ask)));
    if (near === undefined) account.print(NO_LOCATION);
    options = placed("--location", near);
  }
  return { kind, name, id: undefined, jurisdiction, options } as const;
}

/** The namespace, which is in the jurisdiction of the database. */
async function findNamespace(
  account: Account,
  name: string,
  jurisdiction: string | undefined,
): Promise<Resource> {
  const kind = "KV namespace";
  const found = await find(account, kind, name);
  if (found === undefined)
    return { kind, name, id: undefined, options: placed("--jurisdiction", jurisdiction) };
  account.print(`Found the KV namespace ${name}.`);
  // A wrangler that lists no jurisdictions cannot tell.
  if (found.jurisdiction !== undefined)
    assertJurisdiction(jurisdiction, found.jurisdiction, `KV namespace ${name}`, ADVICE_FOR_NAMESPACE);
  return { kind, name, id: found.id, options: [] };
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

interface Resources {
  database: Resource;
  namespace: Resource;
  jurisdiction: string | undefined;
}

/** D1 and KV: those in wrangler.toml, of the last deployment, or what has the names. Creates nothing. */
export async function findResources(
  account: Account,
  { name, d1, database, kv }: ReturnType<typeof getParts>,
  known: Unstable_RawConfig | undefined,
  residency: Residency,
): Promise<Resources> {
  const databaseId = d1.database_id ?? known?.d1_databases?.[0]?.database_id;
  const namespaceId = kv.id ?? known?.kv_namespaces?.[0]?.id;
  const namespace = `${name}-${kv.binding.toLowerCase()}`;
  const saved = known?.vars?.[JURISDICTION_VARIABLE];
  const { wanted } = residency;
  if (databaseId !== undefined)
    assertJurisdiction(wanted, saved, `D1 database ${database}`, adviceForDatabase(wanted));
  const found =
    databaseId === undefined
      ? await findDatabase(account, database, residency)
      : ({ kind: "D1 database", name: database, id: databaseId, jurisdiction: saved, options: [] } as const);
  const { jurisdiction: actual = saved } = found;
  const jurisdiction = actual == null || actual === "none" ? undefined : String(actual);
  return {
    database: found,
    namespace:
      namespaceId === undefined
        ? await findNamespace(account, namespace, jurisdiction)
        : { kind: "KV namespace", name: namespace, id: namespaceId, options: [] },
    jurisdiction,
  };
}
