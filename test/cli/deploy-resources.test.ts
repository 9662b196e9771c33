import { describe, expect, it } from "vitest";
import { ADDRESSES, BOTH, CONFIG, type Config, deployTo, deployWell } from "./account";

/** The config that a deployment saves if the account has both resources. */
async function firstDeployment(): Promise<Config> {
  const { kept } = await deployTo(BOTH);
  const last = kept.at(-1);
  if (last === undefined) throw new Error("Nothing was kept.");
  return last;
}

const withIds = (database_id?: string, id?: string): Config => ({
  ...CONFIG,
  d1_databases: [{ ...CONFIG.d1_databases?.[0], binding: "DB", database_name: "waymark", database_id }],
  kv_namespaces: [{ binding: "KV", id }],
});

describe("the ids of the last deployment", () => {
  it("are used again, whatever the account lists, so that wrangler stops in another account", async () => {
    const kept = await firstDeployment();
    const { commands, kept: next } = await deployWell({ kept });
    expect(commands.filter((command) => / (?:list|create)\b/.test(command))).toEqual([]);
    expect(next.at(-1)).toEqual(kept);
  });

  it("are forgotten with --adopt, which takes what has the names", async () => {
    const kept = await firstDeployment();
    const account = { ...BOTH, ids: { waymark: "other" }, kept };
    const { kept: next } = await deployWell(account, [...ADDRESSES, "--adopt"]);
    expect(next.at(-1)?.d1_databases).toMatchObject([{ database_id: "other" }]);
  });

  it("do not keep a missing namespace from being created", async () => {
    const { kv_namespaces: _, ...kept } = await firstDeployment();
    const { commands } = await deployWell({ databases: ["waymark"], kept: kept as Config });
    expect(commands).toContain("kv namespace create waymark-kv");
  });

  it.each<[string, Config]>([
    ["the Worker other with the database waymark", { ...CONFIG, name: "other" }],
    [
      "the Worker waymark with the database waymark-2",
      { ...CONFIG, d1_databases: [{ binding: "DB", database_name: "waymark-2" }] },
    ],
  ])("are not those of %s, which needs --adopt", async (names, config) => {
    // The hosts are the first Worker's no more.
    const account = { ...BOTH, config, kept: await firstDeployment(), cloudflare: { workers: {} } };
    const { error, commands, kept } = await deployTo(account);
    expect(error).toContain(`wrangler.toml has ${names}, but the last deployment was the Worker waymark `);
    expect(error).toContain("Nothing was changed.");
    expect({ commands, kept }).toEqual({ commands: [], kept: [] });
    await deployWell(account, [...ADDRESSES, "--adopt"]);
  });
});

it("ids in wrangler.toml have priority over those of the last deployment", async () => {
  const kept = { ...(await firstDeployment()), ...withIds("previous", "previous") };
  const { kept: next } = await deployWell({ config: withIds("mine", "own"), kept });
  expect(next.at(-1)).toMatchObject({
    d1_databases: [{ database_id: "mine" }],
    kv_namespaces: [{ id: "own" }],
  });
});
