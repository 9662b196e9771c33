import { toResponse } from "./api/problem";
import { type Env, parseConfig } from "./context";
import { methodNotAllowed } from "./errors";
import { isSlugShaped } from "./lib/slug-text";
import { logRequest, newTrace } from "./log";
import { unknownLink } from "./redirect/answer";
import { handleVisit, VISIT_ROUTE, visitFromMemory } from "./redirect/handle";

/** Of "http://h". */
const SHORTEST_ORIGIN = 8;
/** A path that parsing leaves as it is: without dot segments, escapes and empty segments. */
const PLAIN_PATH = /^(?:\/\.?[\w-][\w.-]*)+\/?$/;
const OWN_PATHS: ReadonlySet<string> = new Set([
  "/app",
  "/docs",
  "/health",
  "/robots.txt",
  "/favicon.ico",
  "/.well-known/security.txt",
]);

/** What the pages of the web application load. */
const CONSOLE_FILE = /^\/app\/console\.(?:css|js)$/;

export default {
  fetch(request, env, execution) {
    const requestId = crypto.randomUUID();
    try {
      const path = pathOf(request.url);
      // Most requests end here. Not async: each promise on the way would cost them a twentieth.
      const response = visitFromMemory(request, path, env, execution) ?? refuseJunk(request, path);
      return response === undefined
        ? respond(request, path, env, execution, requestId)
        : withId(response, requestId);
    } catch (error) {
      return whole(request, toResponse(error, requestId), requestId);
    }
  },

  async scheduled(controller, env, execution) {
    const { runSchedule } = await import("./schedule");
    execution.waitUntil(runSchedule(controller.cron, env));
  },
} satisfies ExportedHandler<Env>;

/** The path of a URL, without parsing the rest of it. */
function pathOf(url: string): string {
  const start = url.indexOf("/", SHORTEST_ORIGIN);
  if (start === -1) return "/";
  const query = url.indexOf("?", start);
  const end = query === -1 ? url.length : query;
  const hash = url.indexOf("#", start);
  return url.slice(start, hash === -1 || hash > end ? end : hash);
}

function withId(response: Response, requestId: string): Response {
  response.headers.set("X-Request-Id", requestId);
  return response;
}

/** An answer with its id and, to HEAD, without a body. */
function whole(request: Request, response: Response, requestId: string): Response {
  withId(response, requestId);
  return request.method === "HEAD" && response.body !== null ? new Response(null, response) : response;
}

/** The answer to a path that is, as it stands, neither a slug nor one of our own. */
function refuseJunk(request: Request, path: string): Response | undefined {
  const isJunk =
    PLAIN_PATH.test(path) &&
    !path.startsWith("/api/") &&
    !OWN_PATHS.has(path) &&
    !isSlugShaped(path.slice(1)) &&
    !path.startsWith("/docs/") &&
    !path.startsWith("/app/");
  return isJunk ? unknownLink(request) : undefined;
}

async function respond(
  request: Request,
  path: string,
  env: Env,
  execution: ExecutionContext,
  requestId: string,
): Promise<Response> {
  let response: Response;
  try {
    response = isSlugShaped(path.slice(1))
      ? await loggedVisit(request, path, env, execution, requestId)
      : await answer(request, path, env, execution, requestId);
  } catch (error) {
    response = toResponse(error, requestId);
  }
  return whole(request, response, requestId);
}

/** A visit that neither memory nor KV has answered alone leaves a line in the log. */
async function loggedVisit(
  request: Request,
  path: string,
  env: Env,
  execution: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const trace = { ...newTrace(requestId), route: VISIT_ROUTE };
  const response = await handleVisit(request, path, env, execution, trace);
  if (trace.d1.calls > 0 || response.status >= 500) {
    logRequest(trace, request.method, response.status);
  }
  return response;
}

/** Everything that is no visit of a short link. */
async function answer(
  request: Request,
  path: string,
  env: Env,
  execution: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const url = new URL(request.url);
  const config = parseConfig(env, url.origin);
  const servesLinksAlone = config.linkHost === url.host;

  if (!servesLinksAlone && url.pathname.startsWith("/api/")) {
    const { api } = await import("./api/app");
    const trace = newTrace(requestId);
    const response = await api.fetch(request, { ...env, TRACE: trace }, execution);
    logRequest(trace, request.method, response.status);
    return response;
  }
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!servesLinksAlone && path === "/health") {
    const { handleHealth } = await import("./health");
    return reads ? handleHealth(env) : toResponse(methodNotAllowed(["GET", "HEAD"]), requestId);
  }
  if (!servesLinksAlone && (path === "/docs" || path.startsWith("/docs/"))) {
    const { staticFile } = await import("./static");
    const file = await staticFile(request, path, env);
    if (file !== undefined) return reads ? file : toResponse(methodNotAllowed(["GET", "HEAD"]), requestId);
  }
  if (!servesLinksAlone && (url.pathname === "/app" || url.pathname.startsWith("/app/"))) {
    const { staticFile } = await import("./static");
    const file = CONSOLE_FILE.test(path) && reads ? await staticFile(request, path, env) : undefined;
    if (file !== undefined) return file;
    const { consoleApp } = await import("./console/app");
    const trace = newTrace(requestId);
    const response = await consoleApp.fetch(request, { ...env, TRACE: trace }, execution);
    logRequest(trace, request.method, response.status);
    return response;
  }
  const { siteFile } = await import("./redirect/site");
  const file = siteFile(path, config, Date.now());
  if (file !== undefined) return reads ? file : toResponse(methodNotAllowed(["GET", "HEAD"]), requestId);
  return unknownLink(request);
}
