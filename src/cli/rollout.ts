import type { Unstable_RawConfig } from "wrangler";
import { newHosts, ownHosts, previousHosts, resolveAddresses } from "./addresses";
import { backupBucketName } from "./backup-resource";
import { type Ask, isOneOf } from "./choice";
import { type Cloudflare, findAccount, getWorkersDevAddress, inApiWords } from "./cloudflare";
import { resolvePlan } from "./cloudflare-plan";
import { findResources, getParts, type Wrangler } from "./cloudflare-resources";
import type { DeployOptions } from "./deploy-options";
import { assertSameAsDeployed, readDeployed } from "./deployed";
import { readProvedDomains } from "./deployed-database";
import { assertHostsInZones, assertHostsUnused, findDomainRoutes } from "./domain-routes";
import { JURISDICTION_VARIABLE, JURISDICTIONS } from "./jurisdiction";

export interface Deployment {
  /** The arguments after `npm run deploy --`. */
  args: readonly string[];
  /** The environment variables. */
  environment: Readonly<Record<string, string | undefined>>;
  wrangler: Wrangler;
  cloudflare: Cloudflare;
  /** wrangler.toml. */
  config: Unstable_RawConfig;
  /** The config that the last deployment from this clone saved. */
  savedConfig: Unstable_RawConfig | undefined;
  /** The version of the release. */
  version: string;
  /** Saves the config with ids and addresses for `admin --remote` and the next deployment. */
  saveConfig: (config: Unstable_RawConfig) => void;
  /** Undefined without a terminal. */
  ask: Ask | undefined;
  hasDnsRecords: (host: string) => Promise<boolean>;
  print: (line: string) => void;
}

/** The account that the Worker is in. */
async function accountOf({ environment, config, cloudflare }: Deployment): Promise<string> {
  const known = environment["CLOUDFLARE_ACCOUNT_ID"] || config.account_id;
  if (known) return known;
  return findAccount(cloudflare).catch((error: unknown) => {
    throw new Error(`${inApiWords(error)}. Nothing was changed.`);
  });
}

/** Throws if the last deployment was another Worker, or had another database. `adopt` allows it. */
function assertSameNames(
  config: Unstable_RawConfig,
  lastConfig: Unstable_RawConfig | undefined,
  { adopt }: DeployOptions,
): void {
  const namesIn = ({ name, d1_databases: databases }: Unstable_RawConfig) =>
    `the Worker ${name} with the database ${databases?.[0]?.database_name}`;
  if (lastConfig === undefined || adopt || namesIn(config) === namesIn(lastConfig)) return;
  throw new Error(
    `wrangler.toml has ${namesIn(config)}, but the last deployment was ${namesIn(lastConfig)}. Nothing was changed. Correct the name, or deploy the other one from another clone. If it is meant to be another one from now on: npm run deploy -- --adopt.`,
  );
}

/** Finds out what to do. Asks what nobody has said yet. Throws if something is not as expected. */
export async function prepareRollout(deployment: Deployment, options: DeployOptions) {
  const { cloudflare, config, savedConfig, print } = deployment;
  const parts = getParts(config);
  const { name } = parts;
  const account = await accountOf(deployment);
  const current = await readDeployed(cloudflare, account, parts).catch((error: unknown) => {
    throw new Error(`${inApiWords(error)}. So it is not known what is deployed. Nothing was changed.`);
  });
  if (!options.adopt) assertSameAsDeployed(savedConfig, current);
  const lastConfig = savedConfig ?? current;
  // Another Worker's addresses must not pass to this one.
  const last = current ?? (lastConfig?.name === name ? lastConfig : undefined);
  const addresses = await resolveAddresses({
    ...deployment,
    lastConfig: last,
    options,
    getWorkersDev: () => getWorkersDevAddress(cloudflare, name, account),
  });
  // A first deployment that was interrupted leaves a file too. Its addresses were never served, and may be mistyped.
  const served = current ?? { vars: { FORMER_HOSTS: String(last?.vars?.["FORMER_HOSTS"] ?? "") } };
  const previous = previousHosts(addresses, config, served, options.dropHost);
  assertSameNames(config, lastConfig, options);
  const target = { worker: name, account, replaceDns: options.replaceDns };
  const hosts = newHosts([...ownHosts(addresses), ...previous], current);
  await assertHostsUnused(cloudflare, target, hosts, deployment.hasDnsRecords);
  await assertHostsInZones(cloudflare, account, hosts);
  const ask = current === undefined ? deployment.ask : undefined;
  const plan = await resolvePlan(options.plan, config, last, { ask, print });
  const saved = last?.vars?.[JURISDICTION_VARIABLE];
  const resources = await findResources(deployment, parts, options.adopt ? undefined : lastConfig, {
    wanted: options.jurisdiction ?? (isOneOf(JURISDICTIONS, saved) ? saved : undefined),
    location: options.location,
    ask,
  });
  const proved = await readProvedDomains(cloudflare, account, resources.database, ownHosts(addresses), print);
  const routes = await findDomainRoutes(cloudflare, target, proved);
  // All custom domains that the Worker has or gets, without those that are given up.
  const domains = [...routes.present, ...routes.added].filter((host) => !options.dropHost.includes(host));
  // A Worker that is new may find values of one that was deleted.
  const hasNewEpoch = options.newCache === true || current === undefined;
  const backups = backupBucketName(name, options.backups, last);
  return {
    parts,
    account,
    addresses,
    previous,
    current,
    plan,
    resources,
    backups,
    routes,
    domains,
    hasNewEpoch,
  };
}

/** What a deployment is going to do, as it was found before any change. */
export type Rollout = Awaited<ReturnType<typeof prepareRollout>>;
