import { newMeter } from "../db/meter";
import { codeOfStatus, type RefusalCode, ServiceError } from "../errors";

/** Who pays for D1's time. */
export interface Payer {
  /** An actor of the audit log. */
  caller: string;
  /** Its row id; undefined outside of workspaces. */
  workspaceId: number | undefined;
  /** Its limit, if it is no key or person. */
  limit?: "CALLER_WORK" | "REPORT_WORK";
}

interface Cost {
  calls: number;
  rowsRead: number;
  duration: number;
}

/** The log fields of a request, filled in while it runs, and what is charged for it. */
export const newTrace = (requestId: string) => ({
  requestId,
  startedAt: Date.now(),
  /** Whether the request has a line although it read nothing of D1. */
  isLogged: false,
  /** The pattern of the matched route, never the path itself. */
  route: null as string | null,
  workspace: null as string | null,
  key: null as string | null,
  /** The refusal, if the status alone is not specific enough. */
  refusal: null as RefusalCode | null,
  d1: newMeter(),
  background: newMeter(),
  /** The costs of earlier lines; undefined before the first line. */
  logged: undefined as Cost | undefined,
  payer: undefined as Payer | undefined,
  charged: 0,
  /** What frees the shares of an instance that the request has, by when it does. */
  shares: { answered: [] as (() => void)[], sent: [] as (() => void)[] },
  /** Pending while the body of the response is sent; undefined if it is not streamed. */
  stream: undefined as Promise<void> | undefined,
});

export type Trace = ReturnType<typeof newTrace>;

const costOf = ({ d1, background }: Trace): Cost => ({
  calls: d1.calls + background.calls,
  rowsRead: d1.rowsRead + background.rowsRead,
  duration: d1.duration + background.duration,
});

/** A trace for background work that is logged separately from its request. */
export const backgroundTrace = ({ requestId, route }: Trace): Trace => ({
  ...newTrace(requestId),
  route,
  logged: { calls: 0, rowsRead: 0, duration: 0 },
});

function lineOf(trace: Trace, method: string, status: number | null, error: RefusalCode | null) {
  const { requestId, startedAt, route, workspace, key, logged } = trace;
  const cost = costOf(trace);
  trace.logged = cost;
  return {
    level: error !== null && (status ?? 500) >= 500 ? "error" : "info",
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
    d1_ms: Math.round(cost.duration - (logged?.duration ?? 0)),
  };
}

/** Whoever is refused causes no more lines of an instance in a minute. The next one then says how many were left out. */
const MAX_REFUSED_LINES = 60;
const PERIOD_MS = 60_000;
export const refused = { since: 0, lines: 0, left: 0 };

function takesLine(now: number): boolean {
  if (Math.abs(now - refused.since) >= PERIOD_MS) Object.assign(refused, { since: now, lines: 0 });
  if (refused.lines >= MAX_REFUSED_LINES) {
    refused.left++;
    return false;
  }
  refused.lines++;
  return true;
}

/** Writes the line of a request. Its fields never hold input or stored text. Of many 401 and 429 only some have one. */
export function logRequest(trace: Trace, method: string, status: number): void {
  if ((status === 401 || status === 429) && !takesLine(Date.now())) return;
  const error = status < 400 ? null : (trace.refusal ?? codeOfStatus(status));
  const { left } = refused;
  refused.left = 0;
  console.log(
    JSON.stringify({ ...lineOf(trace, method, status, error), ...(left > 0 && { left_out: left }) }),
  );
}

/** Awaits background work, and logs its D1 costs since the last line in a line of their own. */
export async function logBackground(trace: Trace, method: string, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => null,
    (reason) => (reason instanceof ServiceError ? reason.code : "unavailable"),
  );
  const { logged } = trace;
  const { calls, rowsRead } = costOf(trace);
  if (logged === undefined || (calls === logged.calls && rowsRead === logged.rowsRead)) return;
  console.log(JSON.stringify({ ...lineOf(trace, method, null, error), background: true }));
}

/** The `Server-Timing` header: milliseconds in D1 and in total, without background work. */
export const serverTiming = ({ startedAt, d1 }: Trace): string =>
  `d1;dur=${d1.milliseconds};desc="${d1.calls} calls", total;dur=${Date.now() - startedAt}`;
