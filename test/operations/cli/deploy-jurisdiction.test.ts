import { expect, it } from "vitest";
import { ADDRESSES, CONFIG, type Config, deployTo, deployWell } from "./account";

const EU = [...ADDRESSES, "--jurisdiction", "eu"];
const IN_EU = "d1 create --jurisdiction eu waymark";
const ANYWHERE = "d1 create waymark";

const creations = (commands: string[]) => commands.filter((command) => command.includes(" create "));
const jurisdictionOf = (kept: Config[]): unknown => kept.at(-1)?.vars?.["D1_JURISDICTION"];

const named = (database_name: string): Config => ({
  ...CONFIG,
  d1_databases: [{ binding: "DB", database_name, migrations_dir: "migrations" }],
});

it("--jurisdiction eu binds the new database alone, and is saved", async () => {
  const { commands, kept } = await deployWell({}, EU);
  expect(creations(commands)).toEqual([IN_EU, "kv namespace create waymark-kv"]);
  expect(jurisdictionOf(kept)).toBe("eu");
  const next = await deployWell({ kept: kept.at(-1) }, EU);
  expect(next.kept.at(-1)).toEqual(kept.at(-1));
});

it("without a terminal and a flag, or with none, the database is bound to no place", async () => {
  for (const more of [[], ["--jurisdiction", "none"]]) {
    const { commands, kept } = await deployWell({}, [...ADDRESSES, ...more]);
    expect(creations(commands)).toContain(ANYWHERE);
    expect(jurisdictionOf(kept)).toBeUndefined();
  }
});

it.each([
  [["eu"], IN_EU, 1],
  [[" EU "], IN_EU, 1],
  [[""], ANYWHERE, 1],
  [["none"], ANYWHERE, 1],
  [["yes", "Europe", "eu"], IN_EU, 3],
])("a new account is asked in a terminal until the answer is valid: %j", async (answers, creation, times) => {
  const { commands, asked } = await deployWell({ answers });
  expect(asked).toHaveLength(times);
  expect(asked[0]).toMatch(/^Where may the database keep its data\? .*KV keeps copies of destinations/);
  expect(creations(commands)).toContain(creation);
});

it("nothing is asked with the flag, with a database, or after a first deployment", async () => {
  const first = await deployTo({});
  const kept = first.kept.at(-1);
  await deployWell({ answers: [] }, EU);
  await deployWell({ answers: [], databases: ["waymark"] });
  await deployWell({ answers: [], kept });
  await deployWell({ answers: [], kept }, ["--adopt"]);
  // Another Worker is new to the account.
  const other = { ...CONFIG, name: "other" };
  const asked = (await deployTo({ answers: ["eu"], kept, config: other }, [...ADDRESSES, "--adopt"])).asked;
  expect(asked).toHaveLength(1);
});

it("nobody who does not answer gets a database", async () => {
  const { error, commands, kept } = await deployTo({ answers: [] });
  expect(error).toBe("Nobody answers.");
  expect(creations(commands)).toEqual([]);
  expect(kept).toEqual([]);
});

it("an existing database without the jurisdiction is refused, before anything changes", async () => {
  const first = (await deployTo({})).kept.at(-1);
  for (const account of [{ databases: ["waymark"] }, { kept: first }]) {
    const { error, commands, kept } = await deployTo(account, EU);
    expect(error).toMatch(
      /^The D1 database waymark exists and does not have the jurisdiction eu, which can only be given at creation\. Nothing was changed\./,
    );
    expect(creations(commands)).toEqual([]);
    expect(kept).toEqual([]);
  }
});

it("an existing database with the jurisdiction is taken, and the jurisdiction saved", async () => {
  const account = { databases: ["waymark"], jurisdictions: { waymark: "eu" } };
  for (const args of [EU, ADDRESSES]) {
    const { kept } = await deployWell(account, args);
    expect(jurisdictionOf(kept)).toBe("eu");
  }
});

it("a new database after a restore has the jurisdiction too, and one that exists elsewhere is refused without a word", async () => {
  const kept = (await deployTo({}, EU)).kept.at(-1);
  const config = named("waymark-2");
  const restored = await deployTo({ kept, config }, ["--adopt"]);
  expect(creations(restored.commands)).toContain("d1 create --jurisdiction eu waymark-2");
  expect(jurisdictionOf(restored.kept)).toBe("eu");
  const elsewhere = { kept, config, databases: ["waymark-2"] };
  expect((await deployTo(elsewhere, ["--adopt"])).error).toContain("does not have the jurisdiction eu");
  const left = await deployWell(elsewhere, ["--adopt", "--jurisdiction", "none"]);
  expect(jurisdictionOf(left.kept)).toBeUndefined();
});

it("another jurisdiction is refused", async () => {
  const { error, commands } = await deployTo({}, [...ADDRESSES, "--jurisdiction", "us"]);
  expect(error).toBe("--jurisdiction takes eu or none. Nothing was changed.");
  expect(commands).toEqual([]);
});
