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
