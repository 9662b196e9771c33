import { app } from "./app";
import type { Env } from "./context";
import { pathOf } from "./http/host";
import { visitFromMemory } from "./redirect/handle";

export default {
  // Not async: memory answers most requests, and each promise would add 5 % to their time.
  fetch(request, env, execution) {
    return redirectFromMemory(request, env, execution) ?? app.fetch(request, env, execution);
  },

  async scheduled(controller, env, execution) {
    const { runSchedule } = await import("./operations/schedule");
    execution.waitUntil(runSchedule(controller.cron, env));
  },
} satisfies ExportedHandler<Env>;

function redirectFromMemory(request: Request, env: Env, execution: ExecutionContext): Response | undefined {
  try {
    const response = visitFromMemory(request, pathOf(request.url), env, execution);
    response?.headers.set("X-Request-Id", crypto.randomUUID());
    return response;
  } catch {
    // The app runs into the same error, logs it and responds.
    return undefined;
  }
}
