import type { Env } from "./context";
import { pathOf, secureTransport } from "./http/host";
import { traced } from "./http/traced";
import { answerFromMemory, answerSlug, slugOfPath } from "./redirect/handle";

export default {
  // Not async: memory answers most requests, and each promise would add 5 % to their time.
  fetch(request, env, execution) {
    return redirectFromMemory(request, env, execution) ?? answer(request, env, execution);
  },

  async scheduled(controller, env, execution) {
    const { runSchedule } = await import("./operations/schedule");
    execution.waitUntil(runSchedule(controller.cron, env));
  },
} satisfies ExportedHandler<Env>;

function redirectFromMemory(request: Request, env: Env, execution: ExecutionContext): Response | undefined {
  try {
    const { url } = request;
    const response = answerFromMemory(request, pathOf(url), env, execution);
    if (response === undefined) return undefined;
    response.headers.set("X-Request-Id", crypto.randomUUID());
    secureTransport(response, url, env);
    return response;
  } catch {
    // The same error comes again below, where it is logged and answered.
    return undefined;
  }
}

/** A slug needs no route table. What a new instance loads before its first redirect is a part of the time to it. */
const answer = (request: Request, env: Env, execution: ExecutionContext): Promise<Response> =>
  traced(request, env, execution, async (trace) => {
    const path = pathOf(request.url);
    const slug = slugOfPath(path);
    if (slug !== undefined) return answerSlug({ request, env, execution, trace }, path, slug);
    const { app } = await import("./app");
    return app.fetch(request, env, execution);
  });
