import type { Meter } from "../db/client";
import { codeOfStatus, type RefusalCode } from "../errors";

/** What the log tells of a request. It is filled in while the request runs. */
export interface Trace {
  requestId: string;
  startedAt: number;
  /** The pattern that the path fits, never the path itself. */
  route: string | null;
  workspace: string | null;
  key: string | null;
  /** Why the request is refused, where the status alone does not say it. */
  refusal: RefusalCode | null;
  d1: Meter;
  /** The cost of work that the answer does not wait for. */
  background: Meter;
  /** What of D1 earlier lines have logged; undefined before the first line. */
  logged: { calls: number; rowsRead: number } | undefined;
}

export const newTrace = (requestId: string): Trace => ({
  requestId,
  startedAt: Date.now(),
  route: null,
  workspace: null,
  key: null,
  refusal: null,
  d1: { calls: 0, rowsRead: 0, milliseconds: 0 },
  background: { calls: 0, rowsRead: 0, milliseconds: 0 },
  logged: undefined,
});

/** What a trace has cost in D1 so far, with the work behind its answer. */
const costOf = ({ d1, background }: Trace) => ({
  calls: d1.calls + background.calls,
  rowsRead: d1.rowsRead + background.rowsRead,
});

/** A trace of work that starts after the response of a request, and is no part of that request's line. */
export const backgroundTrace = ({ requestId, route }: Trace): Trace => ({
  ...newTrace(requestId),
  route,
  logged: { calls: 0, rowsRead: 0 },
});

/** The fields that every line has: what of D1 no earlier line has logged. */
function lineOf(trace: Trace, method: string, status: number | null, error: RefusalCode | null) {
  const { requestId, startedAt, route, workspace, key, logged } = trace;
  const cost = costOf(trace);
  trace.logged = cost;
  return {
    level: error === "internal" || error === "unavailable" ? "error" : "info",
    request_id: requestId,
    method,
    route,
    status,
    ms: Date.now() - startedAt,
    workspace,
    key,
    error,
    d1_calls: cost.calls - (logged?.calls ?? 0),
    rows_read: cost.rowsRead - (logged?.rowsRead ?? 0),
  };
}

/** Writes the one line of a request: fixed fields, and nothing that a client or the database has written. */
export function logRequest(trace: Trace, method: string, status: number): void {
  const error = status < 400 ? null : (trace.refusal ?? codeOfStatus(status));
  console.log(JSON.stringify(lineOf(trace, method, status, error)));
}

/** Waits for work behind an answer. What that has cost in D1 since the last line is logged in a line of its own. */
export async function logBackground(trace: Trace, method: string, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => null,
    () => "unavailable" as const,
  );
  const { logged } = trace;
  const { calls, rowsRead } = costOf(trace);
  if (logged === undefined || (calls === logged.calls && rowsRead === logged.rowsRead)) return;
  console.log(JSON.stringify({ ...lineOf(trace, method, null, error), background: true }));
}

/** What an answer has taken, as the field `Server-Timing`: milliseconds in D1 and in all, without the work behind it. */
export const serverTiming = ({ startedAt, d1 }: Trace): string =>
  `d1;dur=${d1.milliseconds};desc="${d1.calls} calls", total;dur=${Date.now() - startedAt}`;
