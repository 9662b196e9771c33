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

it.each(["eu", "us"])(
  "--jurisdiction %s binds the new database and the namespace, and is saved",
  async (place) => {
    const inPlace = [...ADDRESSES, "--jurisdiction", place];
    const { commands, kept } = await deployWell({}, inPlace);
    expect(creations(commands)).toEqual([
      `d1 create --jurisdiction ${place} waymark`,
      `kv namespace create --jurisdiction ${place} waymark-kv`,
    ]);
    expect(jurisdictionOf(kept)).toBe(place);
    const next = await deployWell({ kept: kept.at(-1) }, inPlace);
    expect(next.kept.at(-1)).toEqual(kept.at(-1));
  },
);

it("without a terminal and a flag, or with none, the database is bound to no place", async () => {
  for (const more of [[], ["--jurisdiction", "none"]]) {
    const { commands, kept } = await deployWell({}, [...ADDRESSES, ...more]);
    expect(creations(commands)).toContain(ANYWHERE);
    expect(jurisdictionOf(kept)).toBeUndefined();
  }
});

const NEAR_WEUR = "d1 create --location weur waymark";

it.each([
  [["eu"], IN_EU, 1],
  [[" EU "], IN_EU, 1],
  [["", ""], ANYWHERE, 2],
  [["none", " WEUR"], NEAR_WEUR, 2],
  [["", "Paris", "weur"], NEAR_WEUR, 3],
  [["yes", "Europe", "eu"], IN_EU, 3],
])("a new account is asked in a terminal until the answer is valid: %j", async (answers, creation, times) => {
  const { commands, asked } = await deployWell({ answers }, [...ADDRESSES, "--plan", "free"]);
  expect(asked).toHaveLength(times);
  expect(asked[0]).toMatch(
    /^Where may the database and the namespace keep their data\? .*KV may cache destinations everywhere/,
  );
  expect(creations(commands)).toContain(creation);
});

it("nothing is asked with the flag, with a database, or after a first deployment", async () => {
  const first = await deployTo({});
  const kept = first.kept.at(-1);
  await deployWell({ answers: [] }, [...EU, "--plan", "free"]);
  await deployWell({ answers: [], databases: ["waymark"] }, [...ADDRESSES, "--plan", "free"]);
  await deployWell({ answers: [], kept });
  await deployWell({ answers: [], kept }, ["--adopt"]);
  // Another Worker is new to the account.
  const other = { ...CONFIG, name: "other" };
  const account = { answers: ["free", "eu"], kept, config: other, cloudflare: { workers: {} } };
  const { asked } = await deployWell(account, [...ADDRESSES, "--adopt"]);
  expect(asked).toHaveLength(2);
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

it("another jurisdiction, location or plan is refused", async () => {
  for (const [option, allowed] of [
    ["jurisdiction", "eu, us, none"],
    ["location", "weur, eeur, apac, oc, wnam, enam, none"],
    ["plan", "free, paid"],
  ]) {
    const { error, commands } = await deployTo({}, [...ADDRESSES, `--${option}`, "fedramp"]);
    expect(error).toMatch(
      new RegExp(
        `'--${option} <name>' argument 'fedramp' is invalid. Allowed choices are ${allowed}\\..* Nothing was changed\\.$`,
      ),
    );
    expect(commands).toEqual([]);
  }
});

it("--location places a new database without a jurisdiction; without it the command says where it lies", async () => {
  const near = [...ADDRESSES, "--location", "apac"];
  const { commands, said, next } = await deployWell({}, near);
  expect(creations(commands)).toEqual([
    "d1 create --location apac waymark",
    "kv namespace create waymark-kv",
  ]);
  expect(said.join("\n")).not.toContain("near the machine");
  expect((await deployWell({ ...next, deployed: null, kept: CONFIG }, near)).said).toContain(
    "It exists already, so --location has no effect.",
  );
  expect((await deployWell({}, ADDRESSES)).said.join("\n")).toContain(
    "near the machine that runs this command",
  );
  expect(creations((await deployWell({}, [...EU, "--location", "weur"])).commands)).toContain(IN_EU);
});

it("a namespace that is listed with another place is refused", async () => {
  const account = { namespaces: ["waymark-kv"], namespaceJurisdiction: null };
  expect((await deployTo(account, EU)).error).toMatch(
    /^The KV namespace waymark-kv exists and does not have the jurisdiction eu, .* Nothing was changed\./,
  );
  await deployWell({ ...account, namespaceJurisdiction: "eu" }, EU);
  await deployWell(account, ADDRESSES);
});

it("the plan is that of wrangler.toml, the option, the last deployment or the answer, in this order", async () => {
  const planOf = ({ kept }: { kept: Config[] }) => kept.at(-1)?.vars?.["CLOUDFLARE_PLAN"];
  const config = { ...CONFIG, vars: { ...CONFIG.vars, CLOUDFLARE_PLAN: "paid" } };
  const first = await deployWell({}, [...ADDRESSES, "--plan", "paid"]);
  expect(planOf(first)).toBe("paid");
  expect(planOf(await deployWell(first.next, []))).toBe("paid");
  expect(planOf(await deployWell(first.next, ["--plan", "free"]))).toBe("free");
  expect(planOf(await deployWell({ config }))).toBe("paid");
  expect((await deployTo({ config }, [...ADDRESSES, "--plan", "free"])).error).toMatch(
    /^--plan is free, but wrangler\.toml says CLOUDFLARE_PLAN = "paid", which counts/,
  );
  const answers = ["gratis", "PAID ", "eu"];
  const asked = await deployWell({ answers });
  expect([planOf(asked), asked.asked.length]).toEqual(["paid", 3]);
  const untold = await deployWell({});
  expect(untold.said.join("\n")).toContain(
    "creations end at 475 MB. With the paid one: npm run deploy -- --plan paid",
  );
  expect(planOf(untold)).toBe("");
});
