import type { Unstable_RawConfig } from "wrangler";
import { type Ask, consequencesOf, exposureOf, newDomains, resolveAddresses } from "./addresses";
import { type DeployOptions, parseDeployOptions } from "./deploy-options";
import { DEPLOYED_CONFIG } from "./platform";
import { database, findOrCreate, namespace, type Wrangler } from "./resources";

export interface Deployment {
  /** The command line behind `npm run deploy --`. */
  args: readonly string[];
  /** The environment's variables as wrangler will read them. */
  environment: Readonly<Record<string, string | undefined>>;
  wrangler: Wrangler;
  /** wrangler.toml as it stands. */
  config: Unstable_RawConfig;
  /** The config that the last deployment kept, where there was one. */
  kept: Unstable_RawConfig | undefined;
  /** Keeps the config with ids and addresses, which git ignores and `admin --remote` reads. */
  keep: (config: Unstable_RawConfig) => void;
  /** Undefined where there is no terminal. */
  ask: Ask | undefined;
  /** Whether a host has addresses in the DNS. */
  isInUse: (host: string) => Promise<boolean>;
  say: (line: string) => void;
}

/**
 * Cloudflare puts the request's URL beside each line of the log. This cuts its query, which may hold a sign-in link's token.
 * wrangler 4.86 warns that it does not know the setting, and sends it.
 */
const WITHOUT_QUERIES = { redact_query_string: true };

/** Refuses variables that would make wrangler mean another Worker, and options that npm has kept for itself. */
function assertEnvironment({ environment, config }: Deployment): void {
  for (const option of ["dry-run", "env"]) {
    const value = environment[`npm_config_${option.replace("-", "_")}`];
    if (value !== undefined && value !== "" && value !== "false") {
      throw new Error(
        `npm has taken --${option} for itself. Nothing was changed. Options stand behind "--", as in: npm run deploy -- --dry-run`,
      );
    }
  }
  const { CLOUDFLARE_ENV: env, WRANGLER_CI_OVERRIDE_NAME: name } = environment;
  if (env) {
    throw new Error(
      `CLOUDFLARE_ENV is "${env}", which makes wrangler deploy another Worker. Nothing was changed. Unset it, also in .env.`,
    );
  }
  if (name && name !== config.name) {
    throw new Error(
      `WRANGLER_CI_OVERRIDE_NAME is "${name}", but wrangler.toml names the Worker ${config.name}. Nothing was changed. Make the two the same.`,
    );
  }
}

/** Refuses a config whose Worker is not the last one that was deployed from here, and domains that serve something else. */
async function assertOurs(
  { config, kept, isInUse }: Deployment,
  { adopt, replaceDns }: DeployOptions,
  domains: readonly string[],
): Promise<void> {
  if (kept?.name !== undefined && kept.name !== config.name && !adopt) {
    throw new Error(
      `wrangler.toml names the Worker ${config.name}, but the last deployment from here was ${kept.name} (${DEPLOYED_CONFIG}). Nothing was changed. Correct the name, or deploy the other Worker from another clone. If the Worker is meant to be another one from now on: npm run deploy -- --adopt.`,
    );
  }
  for (const host of replaceDns ? [] : domains) {
    if (await isInUse(host)) {
      throw new Error(
        `${host} has DNS records already. Cloudflare would replace them by the Worker, and what they lead to would end. Nothing was changed. Take a host that serves nothing. If the records are this Worker's own (a custom domain from the dashboard) or may go: npm run deploy -- --replace-dns.`,
      );
    }
  }
}

/** Deploys from whatever is there: finds or creates D1 and KV by name, migrates, then puts the Worker in place. */
export async function deploy(deployment: Deployment): Promise<void> {
  const { wrangler, config, kept, say } = deployment;
  const options = parseDeployOptions(deployment.args);
  assertEnvironment(deployment);
  if (options.isHarmless) {
    await wrangler(["deploy", ...options.passed], true);
    return;
  }
  const [d1] = config.d1_databases ?? [];
  const [kv] = config.kv_namespaces ?? [];
  const databaseName = d1?.database_name;
  if (config.name === undefined) throw new Error("wrangler.toml must name the Worker.");
  if (d1 === undefined || kv === undefined || databaseName === undefined) {
    throw new Error("wrangler.toml must name one D1 database and one KV namespace.");
  }
  if (config.routes !== undefined || config.route !== undefined) {
    throw new Error(
      "Take the routes out of wrangler.toml: they rewrite the addresses of local requests. npm run deploy makes them of --base-url and --short-base-url.",
    );
  }
  // The addresses and domains of another Worker stay with that one.
  const own = kept?.name === config.name ? kept : undefined;
  const addresses = await resolveAddresses({ ...deployment, kept: own, options });
  const exposure = exposureOf(addresses, own);
  await assertOurs(deployment, options, newDomains(exposure, own));
  const resources = [
    database(databaseName, { configuredId: d1.database_id, keptId: kept?.d1_databases?.[0]?.database_id }),
    namespace(`${config.name}-${kv.binding.toLowerCase()}`, {
      configuredId: kv.id,
      keptId: kept?.kv_namespaces?.[0]?.id,
    }),
  ];
  const [databaseId, namespaceId] = await findOrCreate(resources, wrangler, options.adopt, say);
  for (const sentence of consequencesOf(addresses, own)) say(sentence);
  const undeployed: Unstable_RawConfig = {
    ...config,
    workers_dev: exposure.workers_dev,
    // A domain counts as the Worker's once it is deployed: one that was mistyped must not stay.
    ...(own?.routes === undefined ? {} : { routes: own.routes }),
    vars: {
      ...config.vars,
      BASE_URL: addresses.baseUrl,
      SHORT_BASE_URL: addresses.shortBaseUrl,
      INSTALLATION: config.name,
    },
    d1_databases: [{ ...d1, database_id: databaseId ?? "", remote: true }],
    kv_namespaces: [{ ...kv, id: namespaceId ?? "", remote: true }],
  };
  const deployed = { ...undeployed, ...exposure };
  deployment.keep(undeployed);
  // The schema is always ahead of the code that needs it, so it goes first.
  say("Applying the migrations …");
  await wrangler(["d1", "migrations", "apply", databaseName, "--remote", "--config", DEPLOYED_CONFIG], true);
  say("Deploying … (wrangler warns of redact_query_string, which Cloudflare knows)");
  // Only here: every other command on this config would warn too.
  deployment.keep({ ...deployed, observability: { ...config.observability, ...WITHOUT_QUERIES } });
  let last = undeployed;
  try {
    await wrangler(["deploy", "--config", DEPLOYED_CONFIG, ...options.passed], true);
    last = deployed;
  } finally {
    deployment.keep(last);
  }
}
