import { createApiKey } from "../../../src/access/keys";
import { createWorkspace, getWorkspace } from "../../../src/access/service";
import { type Context, type Env, parseConfig, type ServiceContext, systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { recountWorkspaces } from "../../../src/operations/consistency/service";
import { checkFile } from "../../../src/resources/imports/check";
import { continueImport } from "../../../src/resources/imports/continue";
import worker from "../../../src/worker";
import { faults, shakyD1, shakyKv } from "../load/shaky";
import { CONTROL, INSTANCE, INSTANCES } from "./control";

// The Worker as several instances, with bindings that fail until told to stop. The soak also uses it for workspaces,
// imports, crons, the doctor and queries.

let isShaky = true;
let instances: Env[] = [];

const fresh = (env: Env): Env => ({
  ...env,
  DB: shakyD1(env, () => isShaky),
  KV: shakyKv(env, () => isShaky),
});

/** Memory of slugs is kept per KV binding, gathered clicks per D1 binding. */
function instance(env: Env, number: number): Env {
  if (instances.length === 0) instances = Array.from({ length: INSTANCES }, () => fresh(env));
  return instances[number % INSTANCES] ?? env;
}

/** Clears the slug memory of every instance, as a restart does, but keeps gathered clicks. */
function forgetSlugs(env: Env): void {
  instances = instances.map((one) => ({ ...one, KV: shakyKv(env, () => isShaky) }));
}

async function control(verb: string, request: Request, env: Env, execution: ExecutionContext) {
  const ctx = (of: Env): ServiceContext => ({
    db: createDatabase(of.DB),
    kv: of.KV,
    config: parseConfig(of, new URL(request.url).origin),
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    waitUntil: (work) => execution.waitUntil(work),
  });
  const inWorkspace = async (of: Env, slug: string): Promise<Context> => ({
    ...ctx(of),
    workspace: await getWorkspace(ctx(env), slug),
  });
  const given = await request.text();
  const shaky = instance(env, 0);
  switch (verb) {
    case "workspace": {
      await createWorkspace(ctx(env), { name: given, slug: given });
      return createApiKey(await inWorkspace(env, given), { name: "soak" });
    }
    case "sql":
      return (await env.DB.prepare(given).all()).results;
    case "doctor":
      return recountWorkspaces(ctx(env));
    case "cron": {
      const behind: Promise<unknown>[] = [];
      const waiting = { ...execution, waitUntil: (work: Promise<unknown>) => void behind.push(work) };
      const controller = { cron: given, scheduledTime: Date.now(), noRetry: () => undefined };
      await worker.scheduled(controller as ScheduledController, shaky, waiting as ExecutionContext);
      await Promise.all(behind);
      return {};
    }
    case "forget":
      forgetSlugs(env);
      return {};
    case "heal":
      isShaky = false;
      return { faults: faults() };
    case "check-import": {
      const { workspace, name, csv } = JSON.parse(given);
      return checkFile(await inWorkspace(shaky, workspace), {
        name,
        bytes: new TextEncoder().encode(csv),
      });
    }
    case "go-on": {
      const { workspace, id } = JSON.parse(given);
      return continueImport(await inWorkspace(shaky, workspace), id);
    }
    default:
      throw new Error(`There is no ${verb}.`);
  }
}

export default {
  async fetch(request, env, execution) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(CONTROL)) {
      return worker.fetch(request, instance(env, Number(request.headers.get(INSTANCE))), execution);
    }
    try {
      return Response.json(await control(pathname.slice(CONTROL.length), request, env, execution));
    } catch (error) {
      return new Response(String(error instanceof Error ? error.stack : error), { status: 500 });
    }
  },
} satisfies ExportedHandler<Env>;
