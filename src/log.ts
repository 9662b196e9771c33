/** What a line of the log says of each failure. None holds stored values or secrets. */
interface Details {
  /** Clicks that are lost: too many waited (`full`), too old, or rejected by D1 (`refused`). */
  clicks_dropped: { reason: "full" | "old" | "refused" | "unreadable"; clicks: number };
  /** Visits have waited in the queue for more than ten minutes. */
  clicks_waiting: { oldest_at: string };
  /** KV had another value of a slug than D1, which the outbox did not know. It should never happen. */
  kv_outdated: { kv_rev: number; d1_rev: number | null };
  /** A variable has an unusable value, which the reason does not contain, or the unset one made a request fail. */
  misconfigured: { reason: string } | { request_id: string; missing: string };
  /** A message to the operator's webhook was not delivered. */
  alert_not_delivered: {
    /** Id of the message, as in its `webhook-id`. */
    message: string;
    /** The host of the webhook. The rest of its URL may be a secret. */
    host?: string;
    events: number;
    tries: number;
    outcome: string;
    given_up: boolean;
  };
  /** A mail was not sent, with the service's code. */
  mail_not_sent: { outcome: string };
}

export function logLine<Failure extends keyof Details>(error: Failure, details: Details[Failure]): void {
  const level = error === "clicks_waiting" ? "warning" : "error";
  console.error(JSON.stringify({ level, error, ...details }));
}
