import type { Health, HealthState, Reason } from "../../lib/health-state";
import { DAY_MS } from "../../lib/time";

/** What a probe of a destination found. */
export interface CheckResult {
  reason: Reason;
  /** Status of the last response; null without one. */
  status: number | null;
}

const WEEK_MS = 7 * DAY_MS;
/** Three failures in a row over at least a day make a destination broken. */
const MAX_STRIKES = 3;
const STRIKE_MS = DAY_MS / 2;

/** The statuses with which Cloudflare answers in place of a host that it cannot reach. */
const UNREACHED: Readonly<Record<number, Reason>> = {
  521: "connection",
  522: "timeout",
  523: "connection",
  524: "timeout",
  525: "tls",
  526: "tls",
  530: "dns",
};

export const resultOfStatus = (status: number): CheckResult => ({
  reason: UNREACHED[status] ?? "http",
  status,
});

/** `unclear`: neither that the page is there nor that it is gone. */
export function classify({ reason, status }: CheckResult): "ok" | "failed" | "unclear" {
  if (reason === "redirects" || reason === "forbidden") return "unclear";
  if (reason !== "http") return "failed";
  if (status === null) return "unclear";
  if (status >= 200 && status < 300) return "ok";
  return status === 404 || status === 410 || (status >= 500 && status < 600) ? "failed" : "unclear";
}

// workerd's errors differ in their text alone. It has "internal error; reference = …" both for a name that does not resolve
// and for a secure connection that fails.
const TEXTS: readonly (readonly [RegExp, Reason])[] = [
  [/timeout|timed out/i, "timeout"],
  [/dns|name not resolved/i, "dns"],
  [/tls|ssl|certificate/i, "tls"],
  [/internal error/i, "unreachable"],
];
/** Errors of the invocation, which say nothing of the destination. */
const OWN_ERRORS = /too many subrequests|too many (?:open )?connections|connection limit|memory limit/i;

/** What a failed fetch says of the destination; undefined if it says nothing. */
export function resultOfError(error: unknown): CheckResult | undefined {
  const text = String(error);
  if (OWN_ERRORS.test(text)) return undefined;
  const [, reason] = TEXTS.find(([pattern]) => pattern.test(text)) ?? [];
  return { reason: reason ?? "connection", status: null };
}

/** When a destination is due again: a failing one in half a day, one on a live asset or that broke within a week in a day. */
function pauseAfter(state: HealthState, failedForMs: number, isLive: boolean): number {
  if (state === "failing") return STRIKE_MS;
  return isLive || (state === "broken" && failedForMs < WEEK_MS) ? DAY_MS : WEEK_MS;
}

/** The health after a check at `at`. */
export function nextHealth(
  was: Pick<Health, "failing_since" | "failures">,
  result: CheckResult,
  { at, isLive }: { at: number; isLive: boolean },
): Health {
  const outcome = classify(result);
  const hasFailed = outcome === "failed";
  const failures = hasFailed ? was.failures + 1 : 0;
  const since = hasFailed ? (was.failing_since ?? at) : null;
  const failedForMs = at - (since ?? at);
  const isBroken = failures >= MAX_STRIKES && failedForMs >= DAY_MS;
  const state = hasFailed ? (isBroken ? "broken" : "failing") : outcome;
  return {
    state,
    reason: result.reason,
    http_status: result.status,
    failures,
    failing_since: since,
    asked_at: at,
    due_at: at + pauseAfter(state, failedForMs, isLive),
  };
}
