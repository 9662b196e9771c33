import { explanation, ServiceError, serverError } from "../errors";
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
export function toResponse(error: unknown, requestId: string, isStrict = false): Response {
  if (error instanceof ServiceError) return refusal(error, isStrict);
  logFailure(requestId, error);
  return refusal(serverError());
}

/** The response to an error; for a strict request with the codes of its fields. */
export const refusal = (error: ServiceError, isStrict = false): Response =>
  jsonResponse(
    JSON.stringify({ ...error.body, ...(isStrict && explanation(error)) }),
    error.status,
    error.headers,
  );
