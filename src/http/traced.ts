import type { Env } from "../context";
import { countAnswer } from "./answer-counts";
import { charge } from "./fair-shares";
import { secureTransport } from "./host";
import { toResponse } from "./problem";
import { logRequest, newTrace, type Trace } from "./request-log";

/** By request, for the apps that a request comes to. */
const traces = new WeakMap<Request, Trace>();

/** A new one, if an app was asked directly. */
export const traceOf = (request: Request): Trace => traces.get(request) ?? newTrace(crypto.randomUUID());

/**
 * Creates the trace of a request, sets `X-Request-Id` on the response and writes the line of the request. The client's own
 * `X-Request-Id` is ignored.
 */
export async function traced(
  request: Request,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
  answer: (trace: Trace) => Response | Promise<Response>,
): Promise<Response> {
  const trace = newTrace(crypto.randomUUID());
  traces.set(request, trace);
  let response: Response;
  try {
    response = await answer(trace);
  } catch (error) {
    response = await toResponse(error, trace.requestId);
  }
  response.headers.set("X-Request-Id", trace.requestId);
  secureTransport(response, request.url, env);
  for (const free of trace.shares.answered) free();
  if (trace.stream === undefined) end();
  else execution.waitUntil(trace.stream.then(end));
  return response;

  function end(): void {
    for (const free of trace.shares.sent) free();
    // Of visits, only those that read D1 or failed are logged.
    if (trace.isLogged || trace.d1.calls > 0 || response.status >= 500)
      logRequest(trace, request.method, response.status);
    for (const work of [charge(env, trace), countAnswer(env, trace.d1, response.status)])
      if (work !== undefined) execution.waitUntil(work);
  }
}
