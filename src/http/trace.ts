import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { Env } from "../context";
import { charge } from "./limits";
import { toResponse } from "./problem";
import { logBackground, logRequest, newTrace, type Trace } from "./request-log";

/** The Hono environment of every app. */
export interface TracedEnv {
  Bindings: Env;
  Variables: { trace: Trace };
}

/** What a request of any app has. */
export type TracedRequest = Pick<Context<TracedEnv>, "env" | "executionCtx" | "req"> & {
  var: { trace: Trace };
};

interface InnerApp {
  fetch(request: Request, env: Env, execution: Context["executionCtx"]): Response | Promise<Response>;
}

/** Passes traces to inner apps, which have their own Hono context. */
const handedOver = new WeakMap<Request, Trace>();

/** Creates the trace, sets `X-Request-Id` on the response and writes the line of the request. The client's own `X-Request-Id` is ignored. */
export const requestId = createMiddleware<TracedEnv>(async function requestId(c, next) {
  const trace = newTrace(crypto.randomUUID());
  c.set("trace", trace);
  try {
    await next();
  } catch (error) {
    // Hono calls `onError` only for instances of Error. Other thrown values arrive here.
    c.res = toResponse(error, trace.requestId);
  }
  c.res.headers.set("X-Request-Id", trace.requestId);
  const { status } = c.res;
  if (trace.stream === undefined) end();
  else c.executionCtx.waitUntil(trace.stream.then(end));

  function end(): void {
    trace.freeSlot?.();
    // Of visits, only those that read D1 or failed are logged.
    if (trace.isLogged || trace.d1.calls > 0 || status >= 500) logRequest(trace, c.req.method, status);
    const charging = charge(c.env, trace);
    if (charging !== undefined) c.executionCtx.waitUntil(charging);
  }
});

/** Runs work after the response. Its D1 costs have a log line of their own, and are charged too. */
export const runAfterResponse = (c: TracedRequest, work: Promise<unknown>): void =>
  c.executionCtx.waitUntil(
    logBackground(c.var.trace, c.req.method, work).then(() => charge(c.env, c.var.trace)),
  );

/** Logs the request. */
export const requestLog = createMiddleware<TracedEnv>(function requestLog(c, next) {
  c.var.trace.isLogged = true;
  return next();
});

/** Passes the request to an inner app, which must start with `innerTrace`. */
export function handOver(c: Context<TracedEnv>, app: InnerApp): Response | Promise<Response> {
  handedOver.set(c.req.raw, c.var.trace);
  return app.fetch(c.req.raw, c.env, c.executionCtx);
}

/** Continues the trace of the outer app, and sets its route. */
export const innerTrace = createMiddleware<TracedEnv>(function innerTrace(c, next) {
  const trace = handedOver.get(c.req.raw) ?? newTrace(crypto.randomUUID());
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  if (route !== undefined) trace.route = asPattern(route.path);
  c.set("trace", trace);
  return next();
});

/** Converts a Hono route to the OpenAPI form: `/api/v1/links/{id}`. */
export const asPattern = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
