import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { renameSync, watch } from "node:fs";
import { join } from "node:path";
import { sleep } from "../lib/sleep";
import { readMigrations } from "../operations/applied-migrations";
import { DOCUMENTS, makeStaticFiles, OWN_FILES } from "./built-files";
import { startCrons } from "./crons";
import { createDemo, createDemoSignIn, getDemoKey } from "./demo";
import { parseDevOptions } from "./dev-options";
import { greeting } from "./greeting";
import { adminHint } from "./hints";
import { hasOtherMigrations, listMigrations } from "./migrations";
import { openPlatform, type PlatformOptions, writeOrigin } from "./platform";
import { print } from "./run";
import { runWrangler, startWrangler } from "./wrangler";

const MAX_START_MS = 60_000;

/** Waits for this server, which says when it listens: another one may have taken the port meanwhile. */
async function isReady(server: ChildProcess, base: string): Promise<boolean> {
  const deadline = AbortSignal.timeout(MAX_START_MS);
  await once(server, "message", { signal: deadline }).catch(() => undefined);
  while (!deadline.aborted) {
    const response = await fetch(`${base}/health`).catch(() => undefined);
    if (response?.ok === true) return true;
    await sleep(200);
  }
  return false;
}

/** Moves a state aside that has other migrations, since they cannot be changed into those of this release. */
async function openState(platform: PlatformOptions) {
  const { persistTo } = platform;
  const { ctx, close } = await openPlatform(platform);
  const applied = await readMigrations(ctx.db).catch((): string[] => []);
  if (!hasOtherMigrations(applied)) return { ctx, close, applied };
  await close();
  const aside = `${persistTo}-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}`;
  renameSync(persistTo, aside);
  print(`${persistTo} was made with other migrations: it is now ${aside}, and a new one begins.`);
  return { ...(await openPlatform(platform)), applied: [] };
}

/** Applies missing migrations, and creates the demo with an API key and a sign-in token unless it exists. */
async function prepareState(platform: PlatformOptions) {
  const { persistTo } = platform;
  const { ctx, close, applied } = await openState(platform);
  if (listMigrations().some((name) => !applied.includes(name))) {
    await runWrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  }
  const { created } = await createDemo(ctx);
  const key = await getDemoKey(ctx, join(persistTo, "demo-key"));
  const signIn = await createDemoSignIn(ctx);
  await close();
  return { created, key, signIn };
}

/** Starts `wrangler dev`. This process ends with it, and it ends with this process. */
function startServer(passed: readonly string[]): ChildProcess {
  // Servers that start at once would otherwise all take port 9229.
  const inspector = passed.some((arg) => arg.startsWith("--inspect")) ? [] : ["--inspector-port", "0"];
  // The demo has a broken destination to show. Destinations are asked by the deployed Worker alone.
  const shown = ["--var", "DESTINATION_HEALTH_CHECK:on"];
  // This command runs the crons. With the option wrangler does not warn that it runs none.
  const quiet = "--test-scheduled";
  const server = startWrangler(["dev", ...inspector, ...shown, quiet, ...passed]);
  const stop = () => {
    // Windows sends Ctrl-C to wrangler too, and `kill` there would leave workerd behind.
    if (process.platform !== "win32") server.kill("SIGTERM");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
  server.on("exit", (code) => process.exit(code ?? 0));
  return server;
}

export async function dev(argv: readonly string[]): Promise<void> {
  const { port, isOtherPort, platform, passed } = await parseDevOptions(argv);
  const { persistTo } = platform;
  const base = `http://localhost:${port}`;
  const demo = await prepareState(platform);
  writeOrigin(persistTo, base);
  const server = startServer(passed);
  for (const folder of [OWN_FILES, DOCUMENTS]) {
    watch(folder, { recursive: true }, () => makeStaticFiles()).unref();
  }
  const report = (line: string) => process.stderr.write(`${line}\n`);
  if (!(await isReady(server, base))) {
    report(`${base}/health has not answered for a minute: what wrangler says above tells why.`);
    return;
  }
  process.stdout.write(greeting({ port, isOtherPort, persistTo, demo }));
  // wrangler runs no crons. Jobs that its address triggers do not know this port, which URLs in messages have.
  await openPlatform(platform).then(
    ({ ctx }) => startCrons(ctx, report),
    () => report(`What the crons do does not run here: ${adminHint("cron run", persistTo)} does it once.`),
  );
}
