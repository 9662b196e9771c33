import { describe, expect, it, vi } from "vitest";
import { COMMANDS } from "../../src/cli/commands";
import { patient } from "../../src/cli/platform";
import { runMain } from "./terminal";

/** What is typed wrongly is refused before anything is opened. */
const typed = (...argv: string[]) => runMain(argv, () => Promise.reject(new Error("a platform was opened")));

describe("a command that is typed wrongly is told how it would be right", () => {
  it.each([
    [
      "an unknown command",
      ["frob", "all"],
      /^There is no command "frob all"\.\n\nUsage:\n {2}npm run admin -- workspace create/,
    ],
    ["half a command", ["workspace"], /^There is no command "workspace"\./],
    ["a name that every object has", ["constructor"], /^There is no command "constructor"\./],
    ["options alone", ["--json"], /^No command is given\.\n\nUsage:/],
    ["an unknown option", ["host", "list", "--frob"], /--frob.*\nUsage: npm run admin -- host list\n$/],
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
  ])("%s", async (_, argv, message) => {
    const { code, out, err } = await typed(...argv);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(message);
  });
});

describe("the usage", () => {
  it.each([[[]], [["help"]], [["--help"]]])("%j tells every command and its options", async (argv) => {
    const { code, out, err } = await typed(...argv);
    expect([code, err]).toEqual([0, ""]);
    for (const [name, { required, optional = [] }] of Object.entries(COMMANDS)) {
      const line = out.split("\n").find((text) => text.startsWith(`  npm run admin -- ${name}`)) ?? "";
      for (const option of required) expect(line).toContain(` --${option} `);
      for (const option of optional) expect(line).toContain(`[--${option} `);
    }
  });
});

describe("a database whose file another process holds", () => {
  const LOCKED = [
    "D1_ERROR: Error: NOSENTRY database is locked: SQLITE_BUSY",
    "D1_ERROR: Failed to parse body as JSON, got: Error: internal error; reference = uj449bdco80aujccqo6f0tt1",
  ];
  const database = (batch: () => Promise<unknown>) => patient({ name: "D1", batch } as unknown as D1Database);

  it("is asked again until it answers", async () => {
    const batch = vi.fn<() => Promise<unknown>>().mockResolvedValue(["done"]);
    for (const message of LOCKED) batch.mockRejectedValueOnce(new Error(message));
    expect(await database(batch).batch([])).toEqual(["done"]);
    expect(batch).toHaveBeenCalledTimes(3);
  });

  it("is not asked again after any other failure", async () => {
    const batch = vi.fn(() => Promise.reject(new Error("D1_ERROR: no such table: workspaces: SQLITE_ERROR")));
    await expect(database(batch).batch([])).rejects.toThrow("no such table");
    expect(batch).toHaveBeenCalledOnce();
  });
});
