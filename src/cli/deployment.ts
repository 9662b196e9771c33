import type { Unstable_RawConfig } from "wrangler";
import {
  describeFailure,
  describeTrial,
  listMoveWarnings,
  newHosts,
  ownHosts,
  toExposure,
} from "./addresses";
import { backupBucketName, createBackupBucket, toBackupBuckets } from "./backup-resource";
import type { Ask } from "./choice";
import { PLAN_VARIABLE } from "./cloudflare-plan";
import { createMissing } from "./cloudflare-resources";
import { type DeployOptions, helpText, parseDeployOptions } from "./deploy-options";
import { readDeployed } from "./deployed";
import { describeDomains } from "./domain-routes";
import { JURISDICTION_VARIABLE } from "./jurisdiction";
import { reasonOf } from "./plain";
import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";
import { type Deployment, prepareRollout, type Rollout } from "./rollout";

/** The variable with the beginning of the names of all values in KV. */
const EPOCH_VARIABLE = "CACHE_EPOCH";

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
  const rollout = await prepareRollout(deployment, options);
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
