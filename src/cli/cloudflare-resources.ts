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

export type Row = Record<string, unknown>;

/** Parses the JSON array in wrangler's output, which may have other lines around it. */
export function parseJsonArray(output: string): Row[] {
  const json = /^\[(?:\n[\s\S]*^)?\]$/m.exec(output)?.[0];
  if (json === undefined) throw new Error(`wrangler answered something unexpected:\n${output.trim()}`);
  return JSON.parse(json);
}

export interface Account {
  /** wrangler.toml. */
  config: Unstable_RawConfig;
  wrangler: Wrangler;
  print: (line: string) => void;
}

/** Where the data has to be. */
interface Place {
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

/** Creates a resource with options of wrangler. */
async function create(
  account: Account,
  kind: Kind,
  name: string,
  options: readonly string[],
): Promise<string> {
  account.print(`Creating the ${kind} ${name} …`);
  await account.wrangler([...COMMANDS[kind].create, ...options, name]);
  const created = await find(account, kind, name);
  if (created === undefined) throw new Error(`The ${kind} ${name} was created but is not listed.`);
  return created.id;
}

/** An option of wrangler for where something is. */
const placed = (option: string, place: string | undefined): string[] =>
  place === undefined || place === "none" ? [] : [option, place];

/** Finds or creates the database. */
async function findDatabase(
  account: Account,
  name: string,
  { wanted, location, ask }: Place,
): Promise<{ id: string; jurisdiction?: unknown }> {
  const found = await find(account, "D1 database", name);
  if (found !== undefined) {
    account.print(`Found the D1 database ${name}.`);
    if (location !== undefined) account.print("It exists already, so --location has no effect.");
    assertJurisdiction(wanted, found.jurisdiction, `D1 database ${name}`, adviceForDatabase(wanted));
    return found;
  }
  const jurisdiction = wanted ?? (ask && (await askForJurisdiction(ask)));
  let options = placed("--jurisdiction", jurisdiction);
  if (options.length === 0) {
    const near = location ?? (ask && (await askForLocation(ask)));
    if (near === undefined) account.print(NO_LOCATION);
    options = placed("--location", near);
  }
  return { id: await create(account, "D1 database", name, options), jurisdiction };
}

/** Finds or creates the namespace, in the jurisdiction of the database. */
async function findNamespace(account: Account, name: string, jurisdiction: string | undefined) {
  const found = await find(account, "KV namespace", name);
  if (found === undefined)
    return create(account, "KV namespace", name, placed("--jurisdiction", jurisdiction));
  account.print(`Found the KV namespace ${name}.`);
  // A wrangler that lists no jurisdictions cannot tell.
  if (found.jurisdiction !== undefined)
    assertJurisdiction(jurisdiction, found.jurisdiction, `KV namespace ${name}`, ADVICE_FOR_NAMESPACE);
  return found.id;
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
  place: Place,
): Promise<Unstable_RawConfig> {
  const databaseId = d1.database_id ?? known?.d1_databases?.[0]?.database_id;
  const namespaceId = kv.id ?? known?.kv_namespaces?.[0]?.id;
  const saved = known?.vars?.[JURISDICTION_VARIABLE];
  if (databaseId !== undefined)
    assertJurisdiction(place.wanted, saved, `D1 database ${database}`, adviceForDatabase(place.wanted));
  const { id, jurisdiction: actual = saved } =
    databaseId === undefined ? await findDatabase(account, database, place) : { id: databaseId };
  const jurisdiction = actual == null || actual === "none" ? undefined : String(actual);
  return {
    ...account.config,
    vars: {
      ...account.config.vars,
      ...(jurisdiction !== undefined && { [JURISDICTION_VARIABLE]: jurisdiction }),
    },
    d1_databases: [{ ...d1, database_id: id, remote: true }],
    kv_namespaces: [
      {
        ...kv,
        id:
          namespaceId ?? (await findNamespace(account, `${name}-${kv.binding.toLowerCase()}`, jurisdiction)),
        remote: true,
      },
    ],
  };
}
