import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/all-commands";
import { adminHint } from "../../src/cli/hints";
import { runMain } from "./terminal";

/** Runs a command line that must fail before the platform is opened. */
const typed = (...argv: string[]) => runMain(argv, () => Promise.reject(new Error("a platform was opened")));

it.each([
  [
    "an unknown command",
    ["frob", "all"],
    /^There is no command "frob all"\.\n\nUsage:\n {2}npm run admin -- workspace create/,
  ],
  ["half a command", ["workspace"], /^There is no command "workspace"\./],
  ["a name that every object has", ["constructor"], /^There is no command "constructor"\./],
  ["only options", ["--json"], /^No command is given\.\n\nUsage:/],
  [
    "another command's option",
    ["workspace", "list", "--name", "A"],
    /--name.*\nUsage: npm run admin -- workspace list\n$/,
  ],
  ["a value without its option", ["workspace", "list", "--json", "A"], /Unexpected argument 'A'/],
  ["an option without its value", ["workspace", "suspend", "--slug"], /--slug.*argument missing/],
  ["a flag with a value", ["workspace", "list", "--json=yes"], /--json.*does not take an argument/],
  [
    "a missing option",
    ["key", "create", "--name", "A"],
    /^Missing: --workspace\nUsage: npm run admin -- key create --workspace … --name … \[--access …\]/,
  ],
  ["all options missing", ["group", "create"], /^Missing: --workspace, --name, --slug, --type\nUsage: /],
])("an invalid command line gets an error with the correct usage: %s", async (_, argv, message) => {
  const { code, out, err } = await typed(...argv);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(message);
});

describe("the usage", () => {
  it.each([[[]], [["help"]], [["--help"]]])("%j shows every command and its options", async (argv) => {
    const { code, out, err } = await typed(...argv);
    expect([code, err]).toEqual([0, ""]);
    for (const [name, { shape }] of Object.entries(COMMANDS)) {
      const line = out.split("\n").find((text) => text.startsWith(`  npm run admin -- ${name}`)) ?? "";
      for (const option of Object.keys(shape)) expect(line).toContain(`--${option.replaceAll("_", "-")}`);
    }
  });

  it("the usage says what the options of every command do", async () => {
    const { out } = await typed("--help");
    expect(out).toMatch(/^ {2}\[--json\] +prints one JSON object$/m);
    expect(out).toMatch(/^ {2}\[--remote\] +uses the deployed database instead of the local one$/m);
    expect(out).toMatch(
      /^ {2}\[--persist-to DIR\] +uses the local database of `npm run dev -- --persist-to DIR`$/m,
    );
  });
});

describe("COMMAND --help", () => {
  it.each(Object.keys(COMMANDS))("%s: shows the usage of this command, and opens nothing", async (name) => {
    const words = name.split(" ");
    for (const argv of [
      [...words, "--help"],
      [...words, "-h"],
      [...words, "--json", "--help"],
      ["help", ...words],
    ]) {
      const { code, out, err } = await typed(...argv);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain(`  npm run admin -- ${name}`);
      expect(out).toContain(`      ${COMMANDS[name]?.description}\n`);
      expect(out.split("npm run admin -- ").length - 1).toBe(1);
    }
  });

  it("names the values that an option takes", async () => {
    const { out } = await typed("group", "create", "--help");
    expect(out).toContain("      --type: campaign, always_on, project, event, content, other\n");
    expect(out).toContain("      --status: draft, scheduled, active, completed, archived\n");
    expect((await typed("member", "add", "--help")).out).toContain("      --role: owner, editor, viewer\n");
    expect((await typed("key", "create", "--help")).out).toContain("      --access: full, read\n");
    expect((await typed("asset", "update", "--help")).out).toMatch(/--status: .*live/);
  });

  it("shows the commands of a noun, and refuses a command that there is not", async () => {
    const { code, out } = await typed("workspace", "--help");
    expect([code, out.split("npm run admin -- workspace ").length - 1]).toEqual([0, 5]);
    expect(out).not.toContain("npm run admin -- key");
    const refused = await typed("frob", "--help");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toMatch(/^There is no command "frob"\.\n\nUsage:/);
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
