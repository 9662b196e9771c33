import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { Env } from "../context";
import { charge } from "./fair-shares";
import { paced } from "./paced";
import { logBackground, type Trace } from "./request-log";
import { traceOf } from "./traced";

export interface TracedEnv {
  Bindings: Env;
  Variables: { trace: Trace };
}

type TracedRequest = Pick<Context<TracedEnv>, "env" | "executionCtx" | "req"> & {
  var: { trace: Trace };
};

/** Runs work after the response. Its D1 costs have a log line of their own, and are charged too. */
export const runAfterResponse = (c: TracedRequest, work: Promise<unknown>): void =>
  c.executionCtx.waitUntil(
    logBackground(c.var.trace, c.req.method, work).then(() => charge(c.env, c.var.trace)),
  );

export const requestLog = createMiddleware<TracedEnv>(function requestLog(c, next) {
  c.var.trace.isLogged = true;
  return next();
});

/** Continues the trace of the request, and sets its route. An answer that has shares of the instance is sent as its reader takes it. */
export const innerTrace = createMiddleware<TracedEnv>(async function innerTrace(c, next) {
  const trace = traceOf(c.req.raw);
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  if (route !== undefined) trace.route = asPattern(route.path);
  c.set("trace", trace);
  await next();
  const hasNothingToPace = trace.stream !== undefined || trace.shares.sent.length === 0;
  // Nobody reads the body of a HEAD.
  if (hasNothingToPace || c.req.method === "HEAD" || c.res.body === null) return;
  const { body, sent } = paced(c.res.body.values());
  c.res = new Response(body, c.res);
  trace.stream = sent;
});

/** Converts a Hono route to the OpenAPI form: `/api/v1/links/{id}`. */
const asPattern = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
