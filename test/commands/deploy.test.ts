import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { runWrangler } from "../../src/cli/wrangler";
import { ADDRESSES } from "../cli/account";
import { cleanUp, ROOT, start, until } from "../cli/terminal";
import { checkout } from "./server";

// Every step of a deployment starts wrangler again.

afterAll(cleanUp);

const CONFIG = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;

const npmDeploy = ({ directory, env }: ReturnType<typeof checkout>, args: readonly string[] = []) =>
  start("npm", ["run", "--silent", "deploy", "--", ...args], { cwd: directory, env }).ended;

/** No test asks DNS, so the hosts of a first deployment may be replaced. */
const MAY_REPLACE = ["links.example.com", "go.example.com"].flatMap((host) => ["--replace-dns", host]);

interface Asked {
  method: string;
  path: string;
  body: string;
  authorization: string;
}

const DATABASE_ID = "11111111-2222-3333-4444-555555555555";
const NAMESPACE_ID = "0123456789abcdef0123456789abcdef";

const metadataOf = (body: string) => JSON.parse(/\{"main_module".*/.exec(body)?.[0] ?? "{}");

/** Answers SQL as D1 does. */
function query(database: DatabaseSync, { sql, params = [] }: { sql: string; params?: string[] }) {
  const isOne = sql.trim().replace(/;$/, "").split(";\n").length === 1;
  if (!isOne) database.exec(sql);
  const results = isOne ? database.prepare(sql).all(...params) : [];
  return [{ results, success: true, meta: { duration: 1 } }];
}

/** An account at a fake of the part of Cloudflare's API that a deployment uses. It has real databases, and remembers what it was told. */
async function standInForCloudflare() {
  const asked: Asked[] = [];
  const databases = new Map<string, { uuid: string; name: string; sqlite: DatabaseSync }>();
  const namespaces: { id: string; title: string }[] = [];
  const worker = { versions: [] as { bindings: object[] }[], deployed: -1, isOnWorkersDev: false };
  const state = {
    worker,
    databases,
    hosts: new Map<string, string>(),
    records: ["used.acme.com"],
    zones: ["acme.com"],
  };
  const missing = (code: number) => ({ errors: [{ code, message: "This does not exist." }] });

  function answer({ method, path, body }: Asked): unknown {
    const [resource = ""] = path.split("?");
    const firstPage = !/[?&]page=(?!1\b)/.test(path);
    if (resource === "/accounts/acme/d1/database") {
      if (method === "GET")
        return firstPage ? [...databases.values()].map(({ uuid, name }) => ({ uuid, name })) : [];
      const made = { uuid: DATABASE_ID, ...JSON.parse(body) };
      databases.set(made.uuid, { ...made, sqlite: new DatabaseSync(":memory:") });
      return made;
    }
    const [, id, action] = /^\/accounts\/acme\/d1\/database\/([^/]+)(\/query)?$/.exec(resource) ?? [];
    if (id !== undefined) {
      const database = databases.get(id);
      if (database === undefined) return missing(7404);
      if (action === undefined) return { uuid: id, name: database.name };
      try {
        return query(database.sqlite, JSON.parse(body));
      } catch (error) {
        return { errors: [{ code: 7500, message: `${(error as Error).message}: SQLITE_ERROR` }] };
      }
    }
    if (resource === "/accounts/acme/storage/kv/namespaces") {
      if (method === "GET") return firstPage ? namespaces : [];
      namespaces.push({ id: NAMESPACE_ID, ...JSON.parse(body) });
      return namespaces[0];
    }
    // The fake answers that it has all static files.
    if (resource.endsWith("/assets-upload-session")) return { jwt: "files", buckets: [] };
    if (resource === "/accounts/acme/workers/domains")
      return [...state.hosts].map(([hostname, service]) => ({ hostname, service }));
    if (resource === "/zones")
      return state.zones.filter((name) => path.includes(`name=${name}&`)).map((name) => ({ name }));
    if (resource === "/accounts/acme/workers/subdomain") return { subdomain: "acme" };
    const isNew = worker.versions.length === 0;
    if (method === "PUT" && resource === "/accounts/acme/workers/scripts/waymark") {
      worker.deployed = worker.versions.push(metadataOf(body)) - 1;
      return { id: "waymark", startup_time_ms: 1 };
    }
    if (resource === "/accounts/acme/workers/services/waymark") {
      const script = { last_deployed_from: "wrangler", tag: "waymark" };
      return isNew ? missing(10090) : { default_environment: { environment: "production", script } };
    }
    if (isNew) return missing(10007);
    if (method === "POST" && resource.endsWith("/waymark/versions")) {
      const id = worker.versions.push(metadataOf(body)) - 1;
      return { id: `v${id}`, startup_time_ms: 1, resources: { script: { etag: "e" } } };
    }
    if (resource.endsWith("/waymark/deployments")) {
      if (method === "POST") worker.deployed = Number(JSON.parse(body).versions[0].version_id.slice(1));
      return { deployments: [{ versions: [{ version_id: `v${worker.deployed}`, percentage: 100 }] }] };
    }
    const [, version] = /\/waymark\/versions\/v(\d+)$/.exec(resource) ?? [];
    if (version !== undefined) return { resources: { bindings: worker.versions[Number(version)]?.bindings } };
    if (resource.endsWith("/waymark/script-settings")) return {};
    if (resource.endsWith("/domains/changeset")) {
      const conflicting = state.records
        .filter((host) => body.includes(`"${host}"`))
        .map((hostname) => ({ hostname }));
      return { added: [], removed: [], updated: [], conflicting };
    }
    if (resource.endsWith("/workers/workers/waymark")) return { subdomain: {} };
    if (resource.endsWith("/waymark/secrets")) return [];
    if (resource.endsWith("/schedules")) return { schedules: JSON.parse(body) };
    if (resource.endsWith("/waymark/subdomain")) {
      if (method !== "GET") worker.isOnWorkersDev = JSON.parse(body).enabled;
      return { enabled: worker.isOnWorkersDev, previews_enabled: false };
    }
    if (resource.endsWith("/domains/records")) {
      // As wrangler asks for it, hosts that are left out are taken off.
      state.hosts.clear();
      for (const { hostname } of JSON.parse(body).origins) state.hosts.set(hostname, "waymark");
      return [];
    }
    return undefined;
  }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, body, authorization: headers.authorization ?? "" };
    asked.push(one);
    const result = answer(one) ?? { errors: [{ code: 10000, message: `no ${one.path}` }] };
    const errors = typeof result === "object" && "errors" in result ? result.errors : [];
    const isFound = result !== null && !(typeof result === "object" && "errors" in result);
    response.writeHead(isFound ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: isFound, errors, messages: [], result: isFound ? result : null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { asked, state, base: `http://localhost:${port}`, close: () => server.close() };
}

/** The files in a form with several parts, by name. */
const partsOf = (body: string): ReadonlyMap<string, { type: string; text: string }> =>
  new Map(
    Array.from(
      body.matchAll(/filename="([^"]+)"\r\nContent-Type: (\S+)\r\n\r\n([\s\S]*?)\r\n--/g),
      ([, name = "", type = "", latin1 = ""]) => [
        name,
        { type, text: Buffer.from(latin1, "latin1").toString() },
      ],
    ),
  );

