import { app } from "./app";
import type { Env } from "./context";
import { pathOf } from "./http/path";
import { visitFromMemory } from "./redirect/handle";

export default {
  // Most requests end in memory. Not async: each promise on the way would cost them a twentieth.
  fetch(request, env, execution) {
    return redirectFromMemory(request, env, execution) ?? app.fetch(request, env, execution);
  },

  async scheduled(controller, env, execution) {
    const { runSchedule } = await import("./schedule");
    execution.waitUntil(runSchedule(controller.cron, env));
  },
} satisfies ExportedHandler<Env>;

function redirectFromMemory(request: Request, env: Env, execution: ExecutionContext): Response | undefined {
  try {
    const response = visitFromMemory(request, pathOf(request.url), env, execution);
    response?.headers.set("X-Request-Id", crypto.randomUUID());
    return response;
  } catch {
    // The app meets the same error, and answers and logs it.
    return undefined;
  }
}
