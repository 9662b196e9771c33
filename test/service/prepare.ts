import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createDemo, getDemoKey } from "../../src/cli/demo";
import { openPlatform } from "../../src/cli/platform";
import { runWrangler } from "../../src/cli/wrangler";
import { cleanUp, openLocal, temporaryDirectory } from "../cli/terminal";

// Built once per run, since each takes seconds: the Worker's bundle, and a local state with the demo workspace.

declare module "vitest" {
  export interface ProvidedContext {
    service: Prepared;
  }
}

export interface Prepared {
  /** The Worker as it is deployed. */
  bundle: string;
  /** A state of `npm run dev` that services copy. */
  state: string;
}

async function prepareBundle(): Promise<string> {
  const bundle = temporaryDirectory();
  await runWrangler(["deploy", "--dry-run", "--outdir", bundle]);
  return bundle;
}

async function prepareState(): Promise<string> {
  const { state, env, dispose } = await openLocal();
  const { ctx } = await openPlatform({ remote: false, persistTo: state }, async () => ({ env, dispose }));
  await createDemo(ctx);
  await getDemoKey(ctx, join(state, "demo-key"));
  await dispose();
  return state;
}

/** `cleanUp` of test/cli/terminal removes it. */
export async function prepareService(): Promise<Prepared> {
  const [bundle, state] = await Promise.all([prepareBundle(), prepareState()]);
  return { bundle, state };
}

/** Each project loads this module for itself. */
const shared = globalThis as { preparedService?: Promise<Prepared> };

export default async function prepare({ provide }: TestProject): Promise<() => void> {
  shared.preparedService ??= prepareService();
  provide("service", await shared.preparedService);
  return cleanUp;
}
