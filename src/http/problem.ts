import { ServiceError, serverError } from "../errors";

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
export async function toResponse(error: unknown, requestId: string, isStrict = false): Promise<Response> {
  if (error instanceof ServiceError) return refusal(error, isStrict);
  // Rare, and a first redirect need not load it.
  const { logFailure } = await import("../log");
  logFailure(requestId, error);
  return refusal(serverError());
}

export const refusal = (error: ServiceError, isStrict = false): Response =>
  jsonResponse(
    JSON.stringify({ ...error.body, ...(isStrict && error.explanation) }),
    error.status,
    error.headers,
  );
