import type { Meter } from "./db/client";

/** What is told of a request in the log; filled in on its way. */
export interface Trace {
  requestId: string;
  startedAt: number;
  /** The pattern that the path fits, never the path itself. */
  route: string | null;
  workspace: string | null;
  key: string | null;
  d1: Meter;
}

export const newTrace = (requestId: string): Trace => ({
  requestId,
  startedAt: Date.now(),
  route: null,
  workspace: null,
  key: null,
  d1: { calls: 0, rowsRead: 0, milliseconds: 0 },
});

/** The names of refusals in the log, by their status: a message could hold what a client sent. */
const CODES: Readonly<Record<number, string>> = {
  401: "unauthenticated",
  403: "read_only",
  404: "not_found",
  405: "method_not_allowed",
  409: "still_running",
  412: "changed",
  413: "too_large",
  422: "invalid",
  429: "rate_limited",
  500: "internal",
  503: "unavailable",
};

/** Writes the one line of a request: fixed fields, and nothing that a client or the database has written. */
export function logRequest(trace: Trace, method: string, status: number): void {
  const { requestId, startedAt, route, workspace, key, d1 } = trace;
  console.log(
    JSON.stringify({
      level: status >= 500 ? "error" : "info",
      request_id: requestId,
      method,
      route,
      status,
      ms: Date.now() - startedAt,
      workspace,
      key,
      error: CODES[status] ?? null,
      d1_calls: d1.calls,
      rows_read: d1.rowsRead,
    }),
  );
}

/** The same for the client, as the field `Server-Timing`: milliseconds in D1 and in all. */
export const serverTiming = ({ startedAt, d1 }: Trace): string =>
  `d1;dur=${d1.milliseconds};desc="${d1.calls} calls", total;dur=${Date.now() - startedAt}`;

/** Says which variable a request was refused for, as it is not set. */
export function logMissingVariable(requestId: string, variable: string): void {
  console.error(
    JSON.stringify({ level: "error", request_id: requestId, error: "misconfigured", missing: variable }),
  );
}

/** Says what kind of error a request has met that nobody foresaw: its message may hold bound values. */
export function logFailure(requestId: string, error: unknown): void {
  const kind = error instanceof Error ? error.name : typeof error;
  console.error(JSON.stringify({ level: "error", request_id: requestId, error: kind }));
}

/** Says that counted clicks were dropped: D1 refused them for good, they were too old, or too many were waiting. */
export function logDroppedClicks(reason: "full" | "old" | "refused", clicks: number): void {
  console.error(JSON.stringify({ level: "error", error: "clicks_dropped", reason, clicks }));
}
