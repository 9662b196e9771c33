import type { Config } from "../../context";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../lib/time";

/** Answer of a malware-blocking resolver. `unknown` if it is off or fails. */
export type HostCheck = "ok" | "blocked" | "unknown";

/** What the resolver says of each host that it was asked about. */
export type HostChecks = ReadonlyMap<string, HostCheck>;

const BUDGET_MS = 2 * SECOND_MS;
/** A resolver returns these addresses for a blocked host. */
const BLOCK_ADDRESSES: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
/** Extended errors of RFC 8914: blocked, censored, filtered. */
const BLOCKED_BY_POLICY = /EDE\(1[567]\)/;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** Time of the next check in milliseconds since the epoch; null for never. */
export const nextCheck = (
  { resolver }: Pick<Config, "resolver">,
  hostCheck: HostCheck,
  at: number,
): number | null =>
  resolver === null || hostCheck === "blocked" ? null : at + (hostCheck === "ok" ? 7 * DAY_MS : HOUR_MS);

/** What a link has of a new host: what the resolver said, and when to ask it. If it was not asked, the schedule does it. */
export const checkedHost = (
  config: Pick<Config, "resolver">,
  hostCheck: HostCheck | undefined,
  at: number,
): { hostCheck: HostCheck; checkAt: number | null } =>
  hostCheck === undefined
    ? { hostCheck: "unknown", checkAt: config.resolver === null ? null : at }
    : { hostCheck, checkAt: nextCheck(config, hostCheck, at) };

/** Reads the result from an `application/dns-json` response. */
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
  const url = new URL(resolver);
  url.searchParams.set("name", host);
  url.searchParams.set("type", "A");
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/dns-json" },
      signal: AbortSignal.timeout(BUDGET_MS),
    });
    return response.ok ? hostCheckIn(await response.json()) : "unknown";
  } catch {
    return "unknown";
  }
}

/** Queries hosts, each once. */
export const checkHosts = async (
  config: Pick<Config, "resolver">,
  hosts: Iterable<string>,
): Promise<HostChecks> =>
  new Map(
    await Promise.all(
      [...new Set(hosts)].map(async (host) => [host, await checkHost(config, host)] as const),
    ),
  );
