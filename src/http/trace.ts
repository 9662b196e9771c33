import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { Env } from "../context";
import { toResponse } from "./problem";
import { logRequest, newTrace, type Trace } from "./request-log";

/** What each app of the Worker has: the bindings, and the trace of the request. */
export interface TracedEnv {
  Bindings: Env;
  Variables: { trace: Trace };
}

interface InnerApp {
  fetch(request: Request, env: Env, execution: Context["executionCtx"]): Response | Promise<Response>;
}

/** The traces of the requests that an inner app answers. It has a Hono context, and so variables, of its own. */
const handedOver = new WeakMap<Request, Trace>();

/** Gives each request a trace, and each response the id in it. A client's own `X-Request-Id` is ignored. */
export const requestId = createMiddleware<TracedEnv>(async function requestId(c, next) {
  const trace = newTrace(crypto.randomUUID());
  c.set("trace", trace);
  try {
    await next();
  } catch (error) {
    // Hono gives `onError` only instances of Error. Anything else that is thrown arrives here.
    c.res = toResponse(error, trace.requestId);
  }
  c.res.headers.set("X-Request-Id", trace.requestId);
});

/** Writes one line for every request. */
export const requestLog = createMiddleware<TracedEnv>(async function requestLog(c, next) {
  await next();
  logRequest(c.var.trace, c.req.method, c.res.status);
});

/** Writes a line only for the visits that read D1, and for those that failed. */
export const visitLog = createMiddleware<TracedEnv>(async function visitLog(c, next) {
  await next();
  if (c.var.trace.d1.calls > 0 || c.res.status >= 500) logRequest(c.var.trace, c.req.method, c.res.status);
});

/** Lets an inner app answer, which begins with `innerTrace`. */
export function handOver(c: Context<TracedEnv>, app: InnerApp): Response | Promise<Response> {
  handedOver.set(c.req.raw, c.var.trace);
  return app.fetch(c.req.raw, c.env, c.executionCtx);
}

/** Goes on with the trace of the outer app, and names in it the route that matches the path and the method. */
export const innerTrace = createMiddleware<TracedEnv>(async function innerTrace(c, next) {
  const trace = handedOver.get(c.req.raw) ?? newTrace(crypto.randomUUID());
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  if (route !== undefined) trace.route = asPattern(route.path);
  c.set("trace", trace);
  await next();
});

/** A route as the log has it, which is as OpenAPI writes it: `/api/v1/links/{id}`. */
export const asPattern = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
