import { describe, expect, it } from "vitest";
import { listMigrations } from "../../src/cli/migrations";
import { ADDRESSES, BOTH, CONFIG, type Config, deployTo, deployWell, VERSION } from "./account";

const LAST_STEPS = [
  "(the config is kept)",
  "d1 migrations apply waymark --remote --config .wrangler.deploy.json --env=",
  "(the config is kept)",
  `deploy --config .wrangler.deploy.json --env= --tag=${VERSION} --message=Waymark ${VERSION}`,
];

describe("a deployment, with a fake wrangler", () => {
  it("a deployment to an empty account creates the database and the namespace, migrates, then deploys with their ids", async () => {
    const { commands, kept } = await deployWell({});
    expect(commands).toEqual([
      "d1 list --json",
      "kv namespace list",
      "d1 create waymark",
      "d1 list --json",
      "kv namespace create waymark-kv",
      "kv namespace list",
      ...LAST_STEPS,
    ]);
    const config = {
      ...CONFIG,
      workers_dev: false,
      routes: [
        { pattern: "links.example.com", custom_domain: true },
        { pattern: "go.example.com", custom_domain: true },
      ],
      vars: {
        ...CONFIG.vars,
        BASE_URL: "https://links.example.com",
        SHORT_BASE_URL: "https://go.example.com",
        INSTALLATION: "waymark",
      },
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
    };
    // The first deployment from a clone begins a new epoch of the values in KV.
    const vars = { ...config.vars, CACHE_EPOCH: expect.stringMatching(/^[0-9a-z]{8}$/) };
    const { routes: _, ...undeployed } = config;
    expect(kept).toEqual([
      { ...undeployed, vars },
      { ...config, vars },
    ]);
  });

  it("a deployment finds existing resources and creates nothing twice", async () => {
    const account = { databases: ["other", "waymark"], namespaces: ["waymark-kv", "other"] };
    const { commands, kept, said } = await deployWell(account);
    expect(commands).toEqual(["d1 list --json", "kv namespace list", ...LAST_STEPS]);
    expect(kept[0]?.d1_databases).toMatchObject([{ database_id: "id of waymark" }]);
    expect(kept[0]?.kv_namespaces).toMatchObject([{ id: "id of waymark-kv" }]);
    expect(said).toContain("Found the D1 database waymark.");
  });

  it("a deployment uses no resource with a similar name", async () => {
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
    const { commands } = await deployWell({ ...BOTH, around: [before, after] });
    expect(commands).toEqual(["d1 list --json", "kv namespace list", ...LAST_STEPS]);
    await deployWell({ around: [before, after] });
  });

  it("further arguments are passed to wrangler deploy alone", async () => {
    const { commands } = await deployTo(BOTH, [...ADDRESSES, "--message", "First try", "--keep-vars"]);
    expect(commands).toContain(
      `deploy --config .wrangler.deploy.json --env= --keep-vars --tag=${VERSION} --message=First try`,
    );
    expect(commands.filter((command) => command.includes("First try"))).toHaveLength(1);
  });

  it.each([
    ["d1 list", "d1 list --json"],
    ["d1 create", "d1 create waymark"],
    ["kv namespace list", "kv namespace list"],
    ["kv namespace create", "kv namespace create waymark-kv"],
    ["d1 migrations apply", "d1 migrations apply waymark --remote --config .wrangler.deploy.json --env="],
    ["deploy", LAST_STEPS.at(-1) ?? ""],
  ])("stops if `wrangler %s` fails, and shows its error", async (fails, last) => {
    const { error, commands, kept } = await deployTo({ fails });
    expect(error).toBe(`wrangler ${last} failed`);
    expect(commands.filter((command) => command !== "(the config is kept)").at(-1)).toBe(last);
    // Routes are saved only once the Worker is deployed with them.
    expect(kept.at(-1)?.routes).toBeUndefined();
  });

  it("refuses a database that was made with other migrations", async () => {
    const [own = ""] = listMigrations();
    await deployWell({ ...BOTH, migrations: [own] });
    for (const migrations of [["0000_first_00000000.sql"], [...listMigrations(), "0000_a.sql"]]) {
      const { error, commands } = await deployTo({ ...BOTH, migrations });
      expect(error).toBe(
        'The database "waymark" was made with other migrations than this release has, and cannot be changed into its schema: deploy to another database.',
      );
      expect(commands.filter((command) => /apply|^deploy/.test(command))).toEqual([]);
    }
  });

  it("deploys onto the schema of a later release, and says so", async () => {
    const { error, commands, said } = await deployTo({
      ...BOTH,
      migrations: [...listMigrations(), "9999_later_00000000.sql"],
    });
    expect([error, commands.at(-1)?.startsWith("deploy --config")]).toEqual([undefined, true]);
    expect(said).toContain(
      'The database "waymark" has the schema of a later release (9999_later_00000000.sql). It stays as it is, and this release runs on it.',
    );
    expect((await deployTo({ ...BOTH, migrations: listMigrations() })).said.join()).not.toContain(
      "later release",
    );
  });

  it("a deployment stops if wrangler lists no JSON, or not the created resource", async () => {
    const words = await deployTo({ around: ["You are not logged in. ", ""] });
    expect(words.error).toBe("wrangler answered something unexpected:\nYou are not logged in. []");
    const forgotten = await deployTo({ forgets: true });
    expect(forgotten.error).toBe("The D1 database waymark was created but is not listed.");
    expect([words.kept, forgotten.kept]).toEqual([[], []]);
  });

  it("a deployment keeps the epoch of the values in KV, but with --new-cache, also if it then fails", async () => {
    const epochIn = (config: Config | undefined) => config?.vars?.["CACHE_EPOCH"];
    const first = (await deployWell(BOTH)).kept.at(-1);
    if (first === undefined) throw new Error("nothing was saved");
    expect(epochIn(first)).toMatch(/^[0-9a-z]{8}$/);
    const next = { ...BOTH, kept: first };
    const same = await deployWell(next);
    expect(new Set(same.kept.map(epochIn))).toEqual(new Set([epochIn(first)]));
    expect(same.said.join("\n")).not.toContain("cache epoch");
    await new Promise((resolve) => setTimeout(resolve, 2));
    const renewed = await deployWell(next, ["--new-cache"]);
    expect(renewed.said).toContainEqual(expect.stringContaining("A new cache epoch begins"));
    const [deployed] = renewed.kept.map(epochIn);
    expect(deployed === epochIn(first)).toBe(false);
    // What is deployed decides.
    for (const takesEffect of [false, true]) {
      const failed = await deployTo({ ...next, fails: "deploy", takesEffect }, ["--new-cache"]);
      expect(failed.error).toContain("wrangler deploy");
      const [tried, left] = [failed.kept.at(0), failed.kept.at(-1)].map(epochIn);
      expect([left === tried, left === epochIn(first)]).toEqual([takesEffect, !takesEffect]);
    }
  });

  it("a deployment says what it is going to do, and changes nothing unless a terminal confirms it", async () => {
    const answers = ["paid", "eu"];
    for (const confirms of ["no", "quit"]) {
      const { error, commands, kept, said } = await deployTo({ answers, confirms });
      expect({ error, kept }).toEqual({ error: "Nothing was changed.", kept: [] });
      expect(commands).toEqual(["d1 list --json", "kv namespace list"]);
      expect(said.join("\n")).toContain(`Deploys a new Worker waymark in the account acme:
- The API and the web application are at https://links.example.com, short links at https://go.example.com.
- New: the D1 database waymark --jurisdiction eu.
- New: the KV namespace waymark-kv --jurisdiction eu.
- The database waymark gets the migrations that it lacks.`);
    }
    await deployWell({ answers, confirms: " Yes" });
  });

  it("a deployment says which setting of mail is missing", async () => {
    const binding = { send_email: [{ name: "MAIL" }] };
    const sender = { vars: { ...CONFIG.vars, MAIL_FROM: "links@s.example" } };
    const saidOf = async (part: object) =>
      (await deployTo({ config: { ...CONFIG, ...part } })).said.filter((line) => line.includes("mail"));
    expect(await saidOf(binding)).toEqual(["No mail is sent: wrangler.toml has MAIL but no MAIL_FROM."]);
    expect(await saidOf(sender)).toEqual(["No mail is sent: wrangler.toml has MAIL_FROM but no MAIL."]);
    expect([await saidOf({ ...binding, ...sender }), await saidOf({})]).toEqual([[], []]);
  });

  it("a deployment stops if the config has no database or no namespace", async () => {
    for (const part of ["d1_databases", "kv_namespaces"]) {
      const { error, commands } = await deployTo({ config: { ...CONFIG, [part]: [] } });
      expect(error).toBe("wrangler.toml must name one D1 database and one KV namespace.");
      expect(commands).toEqual([]);
    }
  });
});
