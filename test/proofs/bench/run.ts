import "../../../src/cli/node-version";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { buildModules } from "../../../src/cli/modules";
import { runWrangler } from "../../../src/cli/wrangler";
import { SHORT_HOST } from "../../../src/lib/slug-text";
import { openClient } from "../load/http";
import { assertWrk, saturate } from "./client";
import { cpuMs } from "./cpu";
import { loadedWith, modulesOf, readCompatibility } from "./modules";
import { type Measured, oneMinuteLoad, type Run, report } from "./results";
import type { ServerOptions, Started } from "./server";
import { migrationsOf, type Server, servers, startServer, stopServer } from "./servers";
import { measureStarts } from "./starts";
import {
  BROWSER,
  COLD_SLUGS_A_SECOND,
  DOMAIN,
  type Load,
  type Variant,
  variants,
  type WorkerName,
} from "./variants";

const FULL_ROUNDS = 6;
const WARM_UP_SECONDS = 2;
const STARTS = 9;
const RESULTS = fileURLToPath(new URL("RESULTS.md", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const client = openClient(1);

interface Contestant extends Variant {
  server: Server;
  /** The first unvisited slug of a rotation. */
  next: number;
}

/** The load with the placeholders of its server filled in. */
const placed = (load: Load, { link, after }: Started): Load =>
  load.kind === "api" ? { ...load, path: load.path.replace("{link}", link).replace("{after}", after) } : load;

/** The headers of a client of the API, or of a browser that visits a host. */
const headersOf = ({ load, host, server }: Contestant): Readonly<Record<string, string>> =>
  load.kind === "api"
    ? { Authorization: `Bearer ${server.apiKey}` }
    : { ...BROWSER, ...(host !== undefined && { Host: host }) };

/** Checks one response before the rounds, since a benchmark of error responses would look fast. */
async function assertAnswers(contestant: Contestant): Promise<void> {
  const { name, load, expects, server } = contestant;
  const path = load.kind === "rotate" ? `${load.prefix}0` : load.path;
  const body = load.kind === "api" ? load.body : undefined;
  const headers = {
    ...headersOf(contestant),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const { status, headers: sent } = await client.ask(
    `${server.url}${path}`,
    body === undefined ? "GET" : "POST",
    headers,
    body,
  );
  const answer = { status, cache: sent["x-cache"] };
  if (answer.status === expects.status && answer.cache === expects.cache) return;
  throw new Error(`${name}: expected ${JSON.stringify(expects)}, got ${JSON.stringify(answer)}`);
}

async function measure(contestant: Contestant, seconds: number): Promise<Measured> {
  const { server, load, name, expects } = contestant;
  const before = cpuMs(server.pid);
  const shot = await saturate(server.url, load, seconds, contestant.next, headersOf(contestant));
  // Background work after the last responses counts towards this round.
  await sleep(200);
  const spent = cpuMs(server.pid) - before;
  if (load.kind === "rotate" && load.fresh) contestant.next += shot.requests + 1_000;
  const wrong = expects.status < 400 ? shot.refused : shot.requests - shot.refused;
  if (wrong > 0) throw new Error(`${name}: ${wrong} of ${shot.requests} answers were of the wrong kind.`);
  return { cpu: (spent * 1000) / shot.requests, rate: shot.rate };
}

async function bench(rounds: number, seconds: number, folder: string): Promise<Run> {
  await runWrangler(["deploy", "--dry-run", "--outdir", join(folder, "bundle")]);
  const script: Record<WorkerName, string> = {
    floor: fileURLToPath(new URL("workers/floor.js", import.meta.url)),
    headers: fileURLToPath(new URL("workers/headers.js", import.meta.url)),
    page: fileURLToPath(new URL("workers/page.js", import.meta.url)),
    kv: fileURLToPath(new URL("workers/kv.js", import.meta.url)),
    query: fileURLToPath(new URL("workers/query.js", import.meta.url)),
    waymark: join(folder, "bundle", "worker.js"),
  };
  const modules = modulesOf(script.waymark);
  const { metafile } = await buildModules();
  const migrations = migrationsOf(join(ROOT, "migrations"));
  const coldSlugs = COLD_SLUGS_A_SECOND * (rounds * seconds + WARM_UP_SECONDS);
  const optionsOf = ({ name, worker, vars, host, load, links = 0 }: Variant): ServerOptions => ({
    worker,
    script: script[worker],
    vars,
    folder: join(folder, name.replaceAll(/\W+/g, "-")),
    ...readCompatibility(),
    seed: {
      migrations,
      warmSlugs: load.kind === "rotate" && !load.fresh ? load.count : 0,
      coldSlugs: load.kind === "rotate" && load.fresh ? coldSlugs : 1,
      domain: host === DOMAIN ? DOMAIN : SHORT_HOST,
      links,
    },
  });

  const contestants: Contestant[] = [];
  const shared = new Map<number, Server>();
  for (const variant of variants(seconds)) {
    const server = shared.get(variant.links ?? 0) ?? (await startServer(optionsOf(variant)));
    if (variant.links !== undefined) shared.set(variant.links, server);
    contestants.push({ ...variant, load: placed(variant.load, server), server, next: 0 });
  }
  for (const contestant of contestants) {
    await assertAnswers(contestant);
    if (contestant.load.kind === "rotate" && contestant.load.fresh) contestant.next = 1;
    await measure(contestant, WARM_UP_SECONDS);
  }

  const run: Run = {
    variants: contestants,
    rounds: [],
    starts: [],
    firstBytes: loadedWith(metafile, "src/worker.ts").bytes,
    bundle: {
      bytes: modules.reduce((sum, { contents }) => sum + contents.length, 0),
      gzip: modules.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0),
    },
    seconds,
    loads: [],
  };
  for (let round = 0; round < rounds; round++) {
    run.loads.push(oneMinuteLoad());
    const measured = new Map<string, Measured>();
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const result = await measure(contestant, seconds);
      measured.set(contestant.name, result);
      process.stdout.write(
        `round ${round + 1}  ${contestant.name.padEnd(22)} ${result.cpu.toFixed(1).padStart(8)} µs ${result.rate.toFixed(0).padStart(7)}/s\n`,
      );
    }
    run.rounds.push(measured);
  }

  await Promise.all([...servers].map(stopServer));
  run.starts = await measureStarts({ script, ...readCompatibility() }, migrations, STARTS);
  run.loads.push(oneMinuteLoad());
  return run;
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: `${FULL_ROUNDS}` },
    seconds: { type: "string", default: "5" },
  },
});
const folder = mkdtempSync("/dev/shm/waymark-bench-");
try {
  if (process.platform !== "linux") throw new Error("CPU per request is read from /proc: run it on Linux.");
  assertWrk();
  const rounds = Number(values.rounds);
  const page = report(await bench(rounds, Number(values.seconds), folder));
  process.stdout.write(`\n${page}`);
  // A short trial run is not saved as a result.
  if (rounds >= FULL_ROUNDS) writeFileSync(RESULTS, page);
  else process.stdout.write(`\nFewer than ${FULL_ROUNDS} rounds: RESULTS.md stays as it is.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  client.close();
  await Promise.all([...servers].map(stopServer));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
