import { toResponse } from "./api/problem";
import { type Env, parseConfig } from "./context";
import { methodNotAllowed } from "./errors";
import { handleHealth } from "./health";
import { handleVisit } from "./redirect/handle";
import { siteFile } from "./redirect/site";

export default {
  async fetch(request, env, execution) {
    const requestId = crypto.randomUUID();
    const response = await answer(request, env, execution, requestId).catch((error) =>
      toResponse(error, requestId),
    );
    response.headers.set("X-Request-Id", requestId);
    return request.method === "HEAD" && response.body !== null ? new Response(null, response) : response;
  },
} satisfies ExportedHandler<Env>;

async function answer(
  request: Request,
  env: Env,
  execution: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname;
  const config = parseConfig(env, url.origin);
  const shortHost = new URL(config.shortBaseUrl).host;
  const servesLinksAlone = url.host === shortHost && new URL(config.baseUrl).host !== shortHost;

  if (!servesLinksAlone && path.startsWith("/api/")) {
    const { api } = await import("./api/app");
    return api.fetch(request, { ...env, REQUEST_ID: requestId }, execution);
  }
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!servesLinksAlone && path === "/health") {
    return reads ? handleHealth(env) : toResponse(methodNotAllowed(["GET", "HEAD"]), requestId);
  }
  const file = siteFile(path, config, Date.now());
  if (file !== undefined) return reads ? file : toResponse(methodNotAllowed(["GET", "HEAD"]), requestId);
  return handleVisit(request, url, env, execution);
}
