import type { Unstable_RawConfig } from "wrangler";
import {
  type Addresses,
  type Ask,
  hostsOf,
  listMoveWarnings,
  newHosts,
  ownHosts,
  previousHosts,
  resolveAddresses,
  toExposure,
} from "./addresses";
import type { Cloudflare } from "./cloudflare";
import { type DeployOptions, parseDeployOptions } from "./deploy-options";
import { type DomainRoutes, planDomainRoutes } from "./domain-routes";
import { hasOtherMigrations } from "./migrations";
import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";
import {
  type DeployedDomain,
  findOrCreate,
  type Resource,
  readDeployedDomains,
  readDeployedMigrations,
  type Wrangler,
} from "./resources";

interface Deployment {
  /** The arguments after `npm run deploy --`. */
  args: readonly string[];
  /** The environment variables. */
  environment: Readonly<Record<string, string | undefined>>;
  wrangler: Wrangler;
  cloudflare: Cloudflare;
  /** wrangler.toml. */
  config: Unstable_RawConfig;
  /** The config that the last deployment saved. */
  lastConfig: Unstable_RawConfig | undefined;
  /** Saves the config with ids and addresses for `admin --remote` and the next deployment. */
  saveConfig: (config: Unstable_RawConfig) => void;
  /** Undefined without a terminal. */
  ask: Ask | undefined;
  hasDnsRecords: (host: string) => Promise<boolean>;
  print: (line: string) => void;
}

/**
 * Removes the query from the URL that Cloudflare logs, since it may hold a sign-in token.
 * wrangler 4.86 warns that it does not know the setting, but sends it.
 */
const WITHOUT_QUERIES = { redact_query_string: true };

/** Throws for a variable that makes wrangler select another Worker, and for options that npm consumed. */
function assertEnvironment({ environment, config }: Deployment): void {
  for (const option of ["dry-run", "env"]) {
    const value = environment[`npm_config_${option.replace("-", "_")}`];
    if (value !== undefined && value !== "" && value !== "false") {
      throw new Error(
        `npm has taken --${option} for itself. Nothing was changed. Options stand behind "--", as in: npm run deploy -- --dry-run`,
      );
    }
  }
  const { WRANGLER_CI_OVERRIDE_NAME: name } = environment;
  if (name && name !== config.name) {
    throw new Error(
      `WRANGLER_CI_OVERRIDE_NAME is "${name}", but wrangler.toml names the Worker ${config.name}. Nothing was changed. Make the two the same.`,
    );
  }
}

/** Throws if the last deployment from here was another Worker, or had another database. `adopt` allows it. */
function assertSameNames({ config, lastConfig }: Deployment, { adopt }: DeployOptions): void {
  const namesIn = ({ name, d1_databases: databases }: Unstable_RawConfig) =>
    `the Worker ${name} with the database ${databases?.[0]?.database_name}`;
  if (lastConfig === undefined || adopt || namesIn(config) === namesIn(lastConfig)) return;
  throw new Error(
    `wrangler.toml has ${namesIn(config)}, but the last deployment from here was ${namesIn(lastConfig)} (${DEPLOYED_CONFIG}). Nothing was changed. Correct the name, or deploy the other one from another clone. If it is meant to be another one from now on: npm run deploy -- --adopt.`,
  );
}

/** Throws if a new own host has DNS records, which the deployment would replace. `replaceDns` allows it. */
async function assertHostsUnused(
  { hasDnsRecords }: Deployment,
  { replaceDns }: DeployOptions,
  hosts: readonly string[],
): Promise<void> {
  for (const host of hosts) {
    if (!replaceDns.includes(host) && (await hasDnsRecords(host))) {
      throw new Error(
        `${host} has DNS records already. Cloudflare would replace them by the Worker, and what they lead to would end. Nothing was changed. Take a host that serves nothing. If the records are this Worker's own (a custom domain from the dashboard) or may go: npm run deploy -- --replace-dns ${host}.`,
      );
    }
  }
}

/** The parts of wrangler.toml that a deployment needs. Throws if one is missing or there are routes. */
function getParts(config: Unstable_RawConfig) {
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
  return { name, d1, databaseName: d1.database_name, kv };
}

type Parts = ReturnType<typeof getParts>;

const toResources = (
  { name, d1, databaseName, kv }: Parts,
  lastConfig: Unstable_RawConfig | undefined,
): Resource[] => [
  {
    kind: "D1 database",
    name: databaseName,
    id: d1.database_id ?? lastConfig?.d1_databases?.[0]?.database_id,
  },
  {
    kind: "KV namespace",
    name: `${name}-${kv.binding.toLowerCase()}`,
    id: kv.id ?? lastConfig?.kv_namespaces?.[0]?.id,
  },
];

/** wrangler.toml with the addresses and ids of this deployment. */
const withResources = (
  config: Unstable_RawConfig,
  { name, d1, kv }: Parts,
  { baseUrl, shortBaseUrl }: Addresses,
  previous: readonly string[],
  [databaseId = "", namespaceId = ""]: readonly string[],
): Unstable_RawConfig => ({
  ...config,
  vars: {
    ...config.vars,
    BASE_URL: baseUrl,
    SHORT_BASE_URL: shortBaseUrl,
    FORMER_HOSTS: previous.join(" "),
    INSTALLATION: name,
  },
  d1_databases: [{ ...d1, database_id: databaseId, remote: true }],
  kv_namespaces: [{ ...kv, id: namespaceId, remote: true }],
});

