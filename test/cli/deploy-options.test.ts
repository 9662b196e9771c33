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
  const text = said.join("\n");
  for (const option of ["--base-url <url>", "--drop-host <host>", "--dry-run"])
    expect(text).toContain(option);
  expect(text).toMatch(/--jurisdiction <name>[^-]*"eu",\s+"us",\s+"none"/);
  expect(text).toMatch(/--plan <name>[^-]*"free",\s+"paid"/);
});

describe("a command line that selects another Worker or is invalid changes nothing", () => {
  it.each([
    [["--env", "staging"], /'--env'/],
    [["-e", "staging"], /'-e'/],
    [["--var", "BASE_URL:https://x"], /'--var'/],
    [["--dryRun"], /'--dryRun'/],
    [["--dry-run=false"], /'--dry-run=false'/],
    [["src/other.ts"], /too many arguments/],
    [["--message", "--dry-run"], /'--message/],
    [["--message"], /'--message <text>' argument missing/],
  ])("%j", async (args, words) => {
    const { error, ...effects } = await deployTo(BOTH, [...ADDRESSES, ...args]);
    expect(error).toMatch(words);
    expect(error).toMatch(/ For the options: npm run deploy -- --help\. Nothing was changed\.$/);
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
