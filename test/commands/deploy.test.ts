import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { listMigrations } from "../../src/operations/cli/migrations";
import { runWrangler } from "../../src/operations/cli/wrangler";
import { ADDRESSES } from "../operations/cli/account";
import { cleanUp, ROOT, start, until } from "../operations/cli/terminal";
import { checkout } from "./server";

// Every step of a deployment starts wrangler again.

afterAll(cleanUp);

const CONFIG = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;

const npmDeploy = ({ directory, env }: ReturnType<typeof checkout>, args: readonly string[] = []) =>
  start("npm", ["run", "--silent", "deploy", "--", ...args], { cwd: directory, env }).ended;

interface Asked {
  method: string;
  path: string;
  body: string;
  authorization: string;
}

/** A fake of the part of Cloudflare's API that a deployment uses. The account is empty, or has the database with these domains. */
async function standInForCloudflare(domains?: readonly object[]) {
  const asked: Asked[] = [];
  const made: { d1: object[]; kv: object[] } = { d1: [], kv: [] };
  function answer({ method, path, body }: Asked): unknown {
    const [resource] = path.split("?");
    const firstPage = !/[?&]page=(?!1\b)/.test(path);
    if (resource === "/accounts/acme/d1/database") {
      if (method === "GET") return firstPage ? made.d1 : [];
      made.d1.push({ uuid: "11111111-2222-3333-4444-555555555555", ...JSON.parse(body) });
      return made.d1[0];
    }
    if (resource === "/accounts/acme/storage/kv/namespaces") {
      if (method === "GET") return firstPage ? made.kv : [];
      made.kv.push({ id: "0123456789abcdef0123456789abcdef", ...JSON.parse(body) });
      return made.kv[0];
    }
    // The fake answers that it has all static files.
    if (resource?.endsWith("/assets-upload-session")) return { jwt: "files", buckets: [] };
    if (resource?.endsWith("/query") && (made.d1.length > 0 || domains !== undefined)) {
      const migrations = listMigrations().map((name, index) => ({ id: index + 1, name }));
      const rows = body.includes("from domains")
        ? domains
        : /select .*d1_migrations/i.test(body) && domains && migrations;
      return [{ results: rows || [], success: true, meta: { duration: 1 } }];
    }
    if (resource === "/accounts/acme/workers/domains") return [];
    if (resource === "/zones") return path.includes("name=acme.com&") ? [{ name: "acme.com" }] : [];
    if (resource?.endsWith("/domains/changeset"))
      return { added: [], removed: [], updated: [], conflicting: body.includes("used.acme.com") ? [{}] : [] };
    if (method === "PUT" && resource === "/accounts/acme/workers/scripts/waymark")
      return { id: "waymark", startup_time_ms: 1 };
    if (resource?.endsWith("/workers/workers/waymark")) return { subdomain: {} };
    if (resource?.endsWith("/schedules")) return { schedules: JSON.parse(body) };
    if (resource?.endsWith("/subdomain")) return { ...JSON.parse(body || "{}"), subdomain: "acme" };
    if (resource?.endsWith("/domains/records")) return [];
    return undefined;
  }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, body, authorization: headers.authorization ?? "" };
    asked.push(one);
    const result = answer(one);
    const errors = result === undefined ? [{ code: 10007, message: `no ${one.path}` }] : [];
    response.writeHead(result === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ success: result !== undefined, errors, messages: [], result: result ?? null }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { asked, base: `http://localhost:${port}`, close: () => server.close() };
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

/** A checkout that deploys to a stand-in for Cloudflare. */
async function checkoutOfAccount(...domains: Parameters<typeof standInForCloudflare>) {
  const cloudflare = await standInForCloudflare(...domains);
  const here = checkout();
  Object.assign(here.env, {
    CLOUDFLARE_API_BASE_URL: cloudflare.base,
    CLOUDFLARE_API_TOKEN: "token",
    CLOUDFLARE_ACCOUNT_ID: "acme",
  });
  return { here, cloudflare };
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
      const upload = sent.find(({ path }) => path.includes("/workers/scripts/waymark?"));
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

    const moved = await deployed(ADDRESSES);
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

  it("a deployment gives the Worker the verified hosts that are free, asked with wrangler's token", async () => {
    const row = { state: "verified", failing_since: null, removed_at: null };
    const hosts = ["go.acme.com", "used.acme.com", "go.beta.example"];
    const { here, cloudflare } = await checkoutOfAccount(hosts.map((host) => ({ ...row, host })));
    const d1 = { binding: "DB", database_name: "waymark", database_id: "known" };
    const kv = { binding: "KV", id: "known" };
    const file = join(here.directory, ".wrangler.deploy.json");
    writeFileSync(file, JSON.stringify({ name: "waymark", d1_databases: [d1], kv_namespaces: [kv] }));
    const { code, out, err } = await npmDeploy(here, ADDRESSES);
    cloudflare.close();
    expect(code, `${out}\n${err}`).toBe(0);
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
    const { code, err } = await npmDeploy(here, ADDRESSES);
    cloudflare.close();
    expect([code, err]).toEqual([1, expect.stringContaining("wrangler d1 execute waymark")]);
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
      const { directory: cwd, env } = checkout();
      const typed = "printf 'go.example.com\\nhttps://links.waymark-test.example\\n\\n'; sleep 90";
      const inTerminal = "timeout 600 script --quiet --return --command 'npm run --silent deploy' /dev/null";
      const { child, said } = start("bash", ["-c", `(${typed}) | ${inTerminal}`], {
        cwd,
        env: { ...env, CLOUDFLARE_API_BASE_URL: "http://localhost:9", CLOUDFLARE_API_TOKEN: "token" },
      });
      await until(
        () => said.out,
        300,
        () => said.out.includes("wrangler d1 list --json failed") || undefined,
      );
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
