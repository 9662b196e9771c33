import type { Config } from "../../context";
import { type AddressField, destinationHost, hostAndParents, ownHostProblem } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../lib/time";
import { readRules } from "../../lib/visitor-rules";
import type { RefusedHostRow } from "./destination-statements";
import { askResolver } from "./outside";

interface Destinations {
  destination_url?: string | undefined;
  ended_url?: string | null | undefined;
  preview_image_url?: string | null | undefined;
  rules?: readonly { destination_url: string }[] | null | undefined;
}

/** The host of every URL to which the fields of a link lead visitors, or chats for its picture. */
export const hostsOfLink = (link: Destinations): string[] =>
  [
    link.destination_url,
    link.ended_url,
    link.preview_image_url,
    ...(link.rules ?? []).map((rule) => rule.destination_url),
  ].flatMap((url) => (url == null ? [] : destinationHost(url)));

interface RefusedHosts {
  /** They refuse what is below them too. */
  blocked: ReadonlySet<string>;
  /** Where short links are served. What is below such a host is another site. */
  domains: ReadonlySet<string>;
  checks: HostChecks;
}

export const toRefusedHosts = (rows: readonly RefusedHostRow[], checks: HostChecks = new Map()) => ({
  checks,
  blocked: new Set(rows.filter((row) => row.is_blocked === 1).map(({ host }) => host)),
  domains: new Set(rows.filter((row) => row.is_domain === 1).map(({ host }) => host)),
});

/** Refuses a destination on a host of the service, a workspace's domain, a blocked host, or with a bad result. */
export function hostProblem(
  { config }: { config: Pick<Config, "ownHosts"> },
  field: AddressField,
  url: string | null | undefined,
  { blocked, domains, checks }: RefusedHosts,
): Failure | undefined {
  if (url == null) return undefined;
  const host = destinationHost(url);
  const own = ownHostProblem(host, config.ownHosts, field);
  if (own !== undefined) return own;
  if (domains.has(host)) return refusedHost(field, "serves short links itself");
  if (hostAndParents(host).some((name) => blocked.has(name))) return blockedHost(field);
  return checks.get(host) === "blocked" ? refusedHost(field, "is known to spread malware") : undefined;
}

/** What is wrong with the destinations of rules, but for those that the link has already. */
export const ruleProblems = (
  ctx: { config: Pick<Config, "ownHosts"> },
  rules: readonly { destination_url: string }[] | null | undefined,
  refused: RefusedHosts,
  kept: string | null = null,
): (Failure | undefined)[] => {
  const known = new Set(readRules(kept).map(({ destination_url: url }) => url));
  return (rules ?? []).map(({ destination_url: url }, index) =>
    known.has(url) ? undefined : hostProblem(ctx, `rules.${index}.destination_url`, url, refused),
  );
};

const refusedHost = (
  field: AddressField,
  because: Extract<Failure, { reason: "refused_host" }>["because"],
): Failure => ({ field, reason: "refused_host", because });

export const blockedHost = (field: AddressField = "destination_url"): Failure =>
  refusedHost(field, "this service does not allow");

/** Answer of a malware-blocking resolver. `unknown` if it is off or fails. */
export type HostCheck = "ok" | "blocked" | "unknown";

export type HostChecks = ReadonlyMap<string, HostCheck>;

const BUDGET_MS = 2 * SECOND_MS;
/** A resolver returns these addresses for a blocked host. */
const BLOCK_ADDRESSES: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
/** Extended errors of RFC 8914: blocked, censored, filtered. */
const BLOCKED_BY_POLICY = /EDE\(1[567]\)/;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** Time of the next check in milliseconds since the epoch; null for never. */
export const nextCheck = ({ resolver }: Pick<Config, "resolver">, hostCheck: HostCheck, at: number) =>
  resolver === null || hostCheck === "blocked" ? null : at + (hostCheck === "ok" ? 7 * DAY_MS : HOUR_MS);

/** What a link has of a new host: what the resolver said, and when to ask it. If it was not asked, the schedule does it. */
export const checkedHost = (
  config: Pick<Config, "resolver">,
  hostCheck: HostCheck | undefined,
  at: number,
) =>
  hostCheck === undefined
    ? { hostCheck: "unknown" as const, checkAt: config.resolver === null ? null : at }
    : { hostCheck, checkAt: nextCheck(config, hostCheck, at) };

export function hostCheckIn(answer: unknown): HostCheck {
  if (typeof answer !== "object" || answer === null) return "unknown";
  const { Status: status, Answer: records, Comment: comments } = answer as Record<string, unknown>;
  if (BLOCKED_BY_POLICY.test(JSON.stringify(comments ?? ""))) return "blocked";
  const list: readonly unknown[] = Array.isArray(records) ? records : [];
  if (list.some((record) => BLOCK_ADDRESSES.has(String((record as { data?: unknown } | null)?.data))))
    return "blocked";
  return status === NO_ERROR || status === NO_SUCH_NAME ? "ok" : "unknown";
}

/** Queries the configured resolver for a host. Takes at most two seconds, never throws. */
async function checkHost({ resolver }: Pick<Config, "resolver">, host: string): Promise<HostCheck> {
  if (resolver === null) return "unknown";
  try {
    return hostCheckIn(await askResolver(resolver, host, "A", BUDGET_MS));
  } catch {
    return "unknown";
  }
}

export const checkHosts = async (config: Pick<Config, "resolver">, hosts: Iterable<string>) =>
  new Map(
    await Promise.all(
      [...new Set(hosts)].map(async (host) => [host, await checkHost(config, host)] as const),
    ),
  );
