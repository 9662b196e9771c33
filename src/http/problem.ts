import { Replay, ServiceError, serverError } from "../errors";
import { logFailure } from "../log";

export const jsonResponse = (
  body: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(body, {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });

/** Maps every error to a response. An unexpected error becomes a 500 without its cause. */
export function toResponse(error: unknown, requestId: string): Response {
  if (error instanceof Replay) {
    return jsonResponse(error.body, error.status, {
      "Idempotent-Replayed": "true",
      ...(error.etag === null ? {} : { ETag: error.etag }),
    });
  }
  if (error instanceof ServiceError) return refusal(error);
  logFailure(requestId, error);
  return refusal(serverError());
}

export const refusal = (error: ServiceError): Response =>
  jsonResponse(JSON.stringify(error.body), error.status, error.headers);
