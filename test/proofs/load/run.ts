import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeModules } from "../../../src/cli/modules";
import { SHORT_HOST } from "../../../src/lib/slug-text";
import { readCompatibility } from "../bench/modules";
import { migrationsOf, servers, startServer, stopServer } from "../bench/servers";
import { DOMAINS } from "../scale/generate";
import { liveHeapMb } from "./heap";
import { type Answer, openClient } from "./http";

// 20,000 visits and 5,000 calls of the API, 64 at once, on the short host and two domains, against one instance whose D1 and KV
// sometimes fail. No redirect may be wrong, no confirmed change may be lost, and the last pass may not leave more memory in use
// than the first. After each pass the sweep leaves no due slug behind, and the doctor finds nothing.

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const VISITS = 2_560;
const CALLS = 2_560;
const CLIENTS = 64;
const MAX_TRIES = 10;
/** More passes are a longer trial. */
const PASSES = Number(process.env["PASSES"] || 2);
/** By how much the Worker's live heap may grow after the first pass, since the others do the same. */
const MAX_GROWTH_MB = 2;

const MAIN = "links.example.com";
const SHORT = "s.example.com";
const HOSTS = [SHORT, ...DOMAINS];

interface Held {
  id: string;
  slug: string;
  /** The hosts on which the slug opens the link. */
  hosts: Set<string>;
  /** Null if deleted. */
  destination: string | null;
}

const client = openClient(CLIENTS);
const count = { visits: 0, calls: 0, unavailable: 0, repeated: 0, reconnected: 0 };
const wrong: string[] = [];

const drawn = <Value>(values: readonly Value[]): Value | undefined =>
  values[Math.floor(Math.random() * values.length)];

/** Sends a request and counts its retries. */
async function ask(...request: Parameters<typeof client.ask>): Promise<Answer> {
  const answer = await client.ask(...request);
  count.reconnected += answer.sent - 1;
  return answer;
}

/** A client with its own links, which checks each answer. */
async function work(
  url: string,
  apiKey: string,
  number: number,
  visits: number,
  calls: number,
): Promise<Held[]> {
  const links: Held[] = [];
  let made = 0;

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const headers = {
      Host: MAIN,
      Authorization: `Bearer ${apiKey}`,
      ...(body && { "Content-Type": "application/json" }),
      ...(method === "POST" && { "Idempotency-Key": crypto.randomUUID() }),
    };
    for (let tries = 1; ; tries++) {
      count.calls++;
      const answer = await ask(`${url}/api/v1${path}`, method, headers, body && JSON.stringify(body));
      if (answer.status !== 503 || tries === MAX_TRIES) return answer;
      count.repeated++;
    }
  }

  async function write(): Promise<void> {
    const destination = `https://www.example.com/${number}/${++made}`;
    const held = drawn(links);
    const domain = drawn(HOSTS) ?? SHORT;
    const chance = Math.random();
    if (held === undefined || held.destination === null || chance < 0.3) {
      const { status, body } = await call("POST", "/links", { destination_url: destination, domain });
      if (status !== 201) return void wrong.push(`create: ${status} ${body}`);
      const { id, slug } = JSON.parse(body).link;
      links.push({ id, slug, destination, hosts: new Set([domain]) });
    } else if (chance < 0.7) {
      // Its former addresses go on opening it.
      const moved = chance < 0.4 ? { domain } : {};
      const fields = { destination_url: destination, ...moved };
      const { status, body } = await call("PATCH", `/links/${held.id}`, fields);
      if (status !== 200) wrong.push(`update: ${status} ${body}`);
      held.destination = destination;
      if ("domain" in moved) held.hosts.add(domain);
    } else if (chance < 0.75) {
      const { status, body } = await call("DELETE", `/links/${held.id}`);
      // 404 if the first try took effect and its answer was lost.
      if (status !== 204 && status !== 404) wrong.push(`delete: ${status} ${body}`);
      held.destination = null;
    } else {
      const { status, body } = await call("GET", `/links/${held.id}`);
      if (status !== 200 || JSON.parse(body).destination_url !== held.destination)
        wrong.push(`get: ${status} ${body}`);
    }
  }

  async function visit(): Promise<void> {
    const held = drawn(links);
    if (held === undefined) return;
    count.visits++;
    const host = drawn(Math.random() < 0.8 ? [...held.hosts] : HOSTS) ?? SHORT;
    const asBrowser = { Host: host, "User-Agent": "Mozilla/5.0" };
    const { status, headers } = await ask(`${url}/${held.slug}`, "GET", asBrowser);
    const { location } = headers;
    const expected = held.hosts.has(host) ? held.destination : null;
    if (status === 503) count.unavailable++;
    else if ((location ?? null) !== expected || status !== (expected === null ? 404 : 302)) {
      wrong.push(`visit of ${host}/${held.slug}: ${status} ${location}, not ${expected}`);
    }
  }

  for (let turn = 0; turn < calls; turn++) {
    await write();
    for (let each = 0; each < visits / calls; each++) await visit();
  }
  for (const held of links) {
    const { status, body } = await call("GET", `/links/${held.id}`);
    const kept = status === 200 ? JSON.parse(body).destination_url : status === 404 ? null : status;
    if (kept !== held.destination) wrong.push(`lost: ${held.id} is ${kept}, not ${held.destination}`);
  }
  return links;
}

