import type { Unstable_RawConfig } from "wrangler";
import {
  describeFailure,
  describeTrial,
  listMoveWarnings,
  newHosts,
  ownHosts,
  previousHosts,
  resolveAddresses,
  toExposure,
} from "./addresses";
import { type Ask, isOneOf } from "./choice";
import { type Cloudflare, findAccount, getWorkersDevAddress, inApiWords } from "./cloudflare";
import { PLAN_VARIABLE, resolvePlan } from "./cloudflare-plan";
import { getParts, type Wrangler, withIds } from "./cloudflare-resources";
import { type DeployOptions, HELP, parseDeployOptions } from "./deploy-options";
import { assertSameAsDeployed, readDeployed } from "./deployed";
import { readProvedDomains } from "./deployed-database";
import {
  assertHostsUnused,
  type DomainRoutes,
  describeDomains,
  findHostWithoutZone,
  planDomainRoutes,
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

/** Finds or creates D1 and KV by name, applies the migrations and deploys the Worker. Throws before any change if something is not as expected. */
export async function deploy(deployment: Deployment): Promise<void> {
  const { wrangler, cloudflare, config, savedConfig, saveConfig, print, version } = deployment;
  const options = parseDeployOptions(deployment.args);
  assertOptionsPassed(deployment);
  if (options.help === true) print(HELP);
  if (options.isReadOnly) {
    await wrangler(["deploy", TOP_LEVEL, ...options.passed], true);
    return;
  }
  const parts = getParts(config);
  const { name, database } = parts;
  const account = await accountOf(deployment);
  const current = await readDeployed(cloudflare, account, parts).catch((error: unknown) => {
    throw new Error(`${inApiWords(error)}. So it is not known what is deployed. Nothing was changed.`);
  });
  if (!options.adopt) assertSameAsDeployed(savedConfig, current);
  const lastConfig = savedConfig ?? current;
  // Another Worker's addresses and domains must not pass to this one.
  const ownConfig = current ?? (lastConfig?.name === name ? lastConfig : undefined);
  const addresses = await resolveAddresses({
    ...deployment,
    lastConfig: ownConfig,
    options,
    getWorkersDev: () => getWorkersDevAddress(cloudflare, name, account),
  });
  const dropped = options["drop-host"];
  const previous = previousHosts(addresses, config, ownConfig, dropped);
  assertSameNames(config, lastConfig, options);
  const target = { worker: name, account, replaceDns: options["replace-dns"] };
  const hosts = newHosts(addresses, ownConfig);
  await assertHostsUnused(cloudflare, target, hosts, deployment.hasDnsRecords);
  const withoutZone = await findHostWithoutZone(cloudflare, account, hosts);
  if (withoutZone !== undefined) {
    throw new Error(
      `No zone of the account has ${withoutZone}, so the Worker would have an address that leads nowhere. Nothing was changed. Correct the host, or add its domain to the account and deploy again once it is active.`,
    );
  }

  const ask = ownConfig === undefined ? deployment.ask : undefined;
  const plan = await resolvePlan(options.plan, config, ownConfig, { ask, print });
  const saved = ownConfig?.vars?.[JURISDICTION_VARIABLE];
  const found = await withIds(deployment, parts, options.adopt ? undefined : lastConfig, {
    wanted: options.jurisdiction ?? (isOneOf(JURISDICTIONS, saved) ? saved : undefined),
    location: options.location,
    ask,
  });
  for (const warning of listMoveWarnings(addresses, ownConfig)) print(warning);
  const undeployed: Unstable_RawConfig = {
    ...found,
    vars: {
      ...found.vars,
      BASE_URL: addresses.baseUrl,
      SHORT_BASE_URL: addresses.shortBaseUrl,
      FORMER_HOSTS: previous.join(" "),
      INSTALLATION: name,
      [PLAN_VARIABLE]: plan,
      [EPOCH_VARIABLE]: String(ownConfig?.vars?.[EPOCH_VARIABLE] ?? ""),
    },
    workers_dev: toExposure(addresses, previous, []).workers_dev,
    // New domains are saved after the deployment only, so that a mistyped one does not stay.
    ...(ownConfig?.routes === undefined ? {} : { routes: ownConfig.routes }),
  };
  saveConfig(undeployed);
  const { BASE_URL = "", SHORT_BASE_URL = "" } = ownConfig?.vars ?? {};
  /** What is saved if the deployment fails and the account does not tell what it has. */
  let before = savedConfig ?? { ...undeployed, vars: { ...undeployed.vars, BASE_URL, SHORT_BASE_URL } };
  let routes: DomainRoutes;
  let isReplacing = false;
  try {
    const domains = await readProvedDomains(deployment, database, ownHosts(addresses));
    before = savedConfig ?? undeployed;
    routes = await planDomainRoutes(cloudflare, target, domains);
    print("Applying the migrations …");
    const deployedConfig = ["--config", DEPLOYED_CONFIG, TOP_LEVEL];
    await wrangler(["d1", "migrations", "apply", database, "--remote", ...deployedConfig], true);
    print("Deploying …");
    const kept = [...routes.present, ...routes.added].filter((host) => !dropped.includes(host));
    // A Worker that is new may find values of one that was deleted.
    const isNew = options["new-cache"] === true || ownConfig === undefined;
    const vars = { ...undeployed.vars, ...(isNew && { [EPOCH_VARIABLE]: Date.now().toString(36) }) };
    saveConfig({ ...undeployed, vars, ...toExposure(addresses, previous, kept) });
    isReplacing = true;
    const labels = [
      `--tag=${options.tag ?? version}`,
      `--message=${options.message ?? `Waymark ${version}`}`,
    ];
    await wrangler(["deploy", ...deployedConfig, ...options.passed, ...labels], true);
  } catch (error) {
    saveConfig(
      await readDeployed(cloudflare, account, parts).then(
        (now) => (now === undefined ? before : { ...config, ...now }),
        () => before,
      ),
    );
    // wrangler replaces the Worker before it asks for the custom domains.
    throw new Error(
      [reasonOf(error), ...(isReplacing ? describeFailure(addresses, ownConfig) : [])].join("\n"),
    );
  }
  if (ownConfig === undefined) print(NEXT);
  for (const line of [...describeDomains(routes), ...describeMail(config), ...describeTrial(addresses)])
    print(line);
}
