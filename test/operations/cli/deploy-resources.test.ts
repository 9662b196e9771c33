import { describe, expect, it } from "vitest";
import { type Account, ADDRESSES, CONFIG, type Config, deployTo } from "./account";

/** The config that a deployment saves if the account has both resources. */
async function firstDeployment(): Promise<Config> {
  const { kept } = await deployTo({ databases: ["waymark"], namespaces: ["waymark-kv"] });
  const last = kept.at(-1);
  if (last === undefined) throw new Error("Nothing was kept.");
  return last;
}

const LISTS = ["d1 list --json", "kv namespace list"];
const withIds = (database_id?: string, id?: string): Config => ({
  ...CONFIG,
  d1_databases: [{ ...CONFIG.d1_databases?.[0], binding: "DB", database_name: "waymark", database_id }],
  kv_namespaces: [{ binding: "KV", id }],
});

describe("a deployment that finds different resources from the last one", () => {
  const both = { databases: ["waymark"], namespaces: ["waymark-kv"] };
  it.each<[string, Account, RegExp]>([
    [
      "a database of the same name and another id",
      { ...both, ids: { waymark: "other" } },
      /^The D1 database waymark of this account has the id other, but the last deployment from here used id of waymark \(\.wrangler\.deploy\.json\)\./,
    ],
    [
      "a namespace of the same name and another id",
      { ...both, ids: { "waymark-kv": "other" } },
      /^The KV namespace waymark-kv of this account has the id other, but the last deployment from here used id of waymark-kv /,
    ],
    [
      "an empty account",
      { databases: [], namespaces: [] },
      /^This account has no D1 database waymark, but the last deployment from here used id of waymark .*A new one would be empty\./,
    ],
    [
      "no namespace",
      { databases: ["waymark"], namespaces: [] },
      /^This account has no KV namespace waymark-kv, but .* used id of waymark-kv /,
    ],
    [
      "the database renamed",
      { databases: ["old"], namespaces: ["waymark-kv"], ids: { old: "id of waymark" } },
      /^This account has no D1 database waymark, .* That one is named old here\./,
    ],
    [
      "another database in wrangler.toml",
      {
        ...both,
        config: { ...CONFIG, d1_databases: [{ binding: "DB", database_name: "waymark-2" }] },
      },
      /^This account has no D1 database waymark-2, .* That one is named waymark here\./,
    ],
    [
      "another Worker in wrangler.toml",
      { ...both, config: { ...CONFIG, name: "other" } },
      /^wrangler\.toml names the Worker other, but the last deployment from here was waymark /,
    ],
  ])("%s stops before any change, and continues with --adopt", async (_, account, words) => {
    const kept = await firstDeployment();
    const stopped = await deployTo({ ...structuredClone(account), kept });
    expect(stopped.error).toMatch(words);
    expect(stopped.error).toContain("Nothing was changed.");
    expect(stopped.error).toContain("npm run deploy -- --adopt");
    expect(stopped.kept).toEqual([]);
    expect(stopped.commands.filter((command) => !LISTS.includes(command))).toEqual([]);

    // The fake wrangler adds created resources to the account.
    const there = structuredClone(account);
    const adopted = await deployTo({ ...there, kept }, [...ADDRESSES, "--adopt"]);
    expect(adopted.error).toBeUndefined();
    expect(adopted.commands.at(-2)).toBe("deploy --config .wrangler.deploy.json --env=");
    expect((await deployTo({ ...there, kept: adopted.kept.at(-1) }, [])).error).toBeUndefined();
  });

  it("a deployment accepts the same resources and creates one that was missing last time", async () => {
    const kept = await firstDeployment();
    expect((await deployTo({ ...both, kept })).error).toBeUndefined();
    const { kv_namespaces: _, ...withoutNamespace } = kept;
    const { error, commands } = await deployTo({ databases: ["waymark"], kept: withoutNamespace as Config });
    expect(error).toBeUndefined();
    expect(commands).toContain("kv namespace create waymark-kv");
  });
});

describe("ids in wrangler.toml", () => {
  it.each([
    [withIds("mine"), {}, /^This account has no D1 database waymark, but wrangler\.toml says mine\./],
    [
      withIds("mine"),
      { databases: ["waymark"] },
      /^The D1 database waymark of this account has the id id of waymark, but wrangler\.toml says mine\./,
    ],
    [
      withIds(undefined, "mine"),
      {},
      /^This account has no KV namespace waymark-kv, but wrangler\.toml says mine\./,
    ],
  ])(
    "stop the deployment if the account does not have them, even with --adopt",
    async (config, account, words) => {
      for (const args of [ADDRESSES, [...ADDRESSES, "--adopt"]]) {
        const { error, commands, kept } = await deployTo({ ...structuredClone(account), config }, args);
        expect(error).toMatch(words);
        expect(error).toMatch(/change the id in wrangler\.toml\.$/);
        expect(kept).toEqual([]);
        expect(commands.filter((command) => !LISTS.includes(command))).toEqual([]);
      }
    },
  );

  it("ids in wrangler.toml have priority over those of the last deployment", async () => {
    const kept = { ...(await firstDeployment()), ...withIds("previous", "previous") };
    const account = { databases: ["waymark"], namespaces: ["waymark-kv"], kept };
    const config = withIds("id of waymark", "id of waymark-kv");
    expect((await deployTo({ ...account, config })).error).toBeUndefined();
  });
});
