import { gate, withCommit } from "../faulty";
import type { Answer, Call, TestWorkspace } from "../harness";
import { refusal } from "./refusals";

export const LINK = { destination_url: "https://www.example.com/" };

export const keyed = (key = crypto.randomUUID() as string): { headers: Record<string, string> } => ({
  headers: { "idempotency-key": key },
});
export const post = (ws: TestWorkspace, request: Call) => ws.call("POST", "/api/v1/links", request);
export const linksOf = async (ws: TestWorkspace) =>
  (await ws.call("GET", "/api/v1/links?per_page=100")).body.links;
export const seen = ({ status, text, headers }: Answer<unknown>) => ({
  status,
  text,
  etag: headers.get("etag"),
  type: headers.get("content-type"),
});
export const isReplay = ({ headers }: Answer<unknown>) => headers.get("idempotent-replayed") === "true";
export const conflictOf = ({ status, text, headers }: Answer<unknown>) => [
  status,
  text,
  headers.get("retry-after"),
];

export const REUSED_BODY = refusal(
  "idempotency_key",
  "The idempotency key has already been used with another request.",
);
export const RUNNING = [409, '{"message":"A request with this Idempotency-Key is still running."}', "1"];

/** A request that waits before its commit until it is released. */
export function held(ws: TestWorkspace, path: string, request: Call) {
  const [arrived, opened] = [gate(), gate()];
  const slow = withCommit((send) => async (statements) => {
    arrived.open();
    await opened.passed;
    return send(statements);
  });
  const answer = ws.call("POST", path, { ...request, env: slow });
  return {
    reached: arrived.passed,
    letGo: () => {
      opened.open();
      return answer;
    },
  };
}