type Cloudflare = Awaited<ReturnType<typeof standInForCloudflare>>;

/** A checkout that deploys to an account. */
function checkoutOf({ base }: Cloudflare) {
  const here = checkout();
  Object.assign(here.env, {
    CLOUDFLARE_API_BASE_URL: base,
    CLOUDFLARE_API_TOKEN: "token",
    CLOUDFLARE_ACCOUNT_ID: "acme",
  });
  return here;
}

/** A checkout that deploys to a new account. */
async function checkoutOfAccount() {
  const cloudflare = await standInForCloudflare();
  return { here: checkoutOf(cloudflare), cloudflare };
}

describe.concurrent("a deployment with the real wrangler", () => {
  it("a deployment to an empty account of a fake Cloudflare API gets all on workers.dev, saves the ids, and moves to a domain", async () => {
    const { here, cloudflare } = await checkoutOfAccount();
    // The Worker is that of the top of wrangler.toml all the same.
    writeFileSync(join(here.directory, ".env"), "CLOUDFLARE_ENV=staging\n");
    /** Deploys, and returns the variables of the Worker and what serves it. */
    async function deployed(args: readonly string[]) {
      const before = cloudflare.asked.length;
      const { code, out, err } = await npmDeploy(here, args);
      expect(code, `${out}\n${err}`).toBe(0);
      const sent = cloudflare.asked.slice(before).filter(({ method }) => method !== "GET");
      const upload = sent.find(({ path }) => /\/workers\/scripts\/waymark(?:\/versions)?\?/.test(path));
      const { bindings } = JSON.parse(/\{"main_module".*/.exec(upload?.body ?? "")?.[0] ?? "{}");
      const texts = bindings.filter(({ type }: { type: string }) => type === "plain_text");
      const vars = Object.fromEntries(texts.map(({ name, text }: Record<string, string>) => [name, text]));
      const exposed = sent.filter(({ path }) => path.endsWith("/waymark/subdomain"));
      const records = sent.filter(({ path }) => path.endsWith("/domains/records"));
      return {
        out,
        vars,
        exposed: exposed.map(({ body }) => JSON.parse(body).enabled),
        origins: records.flatMap(({ body }) => JSON.parse(body).origins),
        sent,
      };
    }
    const outdir = join(here.directory, "bundle");
    const tried = await deployed(["--workers-dev", "--jurisdiction", "eu", "--outdir", outdir]);

    const kept = JSON.parse(readFileSync(join(here.directory, ".wrangler.deploy.json"), "utf8"));
    expect(kept.d1_databases).toMatchObject([
      { database_id: "11111111-2222-3333-4444-555555555555", remote: true },
    ]);
    expect(kept.kv_namespaces).toEqual([
      { binding: "KV", id: "0123456789abcdef0123456789abcdef", remote: true },
    ]);

    const own = "https://waymark.acme.workers.dev";
    expect(tried.vars).toMatchObject({ BASE_URL: own, SHORT_BASE_URL: own });
    expect(kept.vars).toMatchObject({ BASE_URL: own, SHORT_BASE_URL: own, INSTALLATION: "waymark" });
    expect(tried.exposed.at(-1)).toBe(true);
    expect(tried.out).toContain("An address on workers.dev is for trying.");
    const created = tried.sent.find(({ path }) => path === "/accounts/acme/d1/database");
    expect(JSON.parse(created?.body ?? "{}")).toEqual({ name: "waymark", jurisdiction: "eu" });
    const namespace = tried.sent.find(({ path }) => path === "/accounts/acme/storage/kv/namespaces");
    expect(JSON.parse(namespace?.body ?? "{}")).toEqual({ title: "waymark-kv", jurisdiction: "eu" });

    const changes = tried.sent.filter(({ body }) => !body.includes("d1_migrations("));
    const queries = changes.filter(({ path }) =>
      path.endsWith("/d1/database/11111111-2222-3333-4444-555555555555/query"),
    );
    expect(queries.some(({ body }) => body.includes("CREATE TABLE `workspaces`"))).toBe(true);
    const upload = changes.findIndex(
      ({ method, path }) => method === "PUT" && path.includes("/workers/scripts/waymark"),
    );
    expect(upload).toBeGreaterThan(changes.lastIndexOf(queries.at(-1) as Asked));
    const metadata = JSON.parse(/\{"main_module".*/.exec(changes[upload]?.body ?? "")?.[0] ?? "{}");
    const schedules = changes.find(({ path }) => path.endsWith("/workers/scripts/waymark/schedules"));
    expect(JSON.parse(schedules?.body ?? "[]")).toEqual(
      CONFIG.triggers?.crons?.map((cron: string) => ({ cron })),
    );
    expect(metadata).toMatchObject({ compatibility_date: CONFIG.compatibility_date });
    // Cloudflare stores our log line and the URL without its query.
    expect(metadata.observability).toEqual({
      enabled: true,
      logs: { enabled: true, invocation_logs: false },
      redact_query_string: true,
      // They have addresses with visitors' queries.
      traces: { enabled: false },
    });
    expect(kept.observability).toEqual(CONFIG.observability);
    expect(metadata.bindings).toEqual(
      expect.arrayContaining([
        { name: "DB", type: "d1", id: "11111111-2222-3333-4444-555555555555" },
        { name: "KV", type: "kv_namespace", namespace_id: "0123456789abcdef0123456789abcdef" },
      ]),
    );

    const session = changes.find(({ path }) => path.endsWith("/waymark/assets-upload-session"));
    const uploaded = Object.keys(JSON.parse(session?.body ?? "{}").manifest);
    expect(uploaded).toEqual(
      expect.arrayContaining([
        "/docs.html",
        "/docs/api.html",
        "/docs/guide.html",
        "/docs/init.js",
        "/docs/style.css",
      ]),
    );
    expect(uploaded.filter((path) => path.startsWith("/docs/swagger-ui-"))).toHaveLength(2);
    expect(metadata.assets).toMatchObject({
      jwt: "files",
      config: { html_handling: "none", run_worker_first: true },
    });
    expect(metadata.bindings).toContainEqual({ name: "ASSETS", type: "assets" });

    // The modules as they were built, each with its source map, and none of Node.js.
    expect(tried.out).toMatch(/Total Upload: [\d.]+ KiB \/ gzip: [\d.]+ KiB/);
    expect(metadata.main_module).toBe("worker.js");
    expect(metadata.compatibility_flags).toEqual([
      ...["new_module_registry", "global_fetch_strictly_public"],
      ...["no_nodejs_compat", "no_nodejs_compat_v2"],
    ]);
    const modules = readdirSync(outdir).filter((name) => name.endsWith(".js"));
    expect(modules.length).toBeGreaterThan(10);
    const parts = partsOf(changes[upload]?.body ?? "");
    for (const name of modules) {
      const text = readFileSync(join(outdir, name), "utf8");
      expect(parts.get(name)).toEqual({ type: "application/javascript+module", text });
      const map = parts.get(`${name}.map`);
      expect(map?.type).toBe("application/source-map");
      expect(JSON.parse(map?.text ?? "{}")).toMatchObject({ file: name, version: 3 });
      // The example in JavaScript, which is a text, imports node:fs too.
      expect(
        /(?:^|[;}])import\b[^;`]*["']node:|\b(?:import|require)\(["']node:/.exec(text)?.[0],
      ).toBeUndefined();
    }
    const { sources } = JSON.parse(parts.get("worker.js.map")?.text ?? "{}");
    expect(sources).toContainEqual(expect.stringMatching(/(?:^|\/)src\/worker\.ts$/));
    expect([...parts.keys()].filter((name) => /\.js$/.test(name)).sort()).toEqual(modules.sort());

    const moved = await deployed([...ADDRESSES, ...MAY_REPLACE]);
    cloudflare.close();
    expect(moved.vars).toMatchObject({
      BASE_URL: "https://links.example.com",
      SHORT_BASE_URL: "https://go.example.com",
      FORMER_HOSTS: "waymark.acme.workers.dev",
    });
    expect(moved.exposed).not.toContain(false);
    expect(moved.origins).toEqual([{ hostname: "links.example.com" }, { hostname: "go.example.com" }]);
    expect(moved.sent.filter(({ path }) => /d1\/database$|namespaces$/.test(path))).toEqual([]);
  });

  it("a second deployment from another clone keeps what is deployed, and gives the Worker the verified hosts that are free", async () => {
    const { here, cloudflare } = await checkoutOfAccount();
    const first = await npmDeploy(here, [...ADDRESSES, ...MAY_REPLACE, "--plan", "paid"]);
    expect(first.code, `${first.out}\n${first.err}`).toBe(0);
    const [before] = cloudflare.state.worker.versions;
    const sqlite = cloudflare.state.databases.get(DATABASE_ID)?.sqlite;
    sqlite?.exec(
      "insert into workspaces (id, public_id, name, slug, created_at, updated_at) values (1, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'Acme', 'acme', 0, 0)",
    );
    const insert = sqlite?.prepare(
      "insert into domains (public_id, workspace_id, host, state, token, created_at) values (?, 1, ?, 'verified', 't', 0)",
    );
    const hosts = ["go.acme.com", "used.acme.com", "go.beta.example"];
    for (const [index, host] of hosts.entries()) insert?.run(`01ARZ3NDEKTSV4RRFFQ69G5FA${index}`, host);
    cloudflare.asked.splice(0);
    const { code, out, err } = await npmDeploy(checkoutOf(cloudflare));
    cloudflare.close();
    expect(code, `${out}\n${err}`).toBe(0);
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(before).toMatchObject({
      annotations: { "workers/tag": version, "workers/message": `Waymark ${version}` },
    });
    const { versions, deployed } = cloudflare.state.worker;
    expect([versions.length, deployed, versions[1]?.bindings]).toEqual([2, 1, before?.bindings]);
    expect(
      cloudflare.asked.filter(
        ({ path, method }) => method === "POST" && /\/(?:database|namespaces)$/.test(path),
      ),
    ).toEqual([]);
    const records = cloudflare.asked.find(({ path }) => path.endsWith("/domains/records"));
    expect(JSON.parse(records?.body ?? "{}").origins).toEqual([
      { hostname: "links.example.com" },
      { hostname: "go.example.com" },
      { hostname: "go.acme.com" },
    ]);
    const subdomain = cloudflare.asked.filter(({ path }) => path.endsWith("/waymark/subdomain"));
    const exposed = subdomain.flatMap(({ method, body }) => (method === "GET" ? [] : [JSON.parse(body)]));
    expect(exposed).toContainEqual(expect.objectContaining({ enabled: false, previews_enabled: false }));
    const asked = cloudflare.asked.filter(({ path }) => /zones|changeset/.test(path));
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer token"]));
    expect(out).toContain("The domain go.acme.com leads to the Worker now.");
    expect(out).toContain("The domain used.acme.com does not lead to the Worker: it has DNS records.");
    expect(out).toContain("The domain go.beta.example does not lead to the Worker: no zone of this account");
  });

  it("a deployment to an account without the saved database stops at its first query", async () => {
    const { here, cloudflare } = await checkoutOfAccount();
    const file = join(here.directory, ".wrangler.deploy.json");
    const d1 = { binding: "DB", database_name: "waymark", database_id: "previous" };
    writeFileSync(file, JSON.stringify({ name: "waymark", d1_databases: [d1] }));
    const { code, err } = await npmDeploy(here, [...ADDRESSES, ...MAY_REPLACE]);
    cloudflare.close();
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("So the deployed database is not known. Nothing was changed."),
    ]);
    const sent = cloudflare.asked.filter(({ method }) => method !== "GET").map(({ path }) => path);
    for (const path of sent)
      expect(path).toMatch(/\/d1\/database\/previous\/query$|\/storage\/kv\/namespaces$/);
    expect(JSON.parse(readFileSync(file, "utf8")).d1_databases).toMatchObject([{ database_id: "previous" }]);
  });

  it("--dry-run needs no account and no address", async () => {
    const { code, out, err } = await npmDeploy(checkout(), ["--dry-run"]);
    expect(code, err).toBe(0);
    expect(out).toMatch(/Total Upload: [\d.]+ KiB/);
    expect(out).toContain("--dry-run: exiting now.");
  });

  it("a deployment refuses options that npm consumed", async () => {
    const { directory: cwd, env } = checkout();
    const swallowed = await start("npm", ["run", "--silent", "deploy", "--dry-run"], { cwd, env }).ended;
    expect(swallowed).toMatchObject({ code: 1, out: "" });
    expect(swallowed.err).toContain("npm has taken --dry-run for itself.");
  });

  it.runIf(process.platform === "linux")(
    "prompts for the addresses in a terminal until they are valid",
    async () => {
      const { here, cloudflare } = await checkoutOfAccount();
      const { directory: cwd, env } = here;
      const typed = "printf 'go.example.com\\nhttps://links.waymark-test.example\\n\\n'; sleep 90";
      const inTerminal =
        "timeout 600 script --quiet --return --command 'npm run --silent deploy -- --replace-dns links.waymark-test.example' /dev/null";
      const { child, said } = start("bash", ["-c", `(${typed}) | ${inTerminal}`], {
        cwd,
        env,
      });
      await until(
        () => said.out,
        300,
        () => said.out.includes("Which plan of Workers has the account?") || undefined,
      );
      cloudflare.close();
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      expect(said.out).toContain('The address is "go.example.com": it has to be https://');
      expect(said.out).toContain("Address of short links (Enter: https://links.waymark-test.example): ");
    },
  );

  it("a deployment reports a failure in wrangler's words", async () => {
    await expect(runWrangler(["d1", "migrations", "list", "NOTHING", "--local"])).rejects.toThrow(
      /^wrangler d1 migrations list NOTHING --local failed:\n.*NOTHING/s,
    );
  });
});
