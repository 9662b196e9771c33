import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { createApiKey } from "../../../src/access/keys";
import { parseConfig } from "../../../src/config";
import { type Env, type ServiceContext, systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { slugKey } from "../../../src/lib/slug-text";
import { writeEntry } from "../../../src/redirect/slugs/cache";
import { createWorkspace, getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { OPEN_LINK } from "../../redirect/slugs/rows";
import { fill } from "../scale/generate";
import { modulesOf } from "./modules";
import { HOT_SLUG, RULES_SLUG, TARGET, type WorkerName } from "./variants";

// Runs as its own process with one Worker, one workerd, and local D1 and KV in a folder.

export interface ServerOptions {
  worker: WorkerName;
  script: string;
  vars: Readonly<Record<string, string>>;
  folder: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
  /** Whether workerd's inspector listens. It costs time, so the benchmark has none. */
  inspected?: boolean;
  /** Undefined if everything exists already. */
  seed?: {
    /** The SQL of each migration. */
    migrations: readonly string[];
    /** The number of slugs in KV besides the hot one, and the number in D1 only. */
    warmSlugs: number;
    coldSlugs: number;
    /** The domain of the slugs in KV, or the short host. */
    domain: string;
    /** The number of links in the workspace whose API is called. */
    links: number;
  };
}

export interface Started {
  /** The address of the Worker itself, without a router or proxy in front. */
  url: string;
  pid: number;
  /** The address of workerd's inspector, or empty. */
  inspector: string;
  /** Empty if there is no workspace, like all fields below. */
  apiKey: string;
  link: string;
  after: string;
}

const KV_PUTS_AT_ONCE = 50;
const MAIN_URL = "https://links.example.com";

async function start(options: ServerOptions): Promise<void> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: modulesOf(options.script),
      compatibilityDate: options.compatibilityDate,
      compatibilityFlags: options.compatibilityFlags,
      bindings: { ...options.vars },
      // Rate limits are left out: those of Miniflare are Durable Objects, which cost more than a query.
      d1Databases: ["DB"],
      kvNamespaces: ["KV"],
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      cf: false,
      resourcePersistencePath: options.folder,
      ...(options.inspected && { inspectorPort: 0 }),
    }),
  );
  process.on("disconnect", () => void miniflare.dispose().finally(() => process.exit()));
  await miniflare.ready;
  const apiKey = options.seed === undefined ? "" : await seed(miniflare, options.worker, options.seed);
  const url = (await miniflare.unsafeGetDirectURL()).origin;
  const inspector = options.inspected ? `http://${(await miniflare.getInspectorURL()).host}` : "";
  const places = apiKey === "" ? { link: "", after: "" } : await placesIn(miniflare, apiKey);
  process.send?.({ url, pid: runtimePid(), inspector, apiKey, ...places } satisfies Started);
}

/** A link of the workspace, and the cursor after the 499th page of one link. */
async function placesIn(miniflare: Miniflare, apiKey: string): Promise<{ link: string; after: string }> {
  const response = await miniflare.dispatchFetch(`${MAIN_URL}/api/v1/links?per_page=1&page=499`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const { links } = (await response.json()) as { links: { id: string }[] };
  const after = /[?&]after=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  if (links[0] === undefined || after === undefined) throw new Error("The workspace has no 499 links.");
  return { link: links[0].id, after };
}

/** The workerd child process. */
function runtimePid(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workerd"));
  if (found === undefined) throw new Error("No workerd was started.");
  return Number(found);
}

/** No visitor of the benchmark is led by one, so that each visit looks at all of them. */
const TEN_RULES = Array.from({ length: 10 }, (_, number) => ({
  key: `rule${number}`,
  target: `${TARGET}&rule=${number}`,
  countries: null,
  devices: ["desktop" as const],
  languages: ["eo", "la"],
  startsAt: null,
  endsAt: null,
  share: null,
}));

/** Fills KV and, for our own Worker, D1. Returns a key of the workspace whose API is called. */
async function seed(
  miniflare: Miniflare,
  worker: WorkerName,
  { migrations, warmSlugs, coldSlugs, domain, links }: NonNullable<ServerOptions["seed"]>,
): Promise<string> {
  // Miniflare's binding types come from another version of the same package.
  const { DB, KV } = (await miniflare.getBindings()) as unknown as Env;
  const keys = [HOT_SLUG, ...Array.from({ length: warmSlugs }, (_, n) => `w${n}`)];
  const entry = { ...OPEN_LINK, target: TARGET, read_at: Date.now() };
  const cache = { kv: KV, epoch: "1" };
  for (let from = 0; from < keys.length; from += KV_PUTS_AT_ONCE) {
    const some = keys.slice(from, from + KV_PUTS_AT_ONCE);
    await Promise.all(
      some.map((key) =>
        worker === "kv" ? KV.put(key, TARGET) : writeEntry(cache, slugKey(domain, key), entry),
      ),
    );
  }
  if (worker !== "waymark") return "";
  await writeEntry(cache, slugKey(domain, RULES_SLUG), { ...entry, rules: TEN_RULES });

  for (const file of migrations) {
    const statements = file.split("--> statement-breakpoint").map((statement) => DB.prepare(statement));
    await DB.batch(statements);
  }
  const service: ServiceContext = {
    db: createDatabase(DB),
    kv: KV,
    config: parseConfig({ DB, KV }, MAIN_URL),
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    waitUntil: () => undefined,
  };
  if (links > 0) {
    await fill(DB, { links });
    const workspace = await getWorkspace(service, "workspace-1");
    return (await createApiKey({ ...service, workspace }, { name: "npm run bench" })).key;
  }
  await createWorkspace(service, { name: "Visited", slug: "visited" });
  const visited = await getWorkspace(service, "visited");
  await DB.batch(insertLinks("c", coldSlugs, visited.rowId).map((statement) => DB.prepare(statement)));
  return "";
}

/** Inserts links as createLink would. Each slug is `prefix` and a number. */
function insertLinks(prefix: string, count: number, workspaceId: number): string[] {
  const at = Date.now();
  return [
    `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
     insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
       utm_source, utm_medium, utm_campaign_origin, created_at, created_by, updated_at)
     select printf('01JZ${prefix.toUpperCase()}%021d', n), ${workspaceId}, '${prefix}' || n, '${prefix}' || n,
       'https://www.example.com/sale?colour=blue', 'https://www.example.com/sale?colour=blue', 'www.example.com',
       'newsletter', 'email', 'inherited', ${at} - n, 'operator', ${at} - n from numbers`,
    `insert into slugs (key, workspace_id, link_id, created_at)
     select slug_key, workspace_id, id, created_at from links
     where workspace_id = ${workspaceId} and slug_key glob '${prefix}[0-9]*'`,
    `update workspaces set active_links = active_links + ${count} where id = ${workspaceId}`,
  ];
}

process.once("message", (options) => void start(options as ServerOptions));
