import { readdirSync, readFileSync, watch } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sleep } from "../lib/sleep";
import { appliedMigrations } from "../site/health";
import { signInUrl } from "./commands/member";
import { startCrons } from "./crons";
import { demoKey, demoSignIn, makeDemo } from "./demo";
import { LOCAL_PORT, LOCAL_STATE, noteOrigin, openPlatform } from "./platform";
import { DOCUMENTS, makeStaticFiles, OWN_FILES } from "./static";
import { runWrangler, startWrangler } from "./wrangler";

const READY_WITHIN_MS = 60_000;

/** Options of our own; everything else goes to `wrangler dev` as it stands. */
function parse(argv: readonly string[]) {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: { port: { type: "string" }, "persist-to": { type: "string" } },
    strict: false,
    tokens: true,
  });
  const ours = new Set(["port", "persist-to"]);
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || !ours.has(token.name)) continue;
    taken.add(token.index);
    if (token.value !== undefined && !token.inlineValue) taken.add(token.index + 1);
  }
  const port = Number(values.port ?? LOCAL_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error("--port must be between 1 and 65535.");
  return {
    port,
    persistTo: String(values["persist-to"] ?? LOCAL_STATE),
    passed: argv.filter((_, index) => !taken.has(index)),
  };
}

/** Whether somebody listens there already: wrangler would say so only after we have greeted from his server. */
const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "localhost" });
    const answer = (taken: boolean) => () => {
      socket.destroy();
      resolve(taken);
    };
    socket.on("connect", answer(true));
    socket.on("error", answer(false));
  });

/**
 * The processes between this one and npm, and npm itself: a shell or npm that is killed takes no children with it.
 * Linux tells them all, other systems the first.
 */
function ancestors(pid = process.ppid): number[] {
  try {
    const startedByNpm = readFileSync(`/proc/${pid}/environ`).includes("npm_lifecycle_event=");
    // In front of the parent stand the name, in parentheses and of any characters, and the state.
    const parent = /\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
    return [pid, ...(startedByNpm && parent !== undefined ? ancestors(Number(parent)) : [])];
  } catch {
    return [pid];
  }
}

async function untilReady(base: string): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    const response = await fetch(`${base}/health`).catch(() => undefined);
    if (response?.ok === true) return true;
    await sleep(200);
  }
  return false;
}

async function dev(argv: readonly string[]): Promise<void> {
  const family = ancestors().join();
  const { port, persistTo, passed } = parse(argv);
  if (await isTaken(port)) {
    throw new Error(`Port ${port} is in use. Choose another: npm run dev -- --port 9000`);
  }
  const base = `http://localhost:${port}`;
  const platform = await openPlatform({ remote: false, persistTo });
  const applied = new Set(await appliedMigrations(platform.ctx.db));
  const isMigrated = readdirSync("migrations").every((name) => !name.endsWith(".sql") || applied.has(name));
  if (!isMigrated) {
    await runWrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  }
  const { created } = await makeDemo(platform.ctx);
  const key = await demoKey(platform.ctx, join(persistTo, "demo-key"));
  const signIn = await demoSignIn(platform.ctx);
  await platform.close();
  noteOrigin(persistTo, base);

  // Any free port for the inspector: servers that start at once would all take 9229.
  const inspector = passed.some((arg) => arg.startsWith("--inspect")) ? [] : ["--inspector-port", "0"];
  const options = ["--port", String(port), "--persist-to", persistTo, ...inspector, ...passed];
  const server = startWrangler(["dev", ...options]);
  for (const folder of [OWN_FILES, DOCUMENTS]) {
    watch(folder, { recursive: true }, () => makeStaticFiles()).unref();
  }
  const stop = () => server.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
  setInterval(() => {
    if (ancestors().join() !== family) stop();
  }, 1000).unref();
  server.on("exit", (code) => process.exit(code ?? 0));

  if (!(await untilReady(base))) {
    process.stderr.write(
      `${base}/health has not answered for a minute: what wrangler says above tells why.\n`,
    );
    return;
  }
  process.stdout.write(`
Waymark is running.${created ? ' The workspace "demo" is new: it has groups, tags and links to look at.' : ""}

  Short links   ${base}/<slug>      try ${base}/summer
  API           ${base}/api/v1      described at ${base}/docs
  Demo key      ${key}
  Web           ${signInUrl(base, signIn)}
                has a button that signs you in as the owner of "demo", once, within 15 minutes; another: npm run admin -- member sign-in --email owner@demo.example

Create a link:

  curl -s ${base}/api/v1/links -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"destination_url":"https://www.example.com/","activity_group_id":"summer-2026"}'

`);
  // wrangler runs no crons, and the address by which it could be made to answers 500 where there are static assets.
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  await openPlatform({ remote: false, persistTo }).then(
    ({ ctx }) => startCrons(ctx, tell),
    () => tell("What the crons do does not run here: npm run admin -- cron run does it once."),
  );
}

try {
  await dev(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
