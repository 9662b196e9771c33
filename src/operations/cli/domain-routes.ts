import { hostAndParents } from "../../lib/destination";
import { type Cloudflare, findAccount, inApiWords } from "./cloudflare";
import type { DeployedDomain } from "./resources";

/** The Worker, and what the operator says about it. */
interface Target {
  worker: string;
  /** Undefined if the account that wrangler is logged in to is the only one. */
  account: string | undefined;
  /** Hosts whose DNS records the deployment may replace. */
  replaceDns: readonly string[];
}

/** What a deployment does with the domains of workspaces. */
export interface DomainRoutes {
  /** The custom domains that the Worker has; undefined if the API does not tell. */
  present?: string[];
  /** Those that it gets. */
  added: string[];
  unrouted: { host: string; reason: string }[];
}

const NO_ZONE =
  "no zone of this account has it. Add the zone, or use Cloudflare for SaaS (src/docs/operating.md#cloudflare-for-saas)";

/** The names of the Workers that have custom domains in the account, by host. */
async function listOwners(api: Cloudflare, account: string): Promise<Map<string, string>> {
  const domains = (await api(`/accounts/${account}/workers/domains`)) as {
    hostname: string;
    service: string;
  }[];
  return new Map(domains.map(({ hostname, service }) => [hostname, service]));
}

/** Whether the host or a name above it is a zone of the account. */
async function isInAccount(api: Cloudflare, account: string, host: string): Promise<boolean> {
  for (const name of hostAndParents(host).slice(0, -1)) {
    const zones = (await api(`/zones?name=${name}&account.id=${account}`)) as { name: string }[];
    if (zones.some((zone) => zone.name === name)) return true;
  }
  return false;
}

/** Finds a host that is in no zone of the account. A token that may not read zones sees none, so it finds nothing. */
export async function findHostWithoutZone(
  api: Cloudflare,
  known: string | undefined,
  hosts: readonly string[],
): Promise<string | undefined> {
  try {
    const account = known ?? (await findAccount(api));
    const zones = (await api(`/zones?account.id=${account}&per_page=5`)) as object[];
    if (zones.length > 0) for (const host of hosts) if (!(await isInAccount(api, account, host))) return host;
  } catch {
    // wrangler asks too, and reports what the API refuses.
  }
  return undefined;
}

/** Whether the host has DNS records that a custom domain would replace. wrangler asks the same in a terminal. */
async function hasDnsRecords(api: Cloudflare, account: string, worker: string, host: string) {
  const path = `/accounts/${account}/workers/scripts/${worker}/domains/changeset?replace_state=true`;
  const { conflicting } = (await api(path, [{ hostname: host }])) as { conflicting: unknown[] };
  return conflicting.length > 0;
}

/**
 * Asks host by host whether a custom domain of the Worker takes it from nobody: wrangler replaces DNS records and takes hosts
 * from other Workers without a question. Never throws.
 */
export async function planDomainRoutes(
  api: Cloudflare,
  { worker, account: known, replaceDns }: Target,
  domains: readonly DeployedDomain[],
): Promise<DomainRoutes> {
  const plan: DomainRoutes = { added: [], unrouted: [] };
  // An active host may lead here in another way, such as Cloudflare for SaaS.
  const leave = ({ host, leadsHere }: DeployedDomain, reason: string) => {
    if (!leadsHere) plan.unrouted.push({ host, reason });
  };
  let account: string;
  let owners: Map<string, string>;
  try {
    account = known ?? (await findAccount(api));
    owners = await listOwners(api, account);
  } catch (error) {
    for (const domain of domains) leave(domain, inApiWords(error));
    return plan;
  }
  const present = [...owners].flatMap(([host, owner]) => (owner === worker ? [host] : []));

  async function findProblem(host: string): Promise<string | undefined> {
    const owner = owners.get(host);
    if (owner !== undefined) return `the Worker "${owner}" has it. Take it off there first`;
    if (!(await isInAccount(api, account, host))) return NO_ZONE;
    if (replaceDns.includes(host) || !(await hasDnsRecords(api, account, worker, host))) return undefined;
    return `it has DNS records. Delete them, or let them be replaced: npm run deploy -- --replace-dns ${host}`;
  }

  for (const domain of domains) {
    if (present.includes(domain.host)) continue;
    const problem = await findProblem(domain.host).catch(inApiWords);
    if (problem === undefined) plan.added.push(domain.host);
    else leave(domain, problem);
  }
  return { ...plan, present };
}

/** Throws if the API does not tell which custom domains the Worker has, so that a deployment could take a host off. */
export function assertDomainsKept(
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
export const describeDomains = ({ added, unrouted }: DomainRoutes): string[] => [
  ...added.map(
    (host) =>
      `The domain ${host} leads to the Worker now. The daily job or the command "domain check" makes it active.`,
  ),
  ...unrouted.map(({ host, reason }) => `The domain ${host} does not lead to the Worker: ${reason}.`),
];
