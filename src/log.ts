import { textOf } from "./db/failure";
import { ServiceError } from "./errors";

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
  /** The call of `HEARTBEAT_URL` failed. The rest of the URL may be a secret. */
  heartbeat_not_sent: { host: string; outcome: string };
  /** A mail was not sent, with the service's code. */
  mail_not_sent: { outcome: string };
}

export function logLine<Failure extends keyof Details>(error: Failure, details: Details[Failure]): void {
  const level = error === "clicks_waiting" ? "warning" : "error";
  console.error(JSON.stringify({ level, error, ...details }));
}

/** What SQLite, D1, KV and the runtime say, without the names and values behind it. */
const KNOWN = [
  /(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK) constraint failed|no such (?:table|column|index|function)|datatype mismatch/,
  /syntax error|malformed JSON|disk image is malformed|too big|too many SQL variables|pattern too complex/,
  /D1_TYPE_ERROR|D1_ERROR|KV (?:GET|PUT|DELETE) failed|Timed out|I\/O on behalf of a different request|Memory limit/,
  /Maximum call stack size exceeded|Invalid (?:URL|time value|array length|string length)|is not valid JSON/,
  /JSON input|Cannot read properties of|is not (?:a function|iterable|defined)/,
];
const MAX_POSITIONS = 8;

function codeOf(error: unknown): string | null {
  if (error instanceof ServiceError) return error.code;
  const text = textOf(error);
  return KNOWN.map((known) => known.exec(text)?.[0]).find((found) => found !== undefined) ?? null;
}

/** Files, lines and columns of the stack, without the message in front of it, whose lines may look like them. */
function positionsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const [, frames = ""] = (error.stack ?? "").split(`${error.message}\n    at `, 2);
  const positions = frames.matchAll(/([\w.-]+:\d+:\d+)\)?$/gm);
  return Array.from(positions, ([, position = ""]) => position).slice(0, MAX_POSITIONS);
}

/** Logs an unexpected error: its name, what is known of its text, and where it was thrown. The text itself may hold stored values. */
export function logFailure(requestId: string, error: unknown): void {
  const kind = error instanceof Error ? error.name : typeof error;
  const known = { code: codeOf(error), at: positionsOf(error) };
  console.error(JSON.stringify({ level: "error", request_id: requestId, error: kind, ...known }));
}
