import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runWrangler } from "../../../src/operations/cli/wrangler";
import { migrationsOf, servers, startServer, stopServer } from "../bench/servers";
import { liveHeapMb } from "../load/heap";
import { openClient } from "../load/http";
import { median, memoryMb } from "../load/memory";
import { openApiClient } from "./api-client";
import { CRONS, INSTANCES } from "./control";
import { beImporter, checkImports } from "./imports";
import { beScanner } from "./scanners";
import { command, type Soak } from "./soak";
import { asItIs } from "./truth";
import { beVisitor, visit } from "./visitors";

// Half an hour of mixed traffic against one workerd whose D1 and KV sometimes fail, and the checks at its end.

const ROOT = new URL("../../../", import.meta.url).pathname;
const MINUTES = Number(process.env["SOAK_MINUTES"] || 30);
const MINUTE_MS = 60_000;
const VISITORS = 8;
const SCANNERS = 2;
const CLIENTS = 3;
const CONNECTIONS = 32;
const PACK_SECONDS = 2;
/** Unknown slugs and wrong keys per minute and address, as in wrangler.toml. */
const ADDRESS_LIMIT = 300;
const SAMPLE_MS = 1_000;
/** The part of the time that is left out of the comparison of memory. */
const WARM_UP = 1 / 6;
/** By how much the Worker's live heap may grow between the first third and the last. */
const MAX_GROWTH_MB = 4;
/** A sweep pushes a limited number of slugs. */
const PUSHES_A_SWEEP = 900;
const SECOND_PUSH_MS = 36_000;
const LEFT_FOR_THE_END_MS = 8 * MINUTE_MS;
const VISITS_AT_THE_END = 2_000;
const MAX_SHOWN = 20;

const counts = new Map<string, number>();
const wrong: string[] = [];

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Compares the live heap, measured every minute, at the beginning and the end, after the warm-up. */
function checkMemory(live: readonly number[], resident: readonly number[]): void {
  const warm = live.slice(Math.ceil(live.length * WARM_UP));
  const third = Math.ceil(warm.length / 3);
  const [first, last] = [median(warm.slice(0, third)), median(warm.slice(-third))];
  say(
    `live heap of the Worker: ${first.toFixed(1)} MB in the first third after the warm-up, ${last.toFixed(1)} MB in the ` +
      `last; by minutes: ${live.map((mb) => mb.toFixed(1)).join(", ")}; ` +
      `resident memory with local D1 and KV at most ${Math.max(...resident).toFixed(0)} MB`,
  );
  if (last > first + MAX_GROWTH_MB)
    wrong.push(`the live heap has grown from ${first.toFixed(1)} to ${last.toFixed(1)} MB`);
}

/** Sweeps until the pushes selected by a condition are done. Returns their number before and after. */
async function sweepAll(soak: Soak, condition: string): Promise<{ before: number; left: number }> {
  const count = async (): Promise<number> =>
    (await command(soak, "sql", `select count(*) as n from slugs where ${condition}`))[0].n;
  const before = await count();
  for (let pushed = 0; pushed < before; pushed += PUSHES_A_SWEEP) await command(soak, "cron", CRONS[0]);
  return { before, left: await count() };
}

/** Sweeps after the faults. Due slugs are pushed, and only second pushes are left. */
async function pushWhatIsDue(soak: Soak): Promise<void> {
  const { before, left } = await sweepAll(soak, `push_at <= ${Date.now()}`);
  say(`pushes: ${before} due when the faults stopped, ${left} of them left behind the sweeps`);
  if (left > 0) wrong.push(`pushes: ${left} due behind the sweeps`);
}

/** Checks pushes, clicks and the doctor after the faults. */
async function checkState(soak: Soak): Promise<void> {
  await sleep(SECOND_PUSH_MS);
  const { before, left } = await sweepAll(soak, "push_at is not null");
  say(`pushes: ${before} second ones, ${left} of them left behind the sweeps`);
  if (left > 0) wrong.push(`pushes: ${left} left`);

  const [clicks] = await command(
    soak,
    "sql",
    `select coalesce(sum(clicks + bots + scans + after_end), 0)
      + coalesce((select sum(visits) from visit_queue where counts is not null), 0) as n
      from visit_hours where owner_kind = 'workspace'`,
  );
  const [led, sent] = [counts.get("visits led on") ?? 0, counts.get("visits sent") ?? 0];
  say(`clicks: ${clicks.n} counted of ${led} visits that were led on`);
  const repeated = sent - (counts.get("visits") ?? 0);
  if (clicks.n < led || clicks.n > led + repeated) wrong.push(`clicks: ${clicks.n} of ${led}`);

  const doctor = await command(soak, "doctor");
  say(`doctor: ${JSON.stringify(doctor)}`);
  if (doctor.repaired.length > 0) wrong.push(`doctor: ${JSON.stringify(doctor.repaired)}`);
  const orphans = await command(soak, "sql", "pragma foreign_key_check");
  if (orphans.length > 0) wrong.push(`orphans: ${JSON.stringify(orphans.slice(0, MAX_SHOWN))}`);
}

