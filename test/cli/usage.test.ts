import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/all-commands";
import { adminHint } from "../../src/cli/hints";
import { runMain } from "./terminal";

/** Runs a command line that must fail before the platform is opened. */
const typed = (...argv: string[]) => runMain(argv, () => Promise.reject(new Error("a platform was opened")));

it.each([
  [["frob", "all"], /^error: unknown command 'frob'\n.*\nUsage: npm run admin --/s],
  [["workspaces", "list"], /^error: unknown command 'workspaces'\n\(Did you mean workspace\?\)/],
  [["workspace"], /^Usage: npm run admin -- workspace .*\n {2}suspend /s],
  [["constructor"], /^error: unknown command 'constructor'/],
  [["--json"], /^error: unknown option '--json'/],
  [["workspace", "list", "--name", "A"], /unknown option '--name'.*Usage: npm run admin -- workspace list /s],
  [["workspace", "list", "--json", "A"], /too many arguments/],
  [["workspace", "suspend", "--slug"], /'--slug <value>' argument missing/],
  [
    ["workspace create --name --json --slug abc"],
    /'--name <value>' argument '--json' is invalid. A value is missing/,
  ],
  [["backup --out --remote"], /'--out <value>' argument '--remote' is invalid.*Usage: .* backup /s],
  [["workspace suspend --slug --remote"], /'--slug <value>' argument '--remote' is invalid/],
  [["workspace suspend --slug -h"], /'--slug <value>' argument '-h' is invalid/],
  [["workspace list --persist-to --remote"], /'--persist-to <folder>' argument '--remote' is invalid/],
  [["workspace", "list", "--json=yes"], /unknown option '--json=yes'/],
  [["key", "create", "--name", "A"], /'--workspace <value>' not specified.*Usage: .* key create /s],
])("an invalid command line gets an error with the correct usage: %j", async (argv, message) => {
  const { code, out, err } = await typed(...argv);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(message);
});

describe("the usage", () => {
  it.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j shows every command", async (argv) => {
    const { code, out, err } = await typed(...argv);
    expect([code, err]).toEqual([0, ""]);
    for (const name of Object.keys(COMMANDS)) {
      const [noun = "", verb = ""] = name.split(" ");
      expect(out).toMatch(new RegExp(`^  ${noun} .*\\b${verb}\\b`, "m"));
    }
  });
});

describe("COMMAND --help", () => {
  it.each(Object.keys(COMMANDS))("%s: shows the options of this command, and opens nothing", async (name) => {
    const words = name.split(" ");
    for (const argv of [
      [...words, "--help"],
      ["help", ...words],
    ]) {
      const { code, out, err } = await typed(...argv);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain(`Usage: npm run admin -- ${name} [options]`);
      for (const option of [...Object.keys(COMMANDS[name]?.shape ?? {}), "json", "remote", "persist-to"])
        expect(out).toContain(`  --${option.replaceAll("_", "-")}`);
    }
  });

  it("names the values that an option takes", async () => {
    const helpOf = async (...words: string[]) =>
      (await typed(...words, "--help")).out.replaceAll(/\s+/g, " ");
    const out = await helpOf("group", "create");
    expect(out).toMatch(/--type <value> required; campaign, always_on, project, event, content, other --/);
    expect(out).toMatch(/--status <value> draft, scheduled, active, completed, archived --/);
    expect(await helpOf("member", "add")).toContain("required; owner, editor, viewer --");
  });
});

describe("a command that npm run dev prints", () => {
  it.each([
    ["the default state", join(".wrangler", "state"), ""],
    ["another state", "/tmp/two", " --persist-to /tmp/two"],
    ["a directory with a space and a quote", "/tmp/Ada's state", ` --persist-to '/tmp/Ada'\\''s state'`],
  ])("%s", (_, persistTo, option) => {
    expect(adminHint("cron run", persistTo, "linux")).toBe(`npm run admin -- cron run${option}`);
  });

  it("is one that PowerShell and cmd.exe understand on Windows", () => {
    const hint = adminHint("cron run", "C:\\Ada's state", "win32");
    expect(hint).toBe(`npm.cmd run admin -- cron run --persist-to "C:\\Ada's state"`);
  });
});
