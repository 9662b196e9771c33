import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { inject } from "vitest";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { signInUrl } from "../../src/access/token";
import { createDemoSignIn, getDemoKey } from "../../src/cli/demo";
import { openPlatform, type PlatformOptions, writeOrigin } from "../../src/cli/platform";
import type { Env, ServiceContext } from "../../src/context";
import { jsonOf, runMain, temporaryDirectory } from "../cli/terminal";
import { modulesOf } from "../proofs/bench/modules";
import { workerConfig } from "../worker-config";
import type { Prepared } from "./prepare";
import { withoutBlocking } from "./statements";

/** The deployed bundle in a workerd of its own, with the demo workspace, as `npm run dev` serves it but without crons. */
export interface Service {
  base: string;
  /** A key of the demo workspace with full access. */
  key: string;
  /** The sign-in link of the demo workspace's owner. */
  web: string;
  /** The folder of its state, for `--persist-to`. */
  state: string;
  ctx: ServiceContext;
  /** Runs a command of `npm run admin` in this process. Returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any result
  admin: (...argv: string[]) => Promise<any>;
  stop: () => Promise<void>;
}

/** Starts a service. A test takes what its project has prepared. */
export async function startService(prepared: Prepared = inject("service")): Promise<Service> {
  const state = temporaryDirectory();
  cpSync(prepared.state, state, { recursive: true });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(workerConfig());
  const { bindings: vars, modulesRules: _, ...options } = workerOptions;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...(options as V4WorkerOptions),
      name: "waymark",
      modules: modulesOf(join(prepared.bundle, "worker.js")),
      bindings: { ...(vars as Record<string, string>), DESTINATION_HEALTH_CHECK: "on" },
      resourcePersistencePath: join(state, "v3"),
      cf: false,
      host: "localhost",
      port: 0,
      handleRuntimeStdio: (out: Readable, err: Readable) => {
        out.resume();
        err.resume();
      },
    }),
  );
  const { port } = await miniflare.ready;
  const base = `http://localhost:${port}`;
  writeOrigin(state, base);
  const bindings = (await miniflare.getBindings()) as unknown as Env;
  const env: Env = { ...bindings, DB: withoutBlocking(bindings.DB) };
  const open = (given: PlatformOptions) =>
    openPlatform({ ...given, persistTo: state }, async () => ({ env, dispose: async () => undefined }));
  const { ctx } = await open({ remote: false, persistTo: state });
  return {
    base,
    key: await getDemoKey(ctx, join(state, "demo-key")),
    web: signInUrl(base, await createDemoSignIn(ctx)),
    state,
    ctx,
    admin: async (...argv) => jsonOf(await runMain([...argv, "--json"], open)),
    stop: () => miniflare.dispose(),
  };
}