/** Visits slugs of every age in instances with empty memory. Each must show its current target. */
async function visitAll(soak: Soak): Promise<void> {
  await command(soak, "forget");
  const step = Math.max(1, Math.floor(soak.slugs.length / VISITS_AT_THE_END));
  for (const slug of soak.slugs.filter((_, index) => index % step === 0)) {
    await visit(soak, asItIs(slug));
    soak.count("visits at the end");
  }
}

async function run(folder: string): Promise<void> {
  await runWrangler([
    "deploy",
    "test/proofs/soak/worker.ts",
    "--dry-run",
    "--outdir",
    join(folder, "bundle"),
  ]);
  const server = await startServer({
    worker: "waymark",
    script: join(folder, "bundle", "worker.js"),
    vars: { CLICK_PACK_SECONDS: String(PACK_SECONDS) },
    addressLimit: ADDRESS_LIMIT,
    folder,
    inspected: true,
    compatibilityDate: "2026-05-03",
    seed: { migrations: migrationsOf(join(ROOT, "migrations")), warmSlugs: 0, coldSlugs: 1, links: 1_000 },
  });
  const http = openClient(CONNECTIONS);
  const endsAt = Date.now() + MINUTES * MINUTE_MS;
  const soak: Soak = {
    url: server.url,
    http,
    slugs: [],
    isOver: () => Date.now() >= endsAt || server.process.exitCode !== null,
    wrong: (what) => void wrong.push(what),
    count: (what, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by),
  };
  const live: number[] = [];
  const resident: number[] = [];
  const sampling = setInterval(() => resident.push(memoryMb(server.pid)), SAMPLE_MS);
  server.process.once("exit", () => clearInterval(sampling));
  try {
    // Adds what the rows seeded in SQL lack.
    await command(soak, "doctor");
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, number) => openApiClient(soak, `client${number}`)),
    );
    const everyMinute = async () => {
      for (let next = Date.now() + MINUTE_MS; !soak.isOver(); await sleep(SAMPLE_MS)) {
        if (Date.now() < next) continue;
        next += MINUTE_MS;
        for (const cron of CRONS) await command(soak, "cron", cron);
        await command(soak, "forget");
        live.push(await liveHeapMb(server.inspector, () => http.ask(server.url, "GET", {})));
        soak.count("minutes");
      }
    };
    const [titles] = await Promise.all([
      beImporter(soak),
      everyMinute(),
      ...clients.map((client) => client.run()),
      ...Array.from({ length: VISITORS }, () => beVisitor(soak)),
      ...Array.from({ length: SCANNERS }, (_, number) => beScanner(soak, number)),
    ]);
    clearInterval(sampling);
    say(`${MINUTES} minutes are over: ${soak.slugs.length} slugs`);
    checkMemory(live, resident);

    const { faults } = await command(soak, "heal");
    soak.count("calls of D1 and KV that failed", faults);
    await pushWhatIsDue(soak);
    await visitAll(soak);
    // Enough visits that every instance writes its gathered clicks.
    for (const slug of soak.slugs.slice(0, 10 * INSTANCES)) await visit(soak, slug);
    await checkState(soak);
    await checkImports(soak, titles);
    for (const client of clients) await client.check();
  } finally {
    clearInterval(sampling);
    http.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "waymark-soak-"));
const watch = setTimeout(
  () => {
    process.stderr.write("The soak did not end in its time.\n");
    process.exit(1);
  },
  MINUTES * MINUTE_MS + LEFT_FOR_THE_END_MS,
);
try {
  await run(folder);
} catch (error) {
  wrong.push(String(error instanceof Error ? error.stack : error));
} finally {
  clearTimeout(watch);
  await Promise.all([...servers].map(stopServer));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
for (const [what, number] of counts) say(`${what}: ${number}`);
for (const each of wrong.slice(0, MAX_SHOWN)) process.stderr.write(`${each.slice(0, 2_000)}\n`);
say(`wrong: ${wrong.length}`);
if (wrong.length > 0) process.exitCode = 1;
