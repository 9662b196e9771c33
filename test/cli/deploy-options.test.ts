import { describe, expect, it } from "vitest";
import { ADDRESSES, deployTo } from "./account";

/** An account that already has both resources. */
const account = () => ({ databases: ["waymark"], namespaces: ["waymark-kv"] });

const NOTHING = { commands: [], kept: [] };

describe("a command line that changes nothing", () => {
  it.each([
    [["--dry-run=true"], "deploy --dry-run"],
    [["--dryRun"], "deploy --dry-run"],
    [["--dry-run", "true"], "deploy --dry-run"],
    [["--dryRun=true", "--no-minify"], "deploy --dry-run --no-minify"],
    [["--dry-run", "--minify", "false", "--outdir=out"], "deploy --dry-run --no-minify --outdir out"],
    [["--dry-run", "--message=--dry-run=false"], "deploy --dry-run --message=--dry-run=false"],
    [["--help"], "deploy --help"],
    [["-hv"], "deploy -h -v"],
    [["-v"], "deploy -v"],
    [["--version"], "deploy --version"],
  ])("%j runs `wrangler %s` without an account", async (args, command) => {
    expect(await deployTo(account(), args)).toMatchObject({
      error: undefined,
      commands: [command],
      kept: [],
    });
  });
});

describe("a command line that deploys", () => {
  it.each([
    [["--dry-run=false"], "--no-dry-run"],
    [["--no-dry-run"], "--no-dry-run"],
    [["--dry-run", "false", "--strict"], "--no-dry-run --strict"],
    [["--tag", "v1", "--message=Spring"], "--tag v1 --message Spring"],
    [["--keepVars", "--uploadSourceMaps=false"], "--keep-vars --no-upload-source-maps"],
  ])("%j adds %s, once, to the deployment", async (args, passed) => {
    const { error, commands } = await deployTo(account(), [...ADDRESSES, ...args]);
    expect(error).toBeUndefined();
    expect(commands.filter((command) => command.includes(passed))).toEqual([
      `deploy --config .wrangler.deploy.json ${passed}`,
    ]);
  });
});

describe("a command line that selects another Worker or is invalid changes nothing", () => {
  it.each([
    [["--env", "staging"], /does not take --env\. The Worker is the one that wrangler\.toml names\./],
    [["--env=staging"], /does not take --env\./],
    [["-e", "staging"], /does not take -e\. The Worker is/],
    [["-estaging"], /does not take -e\./],
    [["--name", "other"], /does not take --name\. The Worker is/],
    [["--dispatch-namespace", "n"], /--dispatch-namespace\. The Worker is/],
    [["--legacy-env"], /--legacy-env\. The Worker is/],
    [["--config", "x.toml"], /--config\. The deployment is always that of wrangler\.toml in this folder/],
    [["-c", "x.toml"], /-c\. The deployment is always/],
    [["--cwd", "/tmp"], /--cwd\. The deployment is always/],
    [["--env-file", ".env.x"], /--env-file\. Set the variables in the environment/],
    [["--account-id", "x"], /--account-id\. Set CLOUDFLARE_ACCOUNT_ID/],
    [["--var", "BASE_URL:https://x"], /--var\. Set it under \[vars\]/],
    [["--secrets-file", "x"], /--secrets-file\. Run npx wrangler secret put/],
    [["--route", "a.example/*"], /--route\. The routes follow from the addresses/],
    [["--routes=a.example/*"], /--routes\. The routes follow/],
    [["--domain", "a.example"], /--domain\. The routes follow/],
    [["--domains", "a.example"], /--domains\. The routes follow/],
    [["--triggers", "* * * * *"], /--triggers\. Set it in wrangler\.toml/],
    [["--schedule", "* * * * *"], /--schedule\. Set it in wrangler\.toml/],
    [["--compatibility-date", "2020-01-01"], /--compatibility-date\. Set it in wrangler\.toml/],
    [["--compatibilityFlags", "nodejs_compat"], /--compatibilityFlags\. Set it in wrangler\.toml/],
    [["--latest"], /--latest\. Set it in wrangler\.toml/],
    [["--assets", "public"], /--assets\. Set it in wrangler\.toml/],
    [["--no-bundle"], /--no-bundle\. The Worker needs to be bundled/],
    [["--frob"], /does not take --frob\. It takes --base-url, .*--dry-run/],
    [["--constructor"], /does not take --constructor\. It takes --base-url/],
    [["--DRY-RUN"], /does not take --DRY-RUN\./],
    [["-n"], /does not take -n\./],
    [["src/other.ts"], /takes options alone, not "src\/other\.ts": wrangler\.toml names the script\./],
    [["true", "--dry-run"], /takes options alone, not "true"/],
    [["--message", "one", "two"], /takes options alone, not "two"/],
    [["--", "--dry-run"], /Leave the second "--" out\./],
    [["--dry-run=yes"], /--dry-run takes no value, or true or false, not "yes"\./],
    [["--dry-run=TRUE"], /not "TRUE"\./],
    [["--dry-run="], /not ""\./],
    [["--no-dry-run=true"], /--no-dry-run takes no value, not "true"\./],
    [["--no-dry-run", "true"], /--no-dry-run takes no value, not "true"\./],
    [["--dry-run", "--dry-run=false"], /--dry-run is given twice\./],
    [["--dry-run", "--no-dry-run"], /--dry-run is given twice\./],
    [
      ["--message", "--dry-run"],
      /--message is followed by "--dry-run": if that is its value, write --message=--dry-run\./,
    ],
    [["--message"], /--message needs a value\./],
    [["--outdir="], /--outdir needs a value\./],
  ])("%j", async (args, words) => {
    const { error, ...effects } = await deployTo(account(), [...ADDRESSES, ...args]);
    expect(error).toMatch(words);
    expect(error).toMatch(/ Nothing was changed\.$/);
    expect(effects).toMatchObject(NOTHING);
  });

  it.each([
    [{ CLOUDFLARE_ENV: "staging" }, /^CLOUDFLARE_ENV is "staging", .* Unset it, also in \.env\.$/],
    [
      { WRANGLER_CI_OVERRIDE_NAME: "other" },
      /^WRANGLER_CI_OVERRIDE_NAME is "other", but .* Make the two the same\.$/,
    ],
    [{ npm_config_dry_run: "true" }, /^npm has taken --dry-run for itself\. .* npm run deploy -- --dry-run$/],
    [{ npm_config_env: "staging" }, /^npm has taken --env for itself\./],
  ])("with the variable %j, even a dry run", async (environment, words) => {
    for (const args of [ADDRESSES, ["--dry-run"]]) {
      const { error, ...effects } = await deployTo({ ...account(), environment }, args);
      expect(error).toMatch(words);
      expect(error).toContain("Nothing was changed.");
      expect(effects).toMatchObject(NOTHING);
    }
  });

  it("variables that are empty or name this Worker are accepted", async () => {
    const environment = { CLOUDFLARE_ENV: "", WRANGLER_CI_OVERRIDE_NAME: "waymark", npm_config_dry_run: "" };
    expect((await deployTo({ ...account(), environment })).error).toBeUndefined();
  });
});
