import type { Config } from "../context";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../lib/time";

/** What a resolver that blocks malware says of a host: `unknown` where it is not asked or does not say. */
export type Verdict = "ok" | "blocked" | "unknown";

const BUDGET_MS = 2 * SECOND_MS;
/** The addresses that stand for "blocked". */
const BLOCK_ADDRESSES: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
/** The extended errors of RFC 8914 for blocked, censored and filtered. */
const BLOCKED_BY_POLICY = /EDE\(1[567]\)/;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** When a host of this verdict is asked about again; null where it never is. */
export const nextCheck = (
  { resolver }: Pick<Config, "resolver">,
  verdict: Verdict,
  at: number,
): number | null =>
  resolver === null || verdict === "blocked" ? null : at + (verdict === "ok" ? 7 * DAY_MS : HOUR_MS);

/** The verdict in an answer of type `application/dns-json`. */
export function verdictIn(answer: unknown): Verdict {
  if (typeof answer !== "object" || answer === null) return "unknown";
  const { Status: status, Answer: records, Comment: comments } = answer as Record<string, unknown>;
  if (BLOCKED_BY_POLICY.test(JSON.stringify(comments ?? ""))) return "blocked";
  const list: readonly unknown[] = Array.isArray(records) ? records : [];
  if (list.some((record) => BLOCK_ADDRESSES.has(String((record as { data?: unknown } | null)?.data))))
    return "blocked";
  return status === NO_ERROR || status === NO_SUCH_NAME ? "ok" : "unknown";
}

/** Asks the configured resolver about a host, for at most two seconds. */
export async function judgeHost({ resolver }: Pick<Config, "resolver">, host: string): Promise<Verdict> {
  if (resolver === null) return "unknown";
  const url = new URL(resolver);
  url.searchParams.set("name", host);
  url.searchParams.set("type", "A");
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/dns-json" },
      signal: AbortSignal.timeout(BUDGET_MS),
    });
    return response.ok ? verdictIn(await response.json()) : "unknown";
  } catch {
    return "unknown";
  }
}
