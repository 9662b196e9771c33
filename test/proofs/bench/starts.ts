import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { serializeConfig } from "miniflare";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { DAY_MS } from "../../../src/lib/time";
import { writeEntry } from "../../../src/redirect/slugs/cache";
import { fakeKv } from "../../fakes";
import { OPEN_LINK } from "../../redirect/slugs/rows";
import { openClient } from "../load/http";
import { exactCpuMs } from "./cpu";
import { modulesOf } from "./modules";
import { openStores, type Stores } from "./stores";
import { BROWSER, HOT_SLUG, TARGET, type WorkerName } from "./variants";

// The CPU of a new workerd up to its first answer, or up to the end of what runs behind that answer.

const WORKERD: string = createRequire(createRequire(import.meta.url).resolve("miniflare"))("workerd").default;
/** So long after it was read a value is written to KV again. */
const DUE_AFTER_MS = 26 * DAY_MS;
const MAX_WAIT_MS = 20_000;
const POLL_MS = 50;

interface Start {
  worker: WorkerName;
  path: string;
  headers: Readonly<Record<string, string>>;
  status: number;
  vars?: Readonly<Record<string, string>>;
  /** The last thing that the Worker asks its stores for behind the answer. */
  until?: RegExp;
}

const VISIT = { path: `/${HOT_SLUG}`, headers: BROWSER, status: 302 };
const NO_CLICKS = { CLICK_PACK_SECONDS: "0" };

const startsOf = ({ link, slug, authorization, cookie }: Stores["caller"]) =>
  ({
    floor: { worker: "floor", ...VISIT },
    kv: { worker: "kv", ...VISIT },
    "first redirect": { worker: "waymark", ...VISIT },
    "first redirect, its visit written": {
      worker: "waymark",
      ...VISIT,
      vars: { CLICK_PACK_SECONDS: "1" },
      until: /insert into visit_queue/,
    },
    "first redirect, its value checked and written again": {
      worker: "waymark",
      ...VISIT,
      path: `/${slug}`,
      vars: NO_CLICKS,
      until: /^PUT /,
    },
    "first request of the API": {
      worker: "waymark",
      path: `/api/v1/links/${link}`,
      headers: { Authorization: authorization },
      status: 200,
    },
    "first page": {
      worker: "waymark",
      path: "/app/workspace-1",
      headers: { ...BROWSER, Cookie: cookie },
      status: 200,
    },
  }) satisfies Readonly<Record<string, Start>>;

export type StartName = keyof ReturnType<typeof startsOf>;

export interface Workers {
  script: Readonly<Record<WorkerName, string>>;
  compatibilityDate: string;
  compatibilityFlags: string[];
}

const client = openClient(1);

const configOf = ({ worker, vars = {} }: Start, workers: Workers, stores: string) =>
  serializeConfig({
    services: [
      {
        name: "worker",
        worker: {
          modules: modulesOf(workers.script[worker]).map(({ path, contents }) => ({
            name: path,
            esModule: contents,
          })),
          compatibilityDate: workers.compatibilityDate,
          compatibilityFlags: workers.compatibilityFlags,
          bindings: [
            { name: "KV", kvNamespace: { name: "stores" } },
            {
              name: "DB",
              wrapped: {
                moduleName: "cloudflare-internal:d1-api",
                innerBindings: [{ name: "fetcher", service: { name: "stores" } }],
              },
            },
            { name: "ASSETS", service: { name: "stores" } },
            ...Object.entries(vars).map(([name, text]) => ({ name, text })),
          ],
        },
      },
      { name: "stores", external: { address: stores, http: {} } },
    ],
    sockets: [{ name: "http", address: "127.0.0.1:0", http: {}, service: { name: "worker" } }],
  });

async function measureStart(name: string, start: Start, workers: Workers, stores: Stores): Promise<number> {
  const args = ["serve", "--binary", "--experimental", "--control-fd=3", "-"];
  const workerd = spawn(WORKERD, args, { stdio: ["pipe", "ignore", "inherit", "pipe"] });
  try {
    workerd.stdin?.end(configOf(start, workers, stores.address));
    const [message] = await once(workerd.stdio[3] as Readable, "data");
    const { port } = JSON.parse(String(message).split("\n", 1)[0] ?? "");
    stores.asked.length = 0;
    const { status } = await client.ask(`http://127.0.0.1:${port}${start.path}`, "GET", start.headers);
    if (status !== start.status) throw new Error(`Start, ${name}: got ${status}.`);
    const deadline = Date.now() + MAX_WAIT_MS;
    const { until } = start;
    while (until !== undefined && !stores.asked.some((line) => until.test(line))) {
      if (Date.now() > deadline) throw new Error(`Start, ${name}: its work behind the answer does not end.`);
      await sleep(POLL_MS);
    }
    if (until !== undefined) await sleep(POLL_MS);
    return exactCpuMs(workerd.pid ?? 0);
  } finally {
    workerd.kill("SIGKILL");
    await once(workerd, "exit");
  }
}

/** Each round has one start of each kind, so that those of a round can be compared. */
export async function measureStarts(
  workers: Workers,
  migrations: readonly string[],
  rounds: number,
): Promise<Record<StartName, number>[]> {
  const { kv, values } = fakeKv();
  const cache = { kv, epoch: "1" };
  const stores = await openStores(migrations, values);
  const entry = { ...OPEN_LINK, link: stores.caller.link, target: TARGET };
  const starts = Object.entries(startsOf(stores.caller)) as [StartName, Start][];
  const measured: Record<StartName, number>[] = [];
  for (let round = 0; round < rounds; round++) {
    const each = {} as Record<StartName, number>;
    for (const [name, start] of round % 2 === 0 ? starts : starts.toReversed()) {
      await writeEntry(cache, stores.caller.slug, {
        ...stores.caller.entry,
        read_at: Date.now() - DUE_AFTER_MS,
      });
      await writeEntry(cache, slugKey(SHORT_HOST, HOT_SLUG), { ...entry, read_at: Date.now() });
      if (start.worker === "kv") values.set(HOT_SLUG, TARGET);
      each[name] = await measureStart(name, start, workers, stores);
    }
    measured.push(each);
  }
  client.close();
  stores.close();
  return measured;
}
