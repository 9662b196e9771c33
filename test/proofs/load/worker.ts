import { parseConfig } from "../../../src/config";
import { type Env, systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { recountWorkspaces } from "../../../src/operations/consistency/doctor";
import worker from "../../../src/worker";
import { shakyD1, shakyKv } from "./shaky";

// The Worker with bindings that fail, and a path that checks the database without faults.

/** No visit has this path, since slugs have no slash. */
const CHECK_PATH = "/load/check";
const EVERY_MINUTE = "* * * * *";
/** Enough for the changes of a pass, since a sweep pushes a limited number of slugs. */
const SWEEPS = 5;

let shaky: Env | undefined;

/** One environment for the instance, since memory is kept per KV binding. */
const shakyOf = (env: Env): Env => {
  shaky ??= { ...env, DB: shakyD1(env), KV: shakyKv(env) };
  return shaky;
};

/** Sweeps, then lists the slugs still due, what the doctor repairs, and references to nothing. */
async function check(env: Env): Promise<unknown> {
  const behind: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void behind.push(work);
  const controller = { cron: EVERY_MINUTE, scheduledTime: Date.now(), noRetry: () => undefined };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    await worker.scheduled(controller, env, { waitUntil } as ExecutionContext);
    await Promise.all(behind);
  }
  const doctor = await recountWorkspaces({
    db: createDatabase(env.DB),
    kv: env.KV,
    config: parseConfig(env, "https://links.example.com"),
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    waitUntil,
  });
  const due = await env.DB.prepare("select key from slugs where push_at <= ?")
    .bind(controller.scheduledTime)
    .all();
  const orphans = await env.DB.prepare("pragma foreign_key_check").all();
  return { due: due.results, repaired: doctor.repaired, orphans: orphans.results };
}

/** The same request over https, which the API insists on. */
const encrypted = <Sent extends Request>(request: Sent): Sent =>
  new Request(request.url.replace(/^http:/, "https:"), request) as Sent;

export default {
  async fetch(request, env, execution) {
    if (new URL(request.url).pathname === CHECK_PATH) return Response.json(await check(env));
    return worker.fetch(encrypted(request), shakyOf(env), execution);
  },
  scheduled: (controller, env, execution) => worker.scheduled(controller, shakyOf(env), execution),
} satisfies ExportedHandler<Env>;