/** Throws if the API does not tell which custom domains the Worker has, so that the deployment could take a host off. */
function assertDomainsKept(
  { present }: DomainRoutes,
  domains: readonly DeployedDomain[],
  saved: readonly string[],
): void {
  const lost = domains.find(({ host, leadsHere }) => leadsHere && !saved.includes(host));
  if (present !== undefined || lost === undefined) return;
  throw new Error(
    `Cloudflare's API does not tell which custom domains the Worker has, and without ${lost.host} among them its short links would stop. Nothing was deployed. Log in to wrangler, and set CLOUDFLARE_ACCOUNT_ID if you have several accounts.`,
  );
}

/** Says which domains of workspaces the Worker gets, and what is left to do for the others. */
function printDomains({ added, unrouted }: DomainRoutes, print: Deployment["print"]): void {
  for (const host of added) {
    print(
      `The domain ${host} leads to the Worker now. The daily job or the command "domain check" makes it active.`,
    );
  }
  for (const { host, reason } of unrouted)
    print(`The domain ${host} does not lead to the Worker: ${reason}.`);
}

const NO_DOMAINS: DomainRoutes = { added: [], unrouted: [] };

/** Finds or creates D1 and KV by name, applies the migrations and deploys the Worker. Throws before any change if something is not as expected. */
export async function deploy(deployment: Deployment): Promise<void> {
  const { wrangler, cloudflare, environment, config, lastConfig, saveConfig, print } = deployment;
  const options = parseDeployOptions(deployment.args);
  assertEnvironment(deployment);
  if (options.isReadOnly) {
    await wrangler(["deploy", TOP_LEVEL, ...options.passed], true);
    return;
  }
  const parts = getParts(config);
  // Another Worker's addresses and domains must not pass to this one.
  const ownConfig = lastConfig?.name === config.name ? lastConfig : undefined;
  const addresses = await resolveAddresses({ ...deployment, lastConfig: ownConfig, options });
  const previous = previousHosts(addresses, config, ownConfig);
  assertSameNames(deployment, options);
  await assertHostsUnused(deployment, options, newHosts(addresses, ownConfig));
  const known = options.adopt ? undefined : lastConfig;
  const ids = await findOrCreate(toResources(parts, known), wrangler, print);
  for (const warning of listMoveWarnings(addresses, ownConfig)) print(warning);
  const undeployed: Unstable_RawConfig = {
    ...withResources(config, parts, addresses, previous, ids),
    workers_dev: toExposure(addresses, previous, []).workers_dev,
    // New domains are saved after the deployment only, so that a mistyped one does not stay.
    ...(ownConfig?.routes === undefined ? {} : { routes: ownConfig.routes }),
  };
  saveConfig(undeployed);
  const migrations = await readDeployedMigrations(parts.databaseName, wrangler);
  if (hasOtherMigrations(migrations)) {
    throw new Error(
      `The database "${parts.databaseName}" was made with other migrations than this release has, and cannot be changed into its schema: deploy to another database.`,
    );
  }
  const domains = migrations.length === 0 ? [] : await readDeployedDomains(parts.databaseName, wrangler);
  const taken = domains.find(({ host }) => ownHosts(addresses).includes(host));
  if (taken !== undefined) {
    const { BASE_URL = "", SHORT_BASE_URL = "" } = ownConfig?.vars ?? {};
    saveConfig({ ...undeployed, vars: { ...undeployed.vars, BASE_URL, SHORT_BASE_URL } });
    throw new Error(
      `${taken.host} is a domain of a workspace, whose short links would stop. Nothing was deployed. Take another address, or remove the domain and release it: npm run admin -- domain release --host ${taken.host} --remote.`,
    );
  }
  const used = domains.filter(({ isRemoved }) => !isRemoved);
  const target = {
    worker: parts.name,
    account: environment["CLOUDFLARE_ACCOUNT_ID"] || config.account_id,
    replaceDns: options.replaceDns,
  };
  const routes = used.length === 0 ? NO_DOMAINS : await planDomainRoutes(cloudflare, target, used);
  assertDomainsKept(routes, used, hostsOf(ownConfig));
  print("Applying the migrations …");
  await wrangler(
    ["d1", "migrations", "apply", parts.databaseName, "--remote", "--config", DEPLOYED_CONFIG, TOP_LEVEL],
    true,
  );
  print("Deploying … (wrangler warns of redact_query_string, which Cloudflare knows)");
  const kept = [...(routes.present ?? hostsOf(ownConfig)), ...routes.added];
  const deployed = { ...undeployed, ...toExposure(addresses, previous, kept) };
  // Saved for this command alone, since every wrangler command on such a config warns.
  saveConfig({ ...deployed, observability: { ...config.observability, ...WITHOUT_QUERIES } });
  let finalConfig = undeployed;
  try {
    await wrangler(["deploy", "--config", DEPLOYED_CONFIG, TOP_LEVEL, ...options.passed], true);
    finalConfig = deployed;
  } finally {
    saveConfig(finalConfig);
  }
  printDomains(routes, print);
}
