import { copyFileSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { deploy } from "../../src/cli/deployment";
import { runWrangler } from "../../src/cli/wrangler";
import { cleanUp, plainEnvironment, ROOT, start, temporaryDirectory } from "./terminal";

// Every step of a deployment starts wrangler anew.
vi.setConfig({ testTimeout: 180_000 });

afterAll(cleanUp);

const CONFIG = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;

interface Account {
  databases?: string[];
  namespaces?: string[];
  /** The command, as typed, that does not succeed. */
  fails?: string;
  /** What wrangler says around the JSON that it is asked for. */
  around?: [string, string];
  /** Takes the order and makes nothing. */
  forgets?: boolean;
  config?: typeof CONFIG;
}

/** Deploys with a stand-in for wrangler that keeps an account of databases and namespaces. */
async function deployTo(account: Account, args: string[] = []) {
  const databases = account.databases ?? [];
  const namespaces = account.namespaces ?? [];
  const [before, after] = account.around ?? ["", ""];
  const commands: string[] = [];
  const kept: (typeof CONFIG)[] = [];
  const said: string[] = [];
  const answer = (entries: object[]) => `${before}${JSON.stringify(entries, null, 2)}\n${after}`;
  const wrangler = async (given: readonly string[]): Promise<string> => {
    const command = given.join(" ");
    const name = given.at(-1) ?? "";
    commands.push(command);
    if (account.fails !== undefined && command.startsWith(account.fails))
      throw new Error(`wrangler ${command} failed`);
    if (command === "d1 list --json") {
      return answer(
        databases.map((database) => ({ uuid: `id of ${database}`, name: database, version: "production" })),
      );
    }
    if (command === "kv namespace list") {
      return answer(
        namespaces.map((title) => ({ id: `id of ${title}`, title, supports_url_encoding: true })),
      );
    }
    if (command.startsWith("d1 create ") && !account.forgets) databases.push(name);
    if (command.startsWith("kv namespace create ") && !account.forgets) namespaces.push(name);
    return "";
  };
  const error = await deploy({
    args,
    wrangler,
    config: account.config ?? CONFIG,
    keep: (config) => {
      commands.push("(the config is kept)");
      kept.push(config);
    },
    say: (line) => said.push(line),
  }).then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  return { error, commands, kept, said };
}

const LAST_STEPS = [
  "(the config is kept)",
  "d1 migrations apply waymark --remote --config .wrangler.deploy.json",
  "deploy --config .wrangler.deploy.json",
];

describe("a deployment, with a stand-in for wrangler", () => {
  it("to an empty account makes the database and the namespace, migrates, then deploys, with their ids", async () => {
    const { error, commands, kept } = await deployTo({});
    expect(error).toBeUndefined();
    expect(commands).toEqual([
      "d1 list --json",
      "d1 create waymark",
      "d1 list --json",
      "kv namespace list",
      "kv namespace create waymark-kv",
      "kv namespace list",
      ...LAST_STEPS,
    ]);
    expect(kept).toEqual([
      {
        ...CONFIG,
        d1_databases: [
          {
            binding: "DB",
            database_name: "waymark",
            migrations_dir: "migrations",
            database_id: "id of waymark",
            remote: true,
          },
        ],
        kv_namespaces: [{ binding: "KV", id: "id of waymark-kv", remote: true }],
      },
    ]);
  });

  it("finds what is there already and makes nothing twice", async () => {
    const account = { databases: ["other", "waymark"], namespaces: ["waymark-kv", "other"] };
    const { error, commands, kept, said } = await deployTo(account);
    expect(error).toBeUndefined();
    expect(commands).toEqual(["d1 list --json", "kv namespace list", ...LAST_STEPS]);
    expect(kept[0]?.d1_databases).toMatchObject([{ database_id: "id of waymark" }]);
    expect(kept[0]?.kv_namespaces).toMatchObject([{ id: "id of waymark-kv" }]);
    expect(said).toContain("Found the D1 database waymark.");
  });

  it("takes nothing of another name, however alike", async () => {
    const account = {
      databases: ["waymark-2", "Waymark"],
      namespaces: ["waymark", "KV", "waymark-kv-preview"],
    };
    const { commands, kept } = await deployTo(account);
    expect(commands).toEqual(
      expect.arrayContaining(["d1 create waymark", "kv namespace create waymark-kv", ...LAST_STEPS]),
    );
    expect(kept[0]?.d1_databases).toMatchObject([{ database_id: "id of waymark" }]);
    expect(kept[0]?.kv_namespaces).toMatchObject([{ id: "id of waymark-kv" }]);
  });

  it.each([
    ["a banner", "\n ⛅️ wrangler 4.86.0\n───────────────────\n", ""],
    ["words in brackets", "[wrangler:info] Ready\n[b] of something\n", ""],
    ["something behind", "", "🪵  Logs were written to [somewhere]\n[]of no use\n"],
  ])("reads wrangler's lists with %s around them", async (_, before, after) => {
    const { error, commands } = await deployTo({
      databases: ["waymark"],
      namespaces: ["waymark-kv"],
      around: [before, after],
    });
    expect(error).toBeUndefined();
    expect(commands).toEqual(["d1 list --json", "kv namespace list", ...LAST_STEPS]);
    const empty = await deployTo({ around: [before, after] });
    expect(empty.error).toBeUndefined();
  });

  it("passes further arguments to the deployment alone", async () => {
    const account = { databases: ["waymark"], namespaces: ["waymark-kv"] };
    const { commands } = await deployTo(account, ["--message", "First try", "--keep-vars"]);
    expect(commands.at(-1)).toBe("deploy --config .wrangler.deploy.json --message First try --keep-vars");
    expect(commands.filter((command) => command.includes("First try"))).toHaveLength(1);
  });

  it.each(["--dry-run", "--help", "-h"])("with %s needs no account and makes nothing", async (flag) => {
    const { error, commands, kept } = await deployTo({ fails: "d1" }, [flag, "--outdir", "somewhere"]);
    expect({ error, commands, kept }).toEqual({
      error: undefined,
      commands: [`deploy ${flag} --outdir somewhere`],
      kept: [],
    });
  });

  it.each([
    ["d1 list", "d1 list --json"],
    ["d1 create", "d1 create waymark"],
    ["kv namespace list", "kv namespace list"],
    ["kv namespace create", "kv namespace create waymark-kv"],
    ["d1 migrations apply", "d1 migrations apply waymark --remote --config .wrangler.deploy.json"],
    ["deploy", "deploy --config .wrangler.deploy.json"],
  ])("stops where `wrangler %s` fails, with its words", async (fails, last) => {
    const { error, commands } = await deployTo({ fails });
    expect(error).toBe(`wrangler ${last} failed`);
    expect(commands.at(-1)).toBe(last);
  });

  it("stops where wrangler lists no JSON, or not what it has made", async () => {
    const words = await deployTo({ around: ["You are not logged in. ", ""] });
    expect(words.error).toBe("wrangler answered something unexpected:\nYou are not logged in. []");
    const forgotten = await deployTo({ forgets: true });
    expect(forgotten.error).toBe("The D1 database waymark was created but is not listed.");
    expect([words.kept, forgotten.kept]).toEqual([[], []]);
  });

  it("stops at a config without a database or a namespace", async () => {
    for (const part of ["d1_databases", "kv_namespaces"]) {
      const { error, commands } = await deployTo({ config: { ...CONFIG, [part]: [] } });
      expect(error).toBe("wrangler.toml must name one D1 database and one KV namespace.");
      expect(commands).toEqual([]);
    }
  });
});

/** A directory like this one, with no deployment, no account and nobody's home. */
function checkout() {
  const directory = temporaryDirectory();
  for (const name of ["src", "migrations", "node_modules"])
    symlinkSync(join(ROOT, name), join(directory, name));
  for (const name of ["package.json", "wrangler.toml", "tsconfig.json"])
    copyFileSync(join(ROOT, name), join(directory, name));
  return { directory, env: plainEnvironment({ HOME: directory, XDG_CONFIG_HOME: directory }) };
}

const npmDeploy = ({ directory, env }: ReturnType<typeof checkout>, args: readonly string[] = []) =>
  start("npm", ["run", "--silent", "deploy", "--", ...args], { cwd: directory, env }).ended;

interface Asked {
  method: string;
  path: string;
  body: string;
}

/** So much of Cloudflare's API as a deployment to an empty account asks for. */
async function standInForCloudflare() {
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
    if (resource?.endsWith("/query")) return [{ results: [], success: true, meta: { duration: 1 } }];
    if (method === "PUT" && resource === "/accounts/acme/workers/scripts/waymark")
      return { id: "waymark", startup_time_ms: 1 };
    if (resource?.endsWith("/schedules")) return { schedules: JSON.parse(body) };
    if (resource?.endsWith("/subdomain"))
      return { enabled: true, previews_enabled: false, subdomain: "acme" };
    return undefined;
  }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const one = { method: request.method ?? "", path: request.url ?? "", body };
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

describe.concurrent("a deployment, with wrangler itself", () => {
  it("to an empty account of a stand-in for Cloudflare's API makes everything and keeps the ids", async () => {
    const cloudflare = await standInForCloudflare();
    const here = checkout();
    Object.assign(here.env, {
      CLOUDFLARE_API_BASE_URL: cloudflare.base,
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_ACCOUNT_ID: "acme",
    });
    const { code, out, err } = await npmDeploy(here, ["--outdir", join(here.directory, "bundle")]);
    cloudflare.close();
    expect(
      code,
      `${out}\n${err}\n${cloudflare.asked.map(({ method, path }) => `${method} ${path}`).join("\n")}`,
    ).toBe(0);

    const kept = JSON.parse(readFileSync(join(here.directory, ".wrangler.deploy.json"), "utf8"));
    expect(kept.d1_databases).toMatchObject([
      { database_id: "11111111-2222-3333-4444-555555555555", remote: true },
    ]);
    expect(kept.kv_namespaces).toEqual([
      { binding: "KV", id: "0123456789abcdef0123456789abcdef", remote: true },
    ]);

    const changes = cloudflare.asked.filter(
      ({ method, body }) => method !== "GET" && !body.includes("d1_migrations("),
    );
    const queries = changes.filter(({ path }) =>
      path.endsWith("/d1/database/11111111-2222-3333-4444-555555555555/query"),
    );
    expect(queries.some(({ body }) => body.includes("CREATE TABLE `workspaces`"))).toBe(true);
    const upload = changes.findIndex(
      ({ method, path }) => method === "PUT" && path.includes("/workers/scripts/waymark"),
    );
    expect(upload).toBeGreaterThan(changes.lastIndexOf(queries.at(-1) ?? { method: "", path: "", body: "" }));
    const metadata = JSON.parse(/\{"main_module".*/.exec(changes[upload]?.body ?? "")?.[0] ?? "{}");
    const schedules = changes.find(({ path }) => path.endsWith("/workers/scripts/waymark/schedules"));
    expect(JSON.parse(schedules?.body ?? "[]")).toEqual(
      CONFIG.triggers?.crons?.map((cron: string) => ({ cron })),
    );
    expect(metadata).toMatchObject({ compatibility_date: CONFIG.compatibility_date });
    expect(metadata.bindings).toEqual(
      expect.arrayContaining([
        { name: "DB", type: "d1", id: "11111111-2222-3333-4444-555555555555" },
        { name: "KV", type: "kv_namespace", namespace_id: "0123456789abcdef0123456789abcdef" },
      ]),
    );

    // One file that needs nothing of Node's.
    expect(out).toMatch(/Total Upload: [\d.]+ KiB \/ gzip: [\d.]+ KiB/);
    expect(CONFIG.compatibility_flags ?? []).toEqual([]);
    const bundle = readdirSync(join(here.directory, "bundle")).filter((name) => name.endsWith(".js"));
    expect(bundle).toEqual(["worker.js"]);
    const text = readFileSync(join(here.directory, "bundle", "worker.js"), "utf8");
    expect(text).not.toMatch(/(?:from|import|require)\s*\(?\s*["']node:/);
  });

  it("tells a failure in wrangler's words", async () => {
    await expect(runWrangler(["d1", "migrations", "list", "NOTHING", "--local"])).rejects.toThrow(
      /^wrangler d1 migrations list NOTHING --local failed:\n.*NOTHING/s,
    );
  });
});
