import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Miniflare, type WorkerOptions } from "miniflare";
import { type Env, parseConfig, type ServiceContext, systemRandom } from "../../src/context";
import { createDatabase } from "../../src/db/client";
import { leased, writeEntry } from "../../src/slugs/cache";
import { createApiKey } from "../../src/workspaces/keys";
import { createWorkspace, getWorkspace } from "../../src/workspaces/service";
import { HOT_SLUG, TARGET, type WorkerName } from "./variants";

// Runs as a process of its own: one Worker, one workerd, local D1 and KV in a folder.

export interface ServerOptions {
  worker: WorkerName;
  script: string;
  vars: Readonly<Record<string, string>>;
  folder: string;
  compatibilityDate: string;
  /** Undefined where all is there already. */
  seed?: {
    /** SQL of each. */
    migrations: readonly string[];
    /** How many slugs KV shall know besides the hot one, and how many D1 alone. */
    warmSlugs: number;
    coldSlugs: number;
  };
}

export interface Started {
  /** The Worker itself: no router and no proxy in front. */
  url: string;
  pid: number;
  /** Empty where no workspace was made. */
  apiKey: string;
}

const WARM_FOR_MS = 24 * 60 * 60 * 1000;
const LISTED_LINKS = 1_000;
const KV_PUTS_AT_ONCE = 50;
const NO_LIMIT = { limit: 1_000_000_000, period: 60 } as const;

async function start(options: ServerOptions): Promise<void> {
  const worker: WorkerOptions = {
    modules: modulesOf(options.script),
    compatibilityDate: options.compatibilityDate,
    bindings: { ...options.vars },
    d1Databases: ["DB"],
    kvNamespaces: ["KV"],
    ratelimits: {
      KEY_RATE: { simple: NO_LIMIT },
      AUTH_FAILURE_RATE: { simple: NO_LIMIT },
      UNKNOWN_SLUG_RATE: { simple: NO_LIMIT },
    },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
  const miniflare = new Miniflare({
    ...worker,
    cf: false,
    d1Persist: join(options.folder, "d1"),
    kvPersist: join(options.folder, "kv"),
  });
  process.on("disconnect", () => void miniflare.dispose().finally(() => process.exit()));
  await miniflare.ready;
  const apiKey = options.seed === undefined ? "" : await seed(miniflare, options.worker, options.seed);
  process.send?.({
    url: (await miniflare.unsafeGetDirectURL()).origin,
    pid: runtimePid(),
    apiKey,
  } satisfies Started);
}

/** The script, and the texts beside it, which wrangler names by their hash. */
function modulesOf(script: string): { type: "ESModule" | "Text"; path: string; contents: string }[] {
  const folder = dirname(script);
  const texts = readdirSync(folder).filter((name) => /^[0-9a-f]{40}-/.test(name));
  return [
    { type: "ESModule" as const, path: "worker.js", contents: readFileSync(script, "utf8") },
    ...texts.map((path) => ({
      type: "Text" as const,
      path,
      contents: readFileSync(join(folder, path), "utf8"),
    })),
  ];
}

/** The one child of this process that is a workerd. */
function runtimePid(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workerd"));
  if (found === undefined) throw new Error("No workerd was started.");
  return Number(found);
}

/** Fills KV and, for our own Worker, D1; returns a key of the workspace whose links the API is asked for. */
async function seed(
  miniflare: Miniflare,
  worker: WorkerName,
  { migrations, warmSlugs, coldSlugs }: NonNullable<ServerOptions["seed"]>,
): Promise<string> {
  // Miniflare's types of the bindings are those of another version of the same package.
  const { DB, KV } = (await miniflare.getBindings()) as unknown as Env;
  const keys = [HOT_SLUG, ...Array.from({ length: warmSlugs }, (_, n) => `w${n}`)];
  const entry = leased(
    { rev: 1, target: TARGET, link: "01JZ8Q4V6T3K9M2N5P7R8S0W1X" },
    Date.now() + WARM_FOR_MS,
  );
  for (let from = 0; from < keys.length; from += KV_PUTS_AT_ONCE) {
    const some = keys.slice(from, from + KV_PUTS_AT_ONCE);
    await Promise.all(
      some.map((key) => (worker === "kv" ? KV.put(key, TARGET) : writeEntry(KV, key, entry))),
    );
  }
  if (worker !== "waymark") return "";

  for (const file of migrations) {
    const statements = file.split("--> statement-breakpoint").map((statement) => DB.prepare(statement));
    await DB.batch(statements);
  }
  const service: ServiceContext = {
    db: createDatabase(DB),
    kv: KV,
    config: parseConfig({ DB, KV }, "https://links.example.com"),
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    later: () => undefined,
  };
  await createWorkspace(service, { name: "Bench", slug: "bench" });
  await createWorkspace(service, { name: "Visited", slug: "visited" });
  const bench = { ...service, workspace: await getWorkspace(service, "bench") };
  const visited = await getWorkspace(service, "visited");
  const { key } = await createApiKey(bench, { name: "npm run bench" });
  await DB.batch(
    [insertLinks("b", LISTED_LINKS, bench.workspace.rowId), insertLinks("c", coldSlugs, visited.rowId)]
      .flat()
      .map((statement) => DB.prepare(statement)),
  );
  return key;
}

/** Links and their slugs, `prefix` and a number, as createLink would have written them. */
function insertLinks(prefix: string, count: number, workspaceId: number): string[] {
  const at = Date.now();
  return [
    `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
     insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
       utm_source, utm_medium, utm_campaign_origin, created_at, updated_at)
     select printf('01JZ${prefix.toUpperCase()}%021d', n), ${workspaceId}, '${prefix}' || n, '${prefix}' || n,
       'https://www.example.com/sale?colour=blue', 'https://www.example.com/sale?colour=blue', 'www.example.com',
       'newsletter', 'email', 'inherited', ${at} - n, ${at} - n from numbers`,
    `insert into slugs (key, workspace_id, link_id, created_at)
     select slug_key, workspace_id, id, created_at from links
     where workspace_id = ${workspaceId} and slug_key glob '${prefix}[0-9]*'`,
    `update workspaces set active_links = active_links + ${count} where id = ${workspaceId}`,
  ];
}

process.once("message", (options) => void start(options as ServerOptions));