const folder = mkdtempSync(join(tmpdir(), "waymark-load-"));
try {
  await writeModules(join(folder, "bundle"), "test/proofs/load/worker.ts");
  const server = await startServer({
    worker: "waymark",
    script: join(folder, "bundle", "worker.js"),
    vars: { BASE_URL: `https://${MAIN}`, SHORT_BASE_URL: `https://${SHORT}` },
    folder,
    inspected: true,
    ...readCompatibility(),
    seed: {
      migrations: migrationsOf(join(ROOT, "migrations")),
      warmSlugs: 0,
      coldSlugs: 1,
      domain: SHORT_HOST,
      links: 1_000,
    },
  });
  const liveMb: number[] = [];
  // Adds what the rows seeded in SQL lack.
  await client.ask(`${server.url}/load/check`, "GET", {});
  for (let pass = 1; pass <= PASSES; pass++) {
    Object.assign(count, { visits: 0, calls: 0, unavailable: 0, repeated: 0, reconnected: 0 });
    const startedAt = Date.now();
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, number) =>
        work(server.url, server.apiKey, pass * CLIENTS + number, VISITS / CLIENTS, CALLS / CLIENTS),
      ),
    );
    const seconds = (Date.now() - startedAt) / 1000;
    const { body } = await client.ask(`${server.url}/load/check`, "GET", {});
    if (body !== '{"due":[],"repaired":[],"orphans":[]}') wrong.push(`after pass ${pass}: ${body}`);
    liveMb.push(await liveHeapMb(server.inspector, () => client.ask(server.url, "GET", { Host: SHORT })));
    process.stdout.write(
      `pass ${pass}: ${count.visits} visits, ${count.calls} calls (${count.repeated} repeated after 503, ${count.reconnected} over a new connection) in ${seconds.toFixed(0)} s, ${CLIENTS} at once; ` +
        `${clients.flat().length} links made; visits answered 503: ${count.unavailable}; wrong: ${wrong.length}; ` +
        `live heap of the Worker ${liveMb.at(-1)?.toFixed(1)} MB\n`,
    );
  }
  const [first = 0, last = 0] = [liveMb[0], liveMb.at(-1)];
  if (last > first + MAX_GROWTH_MB)
    wrong.push(`the live heap has grown from ${first.toFixed(1)} to ${last.toFixed(1)} MB`);
  for (const each of wrong.slice(0, 20)) process.stderr.write(`${each}\n`);
  if (wrong.length > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  client.close();
  await Promise.all([...servers].map(stopServer));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
