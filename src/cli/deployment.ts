import type { Unstable_RawConfig } from "wrangler";
import {
  type Addresses,
  describeFailure,
  describeTrial,
  listMoveWarnings,
  newHosts,
  ownHosts,
  previousHosts,
  resolveAddresses,
  toExposure,
} from "./addresses";
import { backupBucketName, createBackupBucket, toBackupBuckets } from "./backup-resource";
import { type Ask, isOneOf } from "./choice";
import { type Cloudflare, findAccount, getWorkersDevAddress, inApiWords } from "./cloudflare";
import { PLAN_VARIABLE, resolvePlan } from "./cloudflare-plan";
import {
  createMissing,
  findResources,
  getParts,
  type Resources,
  type Wrangler,
} from "./cloudflare-resources";
import { type DeployOptions, helpText, parseDeployOptions } from "./deploy-options";
import { assertSameAsDeployed, readDeployed } from "./deployed";
import { readProvedDomains } from "./deployed-database";
import {
  assertHostsInZones,
  assertHostsUnused,
  type DomainRoutes,
  describeDomains,
  findDomainRoutes,
} from "./domain-routes";
import { JURISDICTION_VARIABLE, JURISDICTIONS } from "./jurisdiction";
import { reasonOf } from "./plain";
import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";

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

