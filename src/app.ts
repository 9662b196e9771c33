import { type Context, type Handler, Hono, type Next } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { TrieRouter } from "hono/router/trie-router";
import { parseConfig } from "./context";
import { methodNotAllowed } from "./errors";
import { pathOf } from "./http/path";
import { toResponse } from "./http/problem";
import { asPattern, handOver, requestId, requestLog, type TracedEnv, visitLog } from "./http/trace";
import { unknownLink } from "./redirect/answer";
import { handleVisit } from "./redirect/handle";
import { icon, robots, root, securityText } from "./site/files";

type AppContext = Context<TracedEnv>;

/** Where short links have a host of their own, that host does not serve the route. */
const mainHost = createMiddleware<TracedEnv>(async function mainHost(c, next) {
  if (configOf(c).linkHost === new URL(c.req.url).host) return unknownLink(c.req.raw);
  return next();
});

/** Refuses all methods but GET and HEAD. */
const readOnly = createMiddleware<TracedEnv>(async function readOnly(c, next) {
  assertReads(c);
  return next();
});

/** Every path that the Worker answers. What is imported in a route is loaded when it is first asked for. */
export const app = new Hono<TracedEnv>({
  getPath: (request) => pathOf(request.url),
  // Of Hono's routers this one alone tells `/foo/` from `/foo` and takes fixed paths beside `/:slug`.
  router: new TrieRouter(),
});

app.use(requestId);

app.all("/", readOnly, (c) => root(configOf(c)));
app.all("/robots.txt", readOnly, robots);
app.all("/favicon.ico", readOnly, icon);
app.all("/.well-known/security.txt", file(securityContact));
app.all("/health", mainHost, readOnly, health);
app.all("/docs/*", mainHost, file(asset));
app.get("/app/console.css", mainHost, consoleFile);
app.get("/app/console.js", mainHost, consoleFile);
app.all("/app/*", mainHost, requestLog, webApplication);
// `/api/*` would have `/api` too, which is no path of the API.
app.all("/api/:path{.*}", mainHost, requestLog, publicInterface);
app.all("/:slug", visitLog, visit);

app.notFound((c) => unknownLink(c.req.raw));
app.onError((error, c) => toResponse(error, c.var.trace.requestId));

const configOf = (c: AppContext) => parseConfig(c.env, new URL(c.req.url).origin);

function assertReads(c: AppContext): void {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
}

type FindFile = (c: AppContext) => Response | undefined | Promise<Response | undefined>;

/** A file that may be missing: all methods are then 404. Where it exists, all but GET and HEAD are 405. */
function file(find: FindFile): Handler<TracedEnv> {
  return async (c) => {
    const found = await find(c);
    if (found === undefined) return c.notFound();
    assertReads(c);
    return found;
  };
}

function securityContact(c: AppContext): Response | undefined {
  return securityText(configOf(c), Date.now());
}

async function asset(c: AppContext): Promise<Response | undefined> {
  const { staticFile } = await import("./site/static");
  return staticFile(c.req.raw, c.req.path, c.env);
}

async function consoleFile(c: AppContext, next: Next): Promise<Response | undefined> {
  const found = await asset(c);
  if (found === undefined) await next();
  return found;
}

async function health(c: AppContext): Promise<Response> {
  const { handleHealth } = await import("./site/health");
  return handleHealth(c.env);
}

async function webApplication(c: AppContext): Promise<Response> {
  const { consoleApp } = await import("./console/app");
  return handOver(c, consoleApp);
}

async function publicInterface(c: AppContext): Promise<Response> {
  const { api } = await import("./api/app");
  return handOver(c, api);
}

function visit(c: AppContext): Promise<Response> {
  c.var.trace.route = asPattern(routePath(c));
  return handleVisit(c.req.raw, c.req.path, c.env, c.executionCtx, c.var.trace);
}
