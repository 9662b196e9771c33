import { readFileSync, renameSync, watch } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { signInUrl } from "../../access/token";
import { sleep } from "../../lib/sleep";
import { appliedMigrations } from "../status";
import { startCrons } from "./crons";
import { createDemo, createDemoSignIn, DEMO_HOST, getDemoKey } from "./demo";
import { adminHint } from "./hints";
import { hasOtherMigrations, listMigrations } from "./migrations";
import { LOCAL_PORT, LOCAL_STATE, openPlatform, writeOrigin } from "./platform";
import { DOCUMENTS, makeStaticFiles, OWN_FILES } from "./static";
import { runWrangler, startWrangler } from "./wrangler";

const MAX_START_MS = 60_000;

/** Reads the options that this command needs too. All are passed to `wrangler dev`, and these also by default. */
function parse(argv: readonly string[]) {
  const options = { port: { type: "string" }, "persist-to": { type: "string" } } as const;
  const { values } = parseArgs({ args: [...argv], options, strict: false });
  const port = Number(values.port ?? LOCAL_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error("--port must be between 1 and 65535.");
  const persistTo = String(values["persist-to"] ?? LOCAL_STATE);
  const passed = [...argv];
  if (values.port === undefined) passed.push("--port", String(port));
  if (values["persist-to"] === undefined) passed.push("--persist-to", persistTo);
  return { port, persistTo, passed };
}

/** Checked before the start. wrangler would report it only after this command has greeted from the other server. */
const isPortInUse = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "localhost" });
    const answer = (inUse: boolean) => () => {
      socket.destroy();
      resolve(inUse);
    };
    socket.on("connect", answer(true));
    socket.on("error", answer(false));
  });

/**
 * The ids of the processes up to npm. The command ends when one changes, since a killed shell or npm ends no children.
 * Only Linux has `/proc`; other systems give the parent alone.
 */
function listAncestors(pid = process.ppid): number[] {
  try {
    const startedByNpm = readFileSync(`/proc/${pid}/environ`).includes("npm_lifecycle_event=");
    // The format is `pid (name) state parent …`, and the name may contain any character.
    const parent = /\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
    return [pid, ...(startedByNpm && parent !== undefined ? listAncestors(Number(parent)) : [])];
  } catch {
    return [pid];
  }
}

async function isReady(base: string): Promise<boolean> {
  const deadline = Date.now() + MAX_START_MS;
  while (Date.now() < deadline) {
    const response = await fetch(`${base}/health`).catch(() => undefined);
    if (response?.ok === true) return true;
    await sleep(200);
  }
  return false;
}

/** Moves a state aside that has other migrations, since they cannot be changed into those of this release. */
async function openState(persistTo: string) {
  const { ctx, close } = await openPlatform({ remote: false, persistTo });
  const applied = (await appliedMigrations(ctx.db)) ?? [];
  if (!hasOtherMigrations(applied)) return { ctx, close, applied };
  await close();
  const aside = `${persistTo}-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}`;
  renameSync(persistTo, aside);
  process.stdout.write(
    `${persistTo} was made with other migrations: it is now ${aside}, and a new one begins.\n`,
  );
  return { ...(await openPlatform({ remote: false, persistTo })), applied: [] };
}

/** Applies missing migrations, and creates the demo with an API key and a sign-in token unless it exists. */
async function prepareState(persistTo: string) {
  const { ctx, close, applied } = await openState(persistTo);
  if (listMigrations().some((name) => !applied.includes(name))) {
    await runWrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  }
  const { created } = await createDemo(ctx);
  const key = await getDemoKey(ctx, join(persistTo, "demo-key"));
  const signIn = await createDemoSignIn(ctx);
  await close();
  return { created, key, signIn };
}

/** Starts `wrangler dev`. This process ends with it, and it ends with this process, its shell or npm. */
function startServer({ passed }: ReturnType<typeof parse>, startedBy: string): void {
  // Servers that start at once would otherwise all take port 9229.
  const inspector = passed.some((arg) => arg.startsWith("--inspect")) ? [] : ["--inspector-port", "0"];
  // The demo has a broken destination to show. Destinations are asked by the deployed Worker alone.
  const shown = ["--var", "DESTINATION_HEALTH_CHECK:on"];
  const server = startWrangler(["dev", ...inspector, ...shown, ...passed]);
  const stop = () => server.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
  setInterval(() => {
    if (listAncestors().join() !== startedBy) stop();
  }, 1000).unref();
  server.on("exit", (code) => process.exit(code ?? 0));
}

/** The demo's domain at the port of the service. */
const onDomain = (base: string): string => base.replace("localhost", DEMO_HOST);

const greeting = (
  base: string,
  persistTo: string,
  { created, key, signIn }: Awaited<ReturnType<typeof prepareState>>,
) => `
Waymark is running.${created ? ' The workspace "demo" is new: it has groups, tags and links to look at.' : ""}

  Short links   ${base}/<slug>      try ${base}/summer, or on the demo's own domain ${onDomain(base)}/summer
  API           ${base}/api/v1      described at ${base}/docs
  Demo key      ${key}
  Web           ${signInUrl(base, signIn)}
                has a button that signs you in as the owner of "demo", once, within 15 minutes; another: ${adminHint("member sign-in --email owner@demo.example", persistTo)}

Create a link:

  curl -s ${base}/api/v1/links -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"destination_url":"https://www.example.com/","activity_group_id":"summer-2026"}'

`;

async function dev(argv: readonly string[]): Promise<void> {
  const startedBy = listAncestors().join();
  const options = parse(argv);
  const { port, persistTo } = options;
  if (await isPortInUse(port)) {
    throw new Error(`Port ${port} is in use. Choose another: npm run dev -- --port 9000`);
  }
  const base = `http://localhost:${port}`;
  const demo = await prepareState(persistTo);
  writeOrigin(persistTo, base);
  startServer(options, startedBy);
  for (const folder of [OWN_FILES, DOCUMENTS]) {
    watch(folder, { recursive: true }, () => makeStaticFiles()).unref();
  }
  const report = (line: string) => process.stderr.write(`${line}\n`);
  if (!(await isReady(base))) {
    report(`${base}/health has not answered for a minute: what wrangler says above tells why.`);
    return;
  }
  process.stdout.write(greeting(base, persistTo, demo));
  // wrangler runs no crons, and its address that triggers them answers 500 if there are static assets.
  await openPlatform({ remote: false, persistTo }).then(
    ({ ctx }) => startCrons(ctx, report),
    () => report(`What the crons do does not run here: ${adminHint("cron run", persistTo)} does it once.`),
  );
}

try {
  await dev(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
