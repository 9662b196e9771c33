import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDevOptions } from "../../src/cli/dev-options";
import { firstLinkCommand } from "../../src/cli/greeting";
import { openPlatform } from "../../src/cli/platform";
import { choosePort } from "../../src/cli/port";
import { localOfFile } from "./local";
import { ROOT } from "./terminal";

/** What bash has and cmd.exe has not: variables for one command, a process beside, substitution, single quotes. */
const OF_BASH = /(?:^|&& )\w+=|[$;'`]|(?:^|[^&])&(?!&)/;

it("no script of package.json needs bash", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const bash of ["LONG=1 vitest", "a && B=1 c", "a & b", "wait $!", "a; b"])
    expect(bash).toMatch(OF_BASH);
  for (const [name, line] of Object.entries(scripts)) expect(line, name).not.toMatch(OF_BASH);
});

const inUse =
  (...ports: number[]) =>
  async (port: number) =>
    ports.includes(port);
const always = async () => true;

describe("the port of npm run dev", () => {
  it.each([
    ["8787 by default", undefined, inUse(), 8787],
    ["the next free one without --port", undefined, inUse(8787, 8788), 8789],
    ["the given one", 9000, inUse(8787), 9000],
  ])("is %s", async (_, given, isInUse, port) => {
    expect(await choosePort(given, isInUse)).toBe(port);
  });

  it.each([
    ["the given one is in use", 8787, "Port 8787"],
    ["all are in use", undefined, "Every port from 8787 to 8806"],
  ])("is refused with a sentence where %s", async (_, given, what) => {
    const sentence = `${what} is in use. Choose another: npm run dev -- --port 9000`;
    await expect(choosePort(given, always)).rejects.toThrow(sentence);
  });
});

const base = "http://localhost:8787";
const bodyOf = (line: string) => JSON.parse(/'(\{"[^']*)'/.exec(line)?.[1] ?? "");
const body = { destination_url: "https://www.example.com/", activity_group_id: "summer-2026" };

it("the line that creates a first link is for curl, and on Windows for PowerShell, with the same address, key and body", () => {
  const curl = firstLinkCommand(base, "lnk_x", "linux");
  const powerShell = firstLinkCommand(base, "lnk_x", "win32");
  expect([curl, powerShell].map(bodyOf)).toEqual([body, body]);
  for (const line of [curl, powerShell]) {
    expect(line).toContain(`${base}/api/v1/links `);
    expect(line).toContain("Bearer lnk_x'");
  }
  expect(curl).toMatch(/^curl -s /);
  expect(powerShell).toMatch(/^\(Invoke-RestMethod \S+ -Method Post -Headers @\{.*\} -ContentType/);
});

describe("the crons of npm run dev", () => {
  const local = localOfFile();
  const configWith = async (argv: readonly string[]) => {
    const { platform } = await parseDevOptions([...argv, "--persist-to", local.state]);
    const open = async () => ({ env: local.env, dispose: async () => undefined });
    return (await openPlatform(platform, open)).ctx.config;
  };

  it.each([
    [["--var", "CLOUDFLARE_PLAN:paid"]],
    [["--var=CLOUDFLARE_PLAN:paid", "--log-level", "warn"]],
    [["--var", "ABUSE_CONTACT:mailto:a@b.example", "CLOUDFLARE_PLAN:paid"]],
    [["--var", "CLOUDFLARE_PLAN:paid", "--var", "ABUSE_CONTACT:mailto:a@b.example"]],
  ])("have the variables of %j", async (argv) => {
    expect(await configWith(argv)).toMatchObject({ isPaidPlan: true, visitsToldEveryMs: 5 * 60_000 });
  });

  it("have the variables of wrangler.toml without --var, and whole values with it", async () => {
    expect(await configWith([])).toMatchObject({ isPaidPlan: false, abuseContact: null });
    const { abuseContact } = await configWith(["--var", "ABUSE_CONTACT:mailto:a@b.example"]);
    expect(abuseContact).toBe("mailto:a@b.example");
  });
});
