import { describe, expect, it } from "vitest";
import { ADDRESSES, BOTH, deployTo, deployWell } from "./account";

const NOTHING = { commands: [], kept: [] };

it.each([
  [["--dry-run"], "deploy --env= --dry-run"],
  [["--dry-run", "--minify", "--outdir=out"], "deploy --env= --dry-run --outdir=out --minify"],
  [["-h"], "deploy --env= --help"],
  [["--version"], "deploy --env= --version"],
])("a command line that changes nothing: %j runs `wrangler %s` without an account", async (args, command) => {
  const { error, commands, kept } = await deployTo({ fails: "d1" }, args);
  expect({ error, commands, kept }).toEqual({ error: undefined, commands: [command], kept: [] });
});

it("--help names the options and the values that they take", async () => {
  const { said } = await deployWell({}, ["--help"]);
  expect(said.join("\n")).toMatch(/It takes --base-url, .*--drop-host, --location, --plan/);
  expect(said.join("\n")).toContain(
    "--jurisdiction takes eu, us or none, --location weur, eeur, apac, oc, wnam, enam or none, --plan free or paid.",
  );
});

describe("a command line that selects another Worker or is invalid changes nothing", () => {
  it.each([
    [["--env", "staging"], /'--env'/],
    [["-e", "staging"], /'-e'/],
    [["--var", "BASE_URL:https://x"], /'--var'/],
    [["--dryRun"], /'--dryRun'/],
    [["--dry-run=false"], /'--dry-run' does not take an argument/],
    [["src/other.ts"], /'src\/other\.ts'/],
    [["--message", "--dry-run"], /'--message/],
    [["--message"], /'--message <value>' argument missing/],
  ])("%j", async (args, words) => {
    const { error, ...effects } = await deployTo(BOTH, [...ADDRESSES, ...args]);
    expect(error).toMatch(words);
    expect(error).toMatch(
      / It takes --base-url, .* For another Worker, take another clone\. Nothing was changed\.$/,
    );
    expect(effects).toMatchObject(NOTHING);
  });

  it.each([
    [{ npm_config_dry_run: "true" }, /^npm has taken --dry-run for itself\. .* npm run deploy -- --dry-run$/],
    [{ npm_config_env: "staging" }, /^npm has taken --env for itself\./],
  ])("with the variable %j, even a dry run", async (environment, words) => {
    for (const args of [ADDRESSES, ["--dry-run"]]) {
      const { error, ...effects } = await deployTo({ ...BOTH, environment }, args);
      expect(error).toMatch(words);
      expect(error).toContain("Nothing was changed.");
      expect(effects).toMatchObject(NOTHING);
    }
  });

  it("an empty variable is accepted", async () => {
    await deployWell({ ...BOTH, environment: { npm_config_dry_run: "" } });
  });
});
