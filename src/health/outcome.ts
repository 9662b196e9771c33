import type { HealthState } from "../lib/health-state";
import { parseRetryAfter } from "../lib/retry-after";
import { DAY_MS } from "../lib/time";

/**
 * `http`: the status decides. `forbidden`: the destination rules refuse it, or what it redirects to. `unreachable`: no
 * connection, where the runtime does not say why.
 */
export type Reason =
  | "http"
  | "redirects"
  | "forbidden"
  | "timeout"
  | "dns"
  | "tls"
  | "connection"
  | "unreachable";

/** What asking a destination found. */
export interface Finding {
  reason: Reason;
  /** Status of the last response; null without one. */
  status: number | null;
}

/** The health of a destination. Times are milliseconds since the epoch. */
export interface Health {
  state: HealthState;
  reason: Reason | null;
  http_status: number | null;
  failing_since: number | null;
  asked_at: number | null;
  due_at: number;
}

const WEEK_MS = 7 * DAY_MS;
const MAX_PAUSE_MS = DAY_MS;
const NO_PAGE: ReadonlySet<number> = new Set([404, 410]);
const FAILED: ReadonlySet<Reason> = new Set(["timeout", "dns", "tls", "connection", "unreachable"]);

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

export const findingOf = (status: number): Finding => ({ reason: UNREACHED[status] ?? "http", status });

/** `unclear`: neither that the page is there nor that it is gone. */
export function judge({ reason, status }: Finding): "ok" | "failed" | "unclear" {
  if (FAILED.has(reason)) return "failed";
  if (reason !== "http" || status === null) return "unclear";
  if (status >= 200 && status < 300) return "ok";
  return NO_PAGE.has(status) || (status >= 500 && status < 600) ? "failed" : "unclear";
}

// The runtime's errors differ in their text alone. workerd has "internal error; reference = …" both for a name that does
// not resolve and for a secure connection that fails. Node's errors have a code in their cause.
const TEXTS: readonly (readonly [RegExp, Reason])[] = [
  [/timeout|timed out|etimedout/i, "timeout"],
  [/dns|enotfound|eai_again|name not resolved/i, "dns"],
  [/tls|ssl|certificate|cert_|self[- ]signed|unable_to_verify/i, "tls"],
  [/internal error/i, "unreachable"],
];
/** Errors of the invocation, which say nothing of the destination. */
const OWN_ERRORS = /too many subrequests|too many (?:open )?connections|connection limit|memory limit/i;

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  const code = "code" in error ? String(error.code) : "";
  return `${name} ${code} ${message} ${cause === undefined ? "" : textOf(cause)}`;
}

/** What a failed fetch says of the destination; undefined if it says nothing. */
export function findingOfError(error: unknown): Finding | undefined {
  const text = textOf(error);
  if (OWN_ERRORS.test(text)) return undefined;
  const [, reason] = TEXTS.find(([pattern]) => pattern.test(text)) ?? [];
  return { reason: reason ?? "connection", status: null };
}

/** How long a host asks to be left alone, in milliseconds, at most a day; 0 if it does not ask. */
export const pauseMs = (retryAfter: string | null, at: number): number =>
  Math.min(parseRetryAfter(retryAfter, at) ?? 0, MAX_PAUSE_MS);

/**
 * The health after a finding. Two failures in a row that are a day apart make a destination broken. What fails is asked
 * daily, a week after it broke as rarely as others.
 */
export function nextHealth(
  was: Pick<Health, "failing_since">,
  finding: Finding,
  { at, isLive }: { at: number; isLive: boolean },
): Health {
  const judged = judge(finding);
  const since = judged === "failed" ? (was.failing_since ?? at) : null;
  const isDaily = isLive || (since !== null && at - since < WEEK_MS);
  return {
    state: judged !== "failed" ? judged : at - (since ?? at) >= DAY_MS ? "broken" : "failing",
    reason: finding.reason,
    http_status: finding.status,
    failing_since: since,
    asked_at: at,
    due_at: at + (isDaily ? DAY_MS : WEEK_MS),
  };
}
