/** Logs the unset variable that made a request fail. */
export function logMissingVariable(requestId: string, variable: string): void {
  console.error(
    JSON.stringify({ level: "error", request_id: requestId, error: "misconfigured", missing: variable }),
  );
}

/** Logs the name of an unexpected error. Its message may hold stored values, so it is not logged. */
export function logFailure(requestId: string, error: unknown): void {
  const kind = error instanceof Error ? error.name : typeof error;
  console.error(JSON.stringify({ level: "error", request_id: requestId, error: kind }));
}

/** Logs dropped clicks: too many waiting (`full`), too old, or rejected by D1 (`refused`). */
export function logDroppedClicks(reason: "full" | "old" | "refused", clicks: number): void {
  console.error(JSON.stringify({ level: "error", error: "clicks_dropped", reason, clicks }));
}

/** Logs that visits waited in the queue for more than ten minutes. */
export function logWaitingClicks(oldestAt: string): void {
  console.error(JSON.stringify({ level: "warning", error: "clicks_waiting", oldest_at: oldestAt }));
}

/** Logs a variable with an unusable value. The reason does not contain the value. */
export function logMisconfiguration(reason: string): void {
  console.error(JSON.stringify({ level: "error", error: "misconfigured", reason }));
}

interface AlertFailure {
  /** Id of the message, as in its `webhook-id`. */
  message: string;
  /** The host of the webhook. The rest of its URL may be a secret. */
  host?: string;
  events: number;
  tries: number;
  outcome: string;
  given_up: boolean;
}

/** Logs a message to the operator's webhook that was not delivered. */
export function logAlertFailure(failure: AlertFailure): void {
  console.error(JSON.stringify({ level: "error", error: "alert_not_delivered", ...failure }));
}

/** Logs a mail that was not sent, by the service's code. An error's message may hold the address. */
export function logMailFailure(error: unknown): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const outcome = /^E_[A-Z_]{1,40}$/.test(code) ? code : "failed";
  console.error(JSON.stringify({ level: "error", error: "mail_not_sent", outcome }));
}
