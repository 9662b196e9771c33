import { afterAll, describe, expect, it } from "vitest";
import { COMMANDS, optionsOf } from "../../../src/client/command/program";
import { cleanUp, shell, words } from "./setup";

afterAll(cleanUp);

const NAMES = COMMANDS.map(({ name }) => name);

describe("help", () => {
  it("without a command, all commands and the exit codes are shown", async () => {
    const { code, out, err } = await shell().run();
    expect([code, err]).toEqual([3, ""]);
    for (const [name = "", verb] of NAMES.map((one) => one.split(" "))) {
      expect(out).toMatch(new RegExp(`^  ${name} .*${verb === undefined ? "" : `\\b${verb}\\b`}`, "m"));
    }
    expect(out).toContain("  6  The plan is stale or exceeds a guard.");
    expect(await shell().run("--help")).toEqual({ code: 0, out, err: "" });
    expect(await shell().run("help")).toEqual({ code: 0, out, err: "" });
  });

  it.each(COMMANDS)("waymark $name --help needs no settings, and has examples", async (command) => {
    const { name } = command;
    const { run, service, runUnder } = shell();
    const words = name.split(" ");
    const env = { WAYMARK_URL: "", WAYMARK_KEY: "" };
    const { code, out, err } = await runUnder({ env }, ...words, "--help");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`Usage: waymark ${name}[ \\n]`));
    expect(out).toMatch(/Examples:\n {2}\S*.*waymark /);
    expect(await run("help", ...words)).toEqual({ code, out, err });
    for (const option of Object.keys(optionsOf(command))) expect(out).toContain(`--${option}`);
    expect(service.calls).toEqual([]);
  });

  it("a group shows its commands", async () => {
    const { code, out } = await shell().run("tags", "--help");
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}create .*<NAME> +Create a tag/m);
    expect(out).not.toContain("archive");
    expect(await shell().run("tags")).toMatchObject({ code: 3, out: "" });
  });

  it("every command that writes has --dry-run", () => {
    const writing = COMMANDS.filter((command) => "dry-run" in optionsOf(command)).map(({ name }) => name);
    expect(writing).toEqual([
      ...["create", "update", "archive", "restore", "delete"].map((verb) => `links ${verb}`),
      ...["create", "update", "delete"].map((verb) => `tags ${verb}`),
      "move",
      "apply",
      "adopt",
    ]);
  });

  it("the version is that of the package", async () => {
    expect((await shell().run("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("mistakes", () => {
  it.each([
    [["lnks"], "(Did you mean links?)"],
    [["frobnicate"], "unknown command 'frobnicate'"],
    [["apply", "--max-removal", "3"], "(Did you mean --max-removals?)"],
    [["links", "list", "--colour", "red"], "unknown option '--colour'"],
    [["links", "list", "--status", "archivd"], "Allowed choices are active, archived, all."],
    [["links", "get"], "missing required argument 'LINK'"],
    [["links", "get", ""], "LINK is empty."],
    [["whoami", "now"], "Expected 0 arguments but got 1."],
    [["links", "list", "--limit", "-1"], "'--limit <N>' argument '-1' is invalid."],
    [["links", "list", "--tag", ""], "--tag is empty."],
    [["links", "create"], "--destination is missing."],
    [["links", "update", "summer"], "There is nothing to change."],
    [["move", "--from", "a"], "--from and --to are both needed."],
    [["qr", "summer"], "-o FILE is missing."],
    [["plan", "--json", "--markdown"], "Give either --json or --markdown."],
    [["apply", "-f", "a.yaml", "--plan", "b"], "Give either -f FILE or --plan PLAN."],
    [["plan", "-f", "/nowhere/links.yaml"], "There is no file /nowhere/links.yaml."],
  ])("waymark %j: %s", async (argv, message) => {
    const { run, service } = shell();
    const { code, out, err } = await run(...argv);
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain(message);
    expect(service.calls).toEqual([]);
  });

  it("the help of the command is named", async () => {
    expect((await shell().run("links", "get")).err).toContain("See: waymark links get --help\n");
    expect((await shell().run("lnks")).err).toContain("See: waymark --help\n");
  });

  it.each(["--key", "--api-key", "--apikey"])(
    "%s is no flag, and its value is not repeated",
    async (flag) => {
      for (const words of [[flag, "lnk_secret"], [`${flag}=lnk_secret`]]) {
        const { code, out, err } = await shell().run("links", "list", ...words);
        expect([code, out]).toEqual([3, ""]);
        expect(err).toContain("Set WAYMARK_KEY");
        expect(err).not.toContain("secret");
      }
    },
  );

  it.each([
    ["whoami", "lnk_secret"],
    ["links", "get", "summer", "lnk_secret"],
    ["lnk_secret"],
    ["links", "lnk_secret"],
  ])("an argument that looks like a key is not repeated: %s %s", async (...argv) => {
    const { code, out, err } = await shell().run(...argv);
    expect([code, out]).toEqual([3, ""]);
    expect(err).not.toContain("secret");
  });

  it("a key that is given as the name of a link or file is not repeated", async () => {
    const { run, service } = shell();
    for (const line of ["links get", "links archive", "plan -f", "apply --plan"]) {
      for (const json of [[], ["--json"]]) {
        const { code, out, err } = await run(...words(line), service.key, ...json);
        expect(code).not.toBe(0);
        expect(out + err).not.toContain(service.key);
      }
    }
  });

  it("the value of an unknown option is not repeated", async () => {
    expect((await shell().run("links", "list", "--token=lnk_secret")).err).not.toContain("secret");
  });
});

describe("a file that is not in UTF-8", () => {
  const TEXT =
    'version: 1\nname: site\nlinks: { a: { destination: https://www.example.com, title: "Größe" } }\n';
  const [LATIN_1, UTF_16] = [Buffer.from(TEXT, "latin1"), Buffer.from(TEXT, "utf16le")];
  it.each([
    ["in Latin-1", LATIN_1, "is not in UTF-8. Save it as UTF-8."],
    ["in UTF-16", Buffer.from(`\ufeff${TEXT}`, "utf16le"), "is not in UTF-8 but, it seems, in UTF-16. Save"],
    [
      "in UTF-16, the larger byte first",
      Buffer.from(UTF_16).swap16(),
      "is not in UTF-8 but, it seems, in UTF-16. Save it as UTF-8.",
    ],
    ["in UTF-16 without a mark", UTF_16, "is not in UTF-8 but, it seems, in UTF-16. Save it as UTF-8."],
  ])("%s is refused before anything is sent", async (_, bytes, message) => {
    const { run, service, write } = shell();
    const path = write("waymark.yaml", bytes);
    for (const argv of [
      ["plan", "-f"],
      ["apply", "-f"],
      ["apply", "--plan"],
    ]) {
      const { code, out, err } = await run(...argv, path);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain(`${path} ${message}`);
    }
    expect(service.calls).toEqual([]);
  });

  it("but a mark of UTF-8 at its start does no harm", async () => {
    const { json, write } = shell();
    const plan = await json("plan", "-f", write("waymark.yaml", `\ufeff${TEXT}`));
    expect(plan.actions).toMatchObject([{ key: "a", fields: [{}, { field: "title", after: "Größe" }] }]);
  });
});

describe("settings", () => {
  it.each([
    [{ WAYMARK_URL: undefined }, "WAYMARK_URL is missing."],
    [{ WAYMARK_URL: " " }, "WAYMARK_URL is missing."],
    [{ WAYMARK_URL: "http://go.example.com" }, "WAYMARK_URL: The url must begin with https://"],
    [{ WAYMARK_URL: "localhost:8787" }, "WAYMARK_URL: http:// is missing before the address."],
    [{ WAYMARK_URL: "127.0.0.1:8787/" }, "WAYMARK_URL: http:// is missing before the address."],
    [{ WAYMARK_KEY: "" }, "The API key is missing."],
    [{ WAYMARK_KEY: "lnk_ö" }, "WAYMARK_KEY: The key must be an API key"],
    [
      { WAYMARK_KEY: "", WAYMARK_KEY_FILE: "/nowhere/key" },
      "WAYMARK_KEY_FILE: There is no file /nowhere/key.",
    ],
  ])("%j is wrong usage", async (env, message) => {
    const { runUnder, service } = shell();
    const { code, out, err } = await runUnder({ env }, "whoami");
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain(message);
    expect(err).not.toContain("ö");
    expect(service.calls).toEqual([]);
  });

  it("the key may be in a file", async () => {
    const { runUnder, service, write } = shell();
    const path = write("key", `${service.key}\n`);
    const env = { WAYMARK_KEY: undefined, WAYMARK_KEY_FILE: path };
    expect((await runUnder({ env }, "whoami")).code).toBe(0);

    write("key", `${service.key}\nexport X=1\n`);
    const { code, err } = await runUnder({ env }, "whoami");
    expect(code).toBe(3);
    expect(err).toContain("must hold an API key and nothing else.");
    expect(err).not.toContain(service.key);
  });

  it("a key in place of the path is not repeated", async () => {
    const env = { WAYMARK_KEY: undefined, WAYMARK_KEY_FILE: "lnk_secret" };
    const { code, err } = await shell().runUnder({ env }, "whoami");
    expect(code).toBe(3);
    expect(err).toContain("WAYMARK_KEY_FILE: There is no file lnk_….");
    expect(err).not.toContain("secret");
  });
});
