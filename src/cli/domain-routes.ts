import { hostAndParents } from "../lib/destination";
import { type Cloudflare, inApiWords, isMissing, listOwners } from "./cloudflare";
import type { DeployedDomain } from "./deployed-database";
import { messageOf } from "./run";

/** The Worker, and what the operator says about it. */
interface Target {
  worker: string;
  account: string;
  /** Hosts whose DNS records the deployment may replace. */
  replaceDns: readonly string[];
}

/** What a deployment does with the domains of workspaces. */
interface DomainRoutes {
  /** The custom domains that the Worker has. */
  present: string[];
  /** Those that it gets. */
  added: string[];
  unrouted: { host: string; reason: string }[];
}

const NO_ZONE =
  "no zone of this account has it. Add the zone, or use Cloudflare for SaaS (src/docs/operating.md#cloudflare-for-saas)";

/** Whether the host or a name above it is a zone of the account. */
async function isInAccount(api: Cloudflare, account: string, host: string): Promise<boolean> {
  for (const name of hostAndParents(host).slice(0, -1)) {
    const zones = (await api(`/zones?name=${name}&account.id=${account}`)) as { name: string }[];
    if (zones.some((zone) => zone.name === name)) return true;
  }
  return false;
}

/** Throws for a host that is in no zone of the account. A token that may not read zones sees none, so nothing is known then. */
export async function assertHostsInZones(
  api: Cloudflare,
  account: string,
  hosts: readonly string[],
): Promise<void> {
  // wrangler asks too, and reports what the API refuses.
  const isUnknown = async (host: string) => !(await isInAccount(api, account, host).catch(() => true));
  const zones = await api(`/zones?account.id=${account}&per_page=5`).catch(() => []);
  if ((zones as object[]).length === 0) return;
  for (const host of hosts) {
    if (await isUnknown(host))
      throw new Error(
        `No zone of the account has ${host}, so the Worker would have an address that leads nowhere. Nothing was changed. Correct the host, or add its domain to the account and deploy again once it is active.`,
      );
  }
}

/** Whether the host has DNS records that a custom domain would replace. wrangler asks the same in a terminal. */
async function hasConflict(api: Cloudflare, { account, worker }: Target, host: string): Promise<boolean> {
  const path = `/accounts/${account}/workers/scripts/${worker}/domains/changeset?replace_state=true`;
  const { conflicting } = (await api(path, [{ hostname: host }])) as { conflicting: unknown[] };
  return conflicting.length > 0;
}

/**
 * Throws if a new own host serves something else, or if it cannot be told whether it does: wrangler replaces DNS records and
 * takes hosts from other Workers without a question. `--replace-dns` allows the first.
 */
export async function assertHostsUnused(
  api: Cloudflare,
  target: Target,
  hosts: readonly string[],
  hasDnsRecords: (host: string) => Promise<boolean>,
): Promise<void> {
  const owners = await listOwners(api, target.account);
  for (const host of hosts) {
    const owner = owners.get(host);
    if (owner !== undefined && owner !== target.worker)
      throw new Error(
        `The Worker "${owner}" has ${host}. Nothing was changed. Take it off there, or take another host.`,
      );
    if (target.replaceDns.includes(host)) continue;
    const replace = `npm run deploy -- --replace-dns ${host}`;
    let isUsed: boolean;
    try {
      // Before its first deployment the Worker has no changes of domains to ask for, so DNS alone tells.
      const isInUse = await hasConflict(api, target, host).catch((error: unknown) => {
        if (isMissing(error)) return false;
        throw new Error(inApiWords(error));
      });
      isUsed = isInUse || (await hasDnsRecords(host));
    } catch (error) {
      throw new Error(
        `It cannot be told whether ${host} has DNS records, which Cloudflare would replace. ${messageOf(error)}. Nothing was changed. Deploy again later. If the host serves nothing: ${replace}.`,
      );
    }
    if (isUsed) {
      throw new Error(
        `${host} has DNS records already. Cloudflare would replace them by the Worker, and what they lead to would end. Nothing was changed. Take a host that serves nothing. If the records are this Worker's own (a custom domain from the dashboard) or may go: ${replace}.`,
      );
    }
  }
}

/** Asks host by host whether a custom domain of the Worker takes it from nobody. Never throws for a host. */
export async function findDomainRoutes(
  api: Cloudflare,
  target: Target,
  domains: readonly DeployedDomain[],
): Promise<DomainRoutes> {
  const owners = await listOwners(api, target.account);
  const present = [...owners].flatMap(([host, owner]) => (owner === target.worker ? [host] : []));
  const routes: DomainRoutes = { present, added: [], unrouted: [] };

  async function findProblem(host: string): Promise<string | undefined> {
    const owner = owners.get(host);
    if (owner !== undefined) return `the Worker "${owner}" has it. Take it off there first`;
    if (!(await isInAccount(api, target.account, host))) return NO_ZONE;
    if (target.replaceDns.includes(host) || !(await hasConflict(api, target, host))) return undefined;
    return `it has DNS records. Delete them, or let them be replaced: npm run deploy -- --replace-dns ${host}`;
  }

  for (const { host, leadsHere } of domains) {
    if (present.includes(host)) continue;
    const reason = await findProblem(host).catch(inApiWords);
    if (reason === undefined) routes.added.push(host);
    // An active host may lead here in another way, such as Cloudflare for SaaS.
    else if (!leadsHere) routes.unrouted.push({ host, reason });
  }
  return routes;
}

/** Says which domains of workspaces the Worker gets, and what is left to do for the others. */
export const describeDomains = ({ added, unrouted }: DomainRoutes): string[] => [
  ...added.map(
    (host) =>
      `The domain ${host} leads to the Worker now. The daily job or the command "domain check" makes it active.`,
  ),
  ...unrouted.map(({ host, reason }) => `The domain ${host} does not lead to the Worker: ${reason}.`),
];
