import type { Unstable_RawConfig } from "wrangler";
import {
  type Ask,
  describeFailure,
  describeTrial,
  hostsOf,
  listMoveWarnings,
  newHosts,
  ownHosts,
  previousHosts,
  resolveAddresses,
  toExposure,
} from "./addresses";
import { type Cloudflare, getWorkersDevAddress } from "./cloudflare";
import { type DeployOptions, parseDeployOptions } from "./deploy-options";
import {
  assertDomainsKept,
  type DomainRoutes,
  describeDomains,
  findHostWithoutZone,
  planDomainRoutes,
} from "./domain-routes";
import { isJurisdiction, JURISDICTION_VARIABLE } from "./jurisdiction";
import { hasOtherMigrations, listLaterMigrations } from "./migrations";
import { reasonOf } from "./plain";
import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";
import {
  type DeployedDomain,
  getParts,
  readDeployedDomains,
  readDeployedMigrations,
  type Wrangler,
  withIds,
} from "./resources";

/** The variable with the beginning of the names of all values in KV. */
const EPOCH_VARIABLE = "CACHE_EPOCH";

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

/** Throws if npm consumed an option, which would make a dry run a real one. */
function assertOptionsPassed({ environment }: Deployment): void {
  for (const option of ["dry-run", "env"]) {
    const value = environment[`npm_config_${option.replace("-", "_")}`];
    if (value !== undefined && value !== "" && value !== "false") {
      throw new Error(
        `npm has taken --${option} for itself. Nothing was changed. Options stand behind "--", as in: npm run deploy -- --dry-run`,
      );
    }
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

/** Throws if a new own host has DNS records, which the deployment would replace. `--replace-dns` allows it. */
async function assertHostsUnused(
  { hasDnsRecords }: Deployment,
  options: DeployOptions,
  hosts: readonly string[],
): Promise<void> {
  for (const host of hosts) {
    if (!options["replace-dns"].includes(host) && (await hasDnsRecords(host))) {
      throw new Error(
        `${host} has DNS records already. Cloudflare would replace them by the Worker, and what they lead to would end. Nothing was changed. Take a host that serves nothing. If the records are this Worker's own (a custom domain from the dashboard) or may go: npm run deploy -- --replace-dns ${host}.`,
      );
    }
  }
}

/** After the first deployment. */
const NEXT =
  'Next, unless it has one, a workspace: npm run admin -- workspace create --name "Acme" --slug acme --remote. What comes after it is in src/docs/deploy.md.';

/** Says which of the two settings of mail is missing, if one is. */
function describeMail({ send_email: bindings, vars }: Unstable_RawConfig): string[] {
  const hasBinding = bindings?.some(({ name }) => name === "MAIL") === true;
  const hasSender = String(vars?.["MAIL_FROM"] ?? "").trim() !== "";
  if (hasBinding === hasSender) return [];
  return [
    `No mail is sent: wrangler.toml has ${hasBinding ? "MAIL but no MAIL_FROM" : "MAIL_FROM but no MAIL"}.`,
  ];
}

/** The proved domains of a deployed database; none of a new one. Throws if it was made with other migrations. */
async function readDomains({ wrangler, print }: Deployment, database: string): Promise<DeployedDomain[]> {
  const migrations = await readDeployedMigrations(database, wrangler);
  if (hasOtherMigrations(migrations)) {
    throw new Error(
      `The database "${database}" was made with other migrations than this release has, and cannot be changed into its schema: deploy to another database.`,
    );
  }
  const later = listLaterMigrations(migrations);
  if (later.length > 0) {
    print(
      `The database "${database}" has the schema of a later release (${later.join(", ")}). It stays as it is, and this release runs on it.`,
    );
  }
  return migrations.length === 0 ? [] : readDeployedDomains(database, wrangler);
}

/** Finds or creates D1 and KV by name, applies the migrations and deploys the Worker. Throws before any change if something is not as expected. */
export async function deploy(deployment: Deployment): Promise<void> {
  const { wrangler, environment, cloudflare, config, lastConfig, saveConfig, print } = deployment;
  const options = parseDeployOptions(deployment.args);
  assertOptionsPassed(deployment);
  if (options.isReadOnly) {
    await wrangler(["deploy", TOP_LEVEL, ...options.passed], true);
    return;
  }
  const parts = getParts(config);
  const { name, database } = parts;
  // Another Worker's addresses and domains must not pass to this one.
  const ownConfig = lastConfig?.name === name ? lastConfig : undefined;
  const account = environment["CLOUDFLARE_ACCOUNT_ID"] || config.account_id;
  const addresses = await resolveAddresses({
    ...deployment,
    lastConfig: ownConfig,
    options,
    getWorkersDev: () => getWorkersDevAddress(cloudflare, name, account),
  });
  const previous = previousHosts(addresses, config, ownConfig);
  assertSameNames(deployment, options);
  const hosts = newHosts(addresses, ownConfig);
  await assertHostsUnused(deployment, options, hosts);
  const withoutZone = await findHostWithoutZone(cloudflare, account, hosts);
  if (withoutZone !== undefined) {
    throw new Error(
      `No zone of the account has ${withoutZone}, so the Worker would have an address that leads nowhere. Nothing was changed. Correct the host, or add its domain to the account and deploy again once it is active.`,
    );
  }

  const saved = ownConfig?.vars?.[JURISDICTION_VARIABLE];
  const found = await withIds(deployment, parts, options.adopt ? undefined : lastConfig, {
    wanted: options.jurisdiction ?? (isJurisdiction(saved) ? saved : undefined),
    ask: ownConfig === undefined ? deployment.ask : undefined,
  });
  for (const warning of listMoveWarnings(addresses, ownConfig)) print(warning);
  const epoch = ownConfig === undefined ? undefined : String(ownConfig.vars?.[EPOCH_VARIABLE] ?? "");
  const undeployed: Unstable_RawConfig = {
    ...found,
    vars: {
      ...found.vars,
      BASE_URL: addresses.baseUrl,
      SHORT_BASE_URL: addresses.shortBaseUrl,
      FORMER_HOSTS: previous.join(" "),
      INSTALLATION: name,
      ...(epoch !== undefined && { [EPOCH_VARIABLE]: epoch }),
    },
    workers_dev: toExposure(addresses, previous, []).workers_dev,
    // New domains are saved after the deployment only, so that a mistyped one does not stay.
    ...(ownConfig?.routes === undefined ? {} : { routes: ownConfig.routes }),
  };
  saveConfig(undeployed);

  const domains = await readDomains(deployment, database);
  const taken = domains.find(({ host }) => ownHosts(addresses).includes(host));
  if (taken !== undefined) {
    const { BASE_URL = "", SHORT_BASE_URL = "" } = ownConfig?.vars ?? {};
    saveConfig({ ...undeployed, vars: { ...undeployed.vars, BASE_URL, SHORT_BASE_URL } });
    throw new Error(
      `${taken.host} is a domain of a workspace, whose short links would stop. Nothing was deployed. Take another address, or remove the domain and release it: npm run admin -- domain release --host ${taken.host} --remote.`,
    );
  }
  const target = { worker: name, account, replaceDns: options["replace-dns"] };
  const used = domains.filter(({ isRemoved }) => !isRemoved);
  const routes: DomainRoutes =
    used.length === 0 ? { added: [], unrouted: [] } : await planDomainRoutes(cloudflare, target, used);
  assertDomainsKept(routes, used, hostsOf(ownConfig));

  print("Applying the migrations …");
  const deployedConfig = ["--config", DEPLOYED_CONFIG, TOP_LEVEL];
  await wrangler(["d1", "migrations", "apply", database, "--remote", ...deployedConfig], true);
  print("Deploying …");
  const kept = [...(routes.present ?? hostsOf(ownConfig)), ...routes.added];
  // What is saved in another clone may be lost, so a first deployment from here reads no value that it may have written.
  const isNew = options["new-cache"] === true || epoch === undefined;
  const vars = { ...undeployed.vars, ...(isNew && { [EPOCH_VARIABLE]: Date.now().toString(36) }) };
  const deployed = { ...undeployed, vars, ...toExposure(addresses, previous, kept) };
  saveConfig(deployed);
  try {
    await wrangler(["deploy", ...deployedConfig, ...options.passed], true);
  } catch (error) {
    // The Worker may have the new epoch, which must not be followed by an old one.
    saveConfig({ ...undeployed, vars });
    // wrangler replaces the Worker before it asks for the custom domains.
    throw new Error([reasonOf(error), ...describeFailure(addresses, ownConfig)].join("\n"));
  }
  if (ownConfig === undefined) print(NEXT);
  for (const line of [...describeDomains(routes), ...describeMail(config), ...describeTrial(addresses)])
    print(line);
}