/** Throws unless the answer is empty or yes. */
async function confirm(ask: Ask): Promise<void> {
  const answer = await ask("Go on? Press Enter, or type no: ");
  if (!["", "y", "yes"].includes(answer.trim().toLowerCase())) throw new Error("Nothing was changed.");
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

/** What a deployment is going to do, as it was found before any change. */
interface Rollout {
  parts: ReturnType<typeof getParts>;
  account: string;
  addresses: Addresses;
  previous: readonly string[];
  /** The config with which this Worker is deployed; undefined if it is not. */
  current: Unstable_RawConfig | undefined;
  plan: string;
  resources: Resources;
  /** The name of the bucket of scheduled backups; undefined for none. */
  backups: string | undefined;
  routes: DomainRoutes;
  /** All custom domains that the Worker has or gets, without those that are given up. */
  domains: readonly string[];
  /** Whether nothing is read again that was written to KV before. */
  hasNewEpoch: boolean;
}

/** Finds out what to do. Asks what nobody has said yet. Throws if something is not as expected. */
async function prepare(deployment: Deployment, options: DeployOptions): Promise<Rollout> {
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

/** Says what the deployment is going to do. */
function describe(
  { parts, account, addresses, previous, current, resources, backups, domains, hasNewEpoch }: Rollout,
  { dropHost, replaceDns }: DeployOptions,
): string[] {
  const created = [resources.database, resources.namespace].filter(({ id }) => id === undefined);
  const own = ownHosts(addresses);
  const others = [...previous, ...domains].filter((host) => !own.includes(host));
  const replaced = newHosts([...own, ...others], current).filter((host) => replaceDns.includes(host));
  const list = (label: string, hosts: readonly string[]) =>
    hosts.length > 0 ? [`- ${label}: ${[...new Set(hosts)].join(", ")}.`] : [];
  return [
    `${current === undefined ? "Deploys a new" : "Replaces the"} Worker ${parts.name} in the account ${account}:`,
    `- The API and the web application are at ${addresses.baseUrl}, short links at ${addresses.shortBaseUrl}.`,
    ...list("Its other hosts", others),
    ...list("Given up, with the codes that are printed with them", dropHost),
    ...list("The Worker replaces the DNS records, if there are any, of", replaced),
    ...created.map(({ kind, name, options }) => `- New: the ${kind} ${[name, ...options].join(" ")}.`),
    `- The database ${parts.database} gets the migrations that it lacks.`,
    ...(backups === undefined ? [] : [`- A backup is written into the R2 bucket ${backups} every day.`]),
    ...(hasNewEpoch
      ? ["- A new cache epoch begins: nothing that was written to KV before is read again."]
      : []),
    ...listMoveWarnings(addresses, current),
  ];
}

/** The config that is deployed. wrangler reads it too. */
async function toConfig(
  deployment: Deployment,
  { parts, addresses, previous, current, plan, resources, backups, domains, hasNewEpoch }: Rollout,
): Promise<Unstable_RawConfig> {
  const { config, wrangler } = deployment;
  const { jurisdiction } = resources;
  const isBound = backupBucketName(parts.name, undefined, current) === backups;
  if (backups !== undefined && !isBound) await createBackupBucket(wrangler, backups, jurisdiction);
  return {
    ...config,
    vars: {
      ...config.vars,
      ...(jurisdiction !== undefined && { [JURISDICTION_VARIABLE]: jurisdiction }),
      BASE_URL: addresses.baseUrl,
      SHORT_BASE_URL: addresses.shortBaseUrl,
      FORMER_HOSTS: previous.join(" "),
      INSTALLATION: parts.name,
      [PLAN_VARIABLE]: plan,
      [EPOCH_VARIABLE]: hasNewEpoch ? Date.now().toString(36) : String(current?.vars?.[EPOCH_VARIABLE] ?? ""),
    },
    d1_databases: [
      { ...parts.d1, database_id: await createMissing(deployment, resources.database), remote: true },
    ],
    kv_namespaces: [{ ...parts.kv, id: await createMissing(deployment, resources.namespace), remote: true }],
    ...(backups !== undefined && { r2_buckets: toBackupBuckets(backups, jurisdiction) }),
    ...toExposure(addresses, previous, domains),
  };
}

/** Creates what is missing, applies the migrations and deploys the Worker. If that fails, what is deployed is saved. */
async function carryOut(deployment: Deployment, rollout: Rollout, options: DeployOptions): Promise<void> {
  const { wrangler, cloudflare, config, savedConfig, saveConfig, print, version } = deployment;
  const { parts, account, addresses, current } = rollout;
  const next = await toConfig(deployment, rollout);
  // Domains that nothing is deployed at are not kept, since one may be mistyped.
  const { routes: _, ...undeployed } = next;
  saveConfig(undeployed);
  const deployedConfig = ["--config", DEPLOYED_CONFIG, TOP_LEVEL];
  let isReplacing = false;
  try {
    print("Applying the migrations …");
    await wrangler(["d1", "migrations", "apply", parts.database, "--remote", ...deployedConfig], true);
    print("Deploying …");
    saveConfig(next);
    isReplacing = true;
    const labels = [
      `--tag=${options.tag ?? version}`,
      `--message=${options.message ?? `Waymark ${version}`}`,
    ];
    await wrangler(["deploy", ...deployedConfig, ...options.passed, ...labels], true);
  } catch (error) {
    const now = await readDeployed(cloudflare, account, parts).catch(() => undefined);
    saveConfig(now === undefined ? (savedConfig ?? undeployed) : { ...config, ...now });
    // wrangler replaces the Worker before it asks for the custom domains.
    throw new Error(
      [reasonOf(error), ...(isReplacing ? describeFailure(addresses, current) : [])].join("\n"),
    );
  }
}

/** Deploys the Worker with its database and namespace: finds out what to do, says it, and does it once a terminal has confirmed it. */
export async function deploy(deployment: Deployment): Promise<void> {
  const { wrangler, config, ask, print } = deployment;
  const options = parseDeployOptions(deployment.args);
  assertOptionsPassed(deployment);
  if (options.help === true) print(helpText());
  if (options.isReadOnly) {
    await wrangler(["deploy", TOP_LEVEL, ...options.passed], true);
    return;
  }
  const rollout = await prepare(deployment, options);
  for (const line of describe(rollout, options)) print(line);
  if (ask !== undefined) await confirm(ask);
  await carryOut(deployment, rollout, options);
  if (rollout.current === undefined) print(NEXT);
  for (const line of [
    ...describeDomains(rollout.routes),
    ...describeMail(config),
    ...describeTrial(rollout.addresses),
  ])
    print(line);
}
