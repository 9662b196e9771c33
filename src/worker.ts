import { toResponse } from "./api/problem";
import { type Env, parseConfig } from "./context";
import { methodNotAllowed } from "./errors";
import { isSlugShaped } from "./lib/slug-text";
import { handleVisit } from "./redirect/handle";

export default {
  async fetch(request, env, execution) {
    const requestId = crypto.randomUUID();
    let response: Response;
    try {
      const path = pathOf(request.url);
      response = isSlugShaped(path.slice(1))
        ? await handleVisit(request, path, env, execution)
        : await answer(request, path, env, execution, requestId);
    } catch (error) {
      response = toResponse(error, requestId);
    }
    response.headers.set("X-Request-Id", requestId);
    return request.method === "HEAD" && response.body !== null ? new Response(null, response) : response;
  },

  async scheduled(controller, env, execution) {
    const { runSchedule } = await import("./schedule");
    execution.waitUntil(runSchedule(controller.cron, env));
  },
} satisfies ExportedHandler<Env>;

/** The path of a URL, without parsing the rest of it. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
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
  const shortHost = new URL(config.shortBaseUrl).host;
  const servesLinksAlone = url.host === shortHost && new URL(config.baseUrl).host !== shortHost;

  if (!servesLinksAlone && url.pathname.startsWith("/api/")) {
    const { api } = await import("./api/app");
    return api.fetch(request, { ...env, REQUEST_ID: requestId }, execution);
  }
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!servesLinksAlone && path === "/health") {
    const { handleHealth } = await import("./health");
    return reads ? handleHealth(env) : toResponse(methodNotAllowed(["GET", "HEAD"]), requestId);
  }
  const { siteFile } = await import("./redirect/site");
  const file = siteFile(path, config, Date.now());
  if (file !== undefined) return reads ? file : toResponse(methodNotAllowed(["GET", "HEAD"]), requestId);
  return handleVisit(request, path, env, execution);
}
