import "../../../src/cli/node-version";
import { createApiKey } from "../../../src/access/keys";
import { parseConfig } from "../../../src/config";
import { type Env, type ServiceContext, systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { createWorkspace, getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import worker from "../../../src/worker";
import { openDatabase } from "../heap/database";
import { OPERATIONS, type Operation } from "./bodies";

// What the dearest bodies of each operation cost in CPU, beside the parsing of the same body and the least body. The Worker runs in
// plain Node, and the time of its database is left out: `npm run bench:bodies`.

const BASE = "https://api.example";
const WARM_UP = 5;
const ROUNDS = 15;
const SHOWN = 5;

const say = console.log;
console.log = () => undefined;

const { binding, spentMs } = openDatabase();
const KV = { get: async () => null, put: async () => undefined, delete: async () => undefined };
const env: Env = {
  DB: binding,
  KV: KV as unknown as KVNamespace,
  BASE_URL: BASE,
  CLOUDFLARE_PLAN: "paid",
  CLICK_PACK_SECONDS: "0",
};
const ctx: ServiceContext = {
  db: createDatabase(binding),
  kv: env.KV,
  config: parseConfig(env, BASE),
  actor: "operator",
  now: Date.now,
  random: systemRandom,
  waitUntil: () => undefined,
};
await createWorkspace(ctx, { name: "Bodies", slug: "bodies" });
const workspace = await getWorkspace(ctx, "bodies");
const { key } = await createApiKey({ ...ctx, workspace }, { name: "bench" });

async function ask(method: string, path: string, body: string): Promise<Response> {
  const behind: Promise<unknown>[] = [];
  const execution = {
    waitUntil: (work: Promise<unknown>) => void behind.push(work),
    passThroughOnException: () => undefined,
  };
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    prefer: "handling=strict",
  };
  const request = new Request(`${BASE}/api/v1${path}`, { method, headers, body });
  const response = await worker.fetch(request as never, env, execution as never);
  await response.clone().arrayBuffer();
  await Promise.all(behind);
  return response;
}

async function make(path: string, name: "link" | "tag", body: object): Promise<string> {
  const made = (await (await ask("POST", path, JSON.stringify(body))).json()) as Record<
    string,
    { id: string }
  >;
  return made[name]?.id ?? "";
}

const ids = {
  ":link": await make("/links", "link", { destination_url: "https://www.example.com/" }),
  ":tag": await make("/tags", "tag", { name: "A tag" }),
};
const filled = (text: string): string =>
  Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(name, id), text);

let number = 0;

/** The milliseconds of CPU that `work` takes, without the database. */
async function cpuOf(work: () => Promise<unknown> | unknown): Promise<number> {
  for (let round = 0; round < WARM_UP; round++) await work();
  const [from, inDatabase] = [process.cpuUsage(), spentMs()];
  for (let round = 0; round < ROUNDS; round++) await work();
  const { user, system } = process.cpuUsage(from);
  return ((user + system) / 1_000 - (spentMs() - inDatabase)) / ROUNDS;
}

function parse(body: string): void {
  try {
    JSON.parse(new TextDecoder().decode(new TextEncoder().encode(body)));
  } catch {
    // Malformed on purpose.
  }
}

async function measure({ method, path, bodies, least }: Operation) {
  const send = (body: string) => ask(method, filled(path), filled(body).replaceAll(":n", String(++number)));
  const measured = [];
  const floor = await cpuOf(() => send(least));
  for (const [name, body] of Object.entries(bodies)) {
    const { status } = await send(body);
    const ms = await cpuOf(() => send(body));
    measured.push({ name, status, ms, parseMs: await cpuOf(() => parse(body)) });
  }
  return { floor, measured: measured.toSorted((one, other) => other.ms - one.ms) };
}

const ms = (value: number): string => value.toFixed(2);

say("| Operation | Body | Status | ms | Least body | JSON.parse |\n|---|---|---|---|---|---|");
for (const [name, operation] of Object.entries(OPERATIONS)) {
  const { floor, measured } = await measure(operation);
  for (const one of measured.slice(0, SHOWN))
    say(`| ${name} | ${one.name} | ${one.status} | ${ms(one.ms)} | ${ms(floor)} | ${ms(one.parseMs)} |`);
}
process.exit(0);
