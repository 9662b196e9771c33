export const HEALTH_STATES = ["unknown", "ok", "failing", "broken", "unclear"] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

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

/** The health of a destination. Times are milliseconds since the epoch. */
export interface Health {
  state: HealthState;
  reason: Reason | null;
  http_status: number | null;
  /** Failures in a row. */
  failures: number;
  failing_since: number | null;
  asked_at: number | null;
  due_at: number;
}
