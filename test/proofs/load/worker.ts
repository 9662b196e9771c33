import type { Env } from "../../../src/context";
import worker from "../../../src/worker";
import { shakyD1, shakyKv } from "./shaky";

// The Worker with bindings that fail.

let shaky: Env | undefined;

/** One environment for the instance, since memory is kept per KV binding. */
const shakyOf = (env: Env): Env => {
  shaky ??= { ...env, DB: shakyD1(env), KV: shakyKv(env) };
  return shaky;
};

export default {
  fetch: (request, env, execution) => worker.fetch(request, shakyOf(env), execution),
  scheduled: (controller, env, execution) => worker.scheduled(controller, shakyOf(env), execution),
} satisfies ExportedHandler<Env>;
