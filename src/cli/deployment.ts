import type { Unstable_RawConfig } from "wrangler";
import { DEPLOYED_CONFIG } from "./platform";

export interface Deployment {
  /** Further arguments of `wrangler deploy`, such as `--dry-run`. */
  args: readonly string[];
  /** Runs wrangler and returns its standard output. */
  wrangler: (args: readonly string[], echo?: boolean) => Promise<string>;
  /** wrangler.toml as it stands. */
  config: Unstable_RawConfig;
  /** Keeps the config with the ids, which git ignores and `admin --remote` reads. */
  keep: (config: Unstable_RawConfig) => void;
  say: (line: string) => void;
}

interface Resource {
  id: string;
  name: string;
}

/** The JSON array in wrangler's output, around which it may say something. */
function jsonArray(output: string): Record<string, unknown>[] {
  const json = /^\[(?:\n[\s\S]*^)?\]$/m.exec(output)?.[0];
  if (json === undefined) throw new Error(`wrangler answered something unexpected:\n${output.trim()}`);
  return JSON.parse(json);
}

const resources = (output: string, id: string, name: string): Resource[] =>
  jsonArray(output).map((entry) => ({ id: String(entry[id]), name: String(entry[name]) }));

async function findOrCreate(
  deployment: Deployment,
  kind: string,
  name: string,
  list: () => Promise<Resource[]>,
  create: readonly string[],
): Promise<string> {
  const existing = (await list()).find((resource) => resource.name === name);
  if (existing !== undefined) {
    deployment.say(`Found the ${kind} ${name}.`);
    return existing.id;
  }
  deployment.say(`Creating the ${kind} ${name} …`);
  await deployment.wrangler(create);
  const created = (await list()).find((resource) => resource.name === name);
  if (created === undefined) throw new Error(`The ${kind} ${name} was created but is not listed.`);
  return created.id;
}

/**
 * Cloudflare puts the request's URL beside each line of the log. This cuts its query, which may hold a sign-in link's token.
 * wrangler 4.86 warns that it does not know the setting, and sends it.
 */
const WITHOUT_QUERIES = { redact_query_string: true };

/** With these, `wrangler deploy` changes nothing, so nothing is made for it and no account is needed. */
const HARMLESS = new Set(["--dry-run", "--help", "-h"]);

/** Deploys from whatever is there: finds or creates D1 and KV by name, migrates, then puts the Worker in place. */
export async function deploy(deployment: Deployment): Promise<void> {
  const { wrangler, config, args } = deployment;
  if (args.some((arg) => HARMLESS.has(arg))) {
    await wrangler(["deploy", ...args], true);
    return;
  }
  const [database] = config.d1_databases ?? [];
  const [namespace] = config.kv_namespaces ?? [];
  const databaseName = database?.database_name;
  if (database === undefined || namespace === undefined || databaseName === undefined) {
    throw new Error("wrangler.toml must name one D1 database and one KV namespace.");
  }
  const namespaceName = `${config.name}-${namespace.binding.toLowerCase()}`;
  const databaseId = await findOrCreate(
    deployment,
    "D1 database",
    databaseName,
    async () => resources(await wrangler(["d1", "list", "--json"]), "uuid", "name"),
    ["d1", "create", databaseName],
  );
  const namespaceId = await findOrCreate(
    deployment,
    "KV namespace",
    namespaceName,
    async () => resources(await wrangler(["kv", "namespace", "list"]), "id", "title"),
    ["kv", "namespace", "create", namespaceName],
  );
  const deployed = {
    ...config,
    d1_databases: [{ ...database, database_id: databaseId, remote: true }],
    kv_namespaces: [{ ...namespace, id: namespaceId, remote: true }],
  };
  deployment.keep(deployed);
  // The schema is always ahead of the code that needs it, so it goes first.
  deployment.say("Applying the migrations …");
  await wrangler(["d1", "migrations", "apply", databaseName, "--remote", "--config", DEPLOYED_CONFIG], true);
  deployment.say("Deploying … (wrangler warns of redact_query_string, which Cloudflare knows)");
  // Only here: every other command on this config would warn too.
  deployment.keep({ ...deployed, observability: { ...config.observability, ...WITHOUT_QUERIES } });
  await wrangler(["deploy", "--config", DEPLOYED_CONFIG, ...args], true);
  deployment.keep(deployed);
}
