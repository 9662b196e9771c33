import { expect, it } from "vitest";
import { type Account, BOTH, CONFIG, type Config, deployTo, deployWell } from "./account";

const account = (more: Account = {}): Account => ({ ...BOTH, ...more });

const BASE = ["--base-url", "https://links.example.com"];
const SHORT = ["--short-base-url", "https://go.example.com"];

const withVars = (vars: Record<string, string>): Config => ({ ...CONFIG, vars: { ...CONFIG.vars, ...vars } });

/** The addresses at which the config serves the Worker. */
function served(kept: Config[]) {
  const { vars, routes, workers_dev, preview_urls } = kept.at(-1) ?? {};
  return {
    addresses: [vars?.["BASE_URL"], vars?.["SHORT_BASE_URL"]],
    domains: (routes ?? []).map((route: { pattern: string }) => route.pattern),
    workers_dev,
    preview_urls,
  };
}

const EXPECTED = {
  addresses: ["https://links.example.com", "https://go.example.com"],
  domains: ["links.example.com", "go.example.com"],
  workers_dev: false,
  preview_urls: false,
};

it("addresses must be given without a terminal, and the error names the flags before wrangler runs", async () => {
  for (const args of [[], BASE, SHORT]) {
    const { error, commands, kept } = await deployTo(account(), args);
    expect(error).toContain("--base-url https://links.example.com --short-base-url https://go.example.com");
    expect({ commands, kept }).toEqual({ commands: [], kept: [] });
  }
});

it("addresses are passed once, and the next deployment keeps them", async () => {
  const first = await deployWell(account(), [...BASE, ...SHORT]);
  expect(served(first.kept)).toEqual(EXPECTED);
  const next = await deployWell(account({ kept: first.kept.at(-1), inUse: EXPECTED.domains }), []);
  expect(next.kept.at(-1)).toEqual(first.kept.at(-1));
});

it("a terminal prompts for addresses until they are valid, and the short one defaults to the other", async () => {
  const answers = ["", "links.example.com", " https://Links.Example.com/ ", "", ""];
  const { asked, said, kept } = await deployWell(account({ answers }), []);
  expect(asked).toEqual([
    ...Array.from({ length: 3 }, () => "Address of the API and the web application (https://…): "),
    "Address of short links (Enter: https://links.example.com): ",
    expect.stringMatching(/^Which plan of Workers has the account\?/),
  ]);
  expect(said.filter((line) => line.startsWith('The address is "'))).toHaveLength(2);
  expect(served(kept)).toEqual({
    ...EXPECTED,
    addresses: ["https://links.example.com", "https://links.example.com"],
    domains: ["links.example.com"],
  });
  const half = await deployTo(account({ answers: ["https://go.example.com"] }), [
    ...BASE,
    ...["--plan", "paid"],
  ]);
  expect(served(half.kept)).toEqual(EXPECTED);
  expect(half.asked).toHaveLength(1);
});

it("addresses in wrangler.toml have priority, and a different flag is refused", async () => {
  const config = withVars({
    BASE_URL: "https://links.example.com/",
    SHORT_BASE_URL: "https://go.example.com",
  });
  const kept = { ...CONFIG, vars: { BASE_URL: "https://a.example.com", SHORT_BASE_URL: "" } };
  expect(served((await deployTo(account({ config, kept }), [])).kept)).toEqual(EXPECTED);
  await deployWell(account({ config }), BASE);
  const { error, commands } = await deployTo(account({ config }), ["--base-url", "https://a.example.com"]);
  expect(error).toBe(
    '--base-url is https://a.example.com, but wrangler.toml says BASE_URL = "https://links.example.com", which counts: change it there, or empty it.',
  );
  expect(commands).toEqual([]);
});

it.each([
  "http://links.example.com",
  "https://links.example.com:8443",
  "https://links.example.com/app",
  "https://user@links.example.com",
  "https://localhost",
  "https://192.0.2.1",
  "https://",
])("addresses are https:// and a host, so %s is refused", async (address) => {
  const places: [Account, string[], string][] = [
    [{}, ["--base-url", address, ...SHORT], "--base-url"],
    [{}, [...BASE, `--short-base-url=${address}`], "--short-base-url"],
    [{ config: withVars({ BASE_URL: address }) }, SHORT, "BASE_URL in wrangler.toml"],
    [{ kept: withVars({ BASE_URL: address }) }, SHORT, "BASE_URL in .wrangler.deploy.json"],
  ];
  for (const [more, args, where] of places) {
    const { error, commands } = await deployTo(account(more), args);
    expect(error).toContain(`${where} is "${address}": it has to be https:// and a host name`);
    expect(commands).toEqual([]);
  }
});

it("an address on workers.dev enables workers.dev, and must be this Worker's own", async () => {
  const own = "https://waymark.acme.workers.dev";
  const { kept } = await deployTo(account(), ["--base-url", own, ...SHORT]);
  expect(served(kept)).toMatchObject({
    domains: ["go.example.com"],
    workers_dev: true,
    preview_urls: false,
  });
  const both = await deployTo(account(), ["--base-url", own, "--short-base-url", own]);
  expect(both.kept.at(-1)).not.toHaveProperty("routes");
  for (const other of [
    "https://other.acme.workers.dev",
    "https://acme.workers.dev",
    "https://a.waymark.acme.workers.dev",
  ]) {
    const { error } = await deployTo(account(), ["--base-url", other, ...SHORT]);
    expect(error).toMatch(/on workers\.dev this Worker has the address https:\/\/waymark\.</);
  }
});

it("a change of addresses prints a warning, and the previous host still serves printed codes", async () => {
  const first = await deployTo(account(), [...BASE, ...SHORT]);
  expect(first.said.join("\n")).not.toContain("Codes");
  const kept = first.kept.at(-1);
  const next = await deployTo(account({ kept }), ["--short-base-url", "https://s.example.com"]);
  expect(next.said).toEqual(
    expect.arrayContaining([
      "Short links move from https://go.example.com to https://s.example.com.",
      expect.stringMatching(
        /^Codes that are printed with https:\/\/go\.example\.com go on working as long as/,
      ),
    ]),
  );
  expect(served(next.kept).domains).toEqual(["links.example.com", "s.example.com", "go.example.com"]);
  expect(next.kept.at(-1)?.vars).toMatchObject({ FORMER_HOSTS: "go.example.com" });
  const moved = await deployTo(account({ kept }), ["--base-url", "https://l.example.com"]);
  expect(moved.said).toContainEqual(
    expect.stringMatching(/^The API and the web application move from .* Cloudflare Access has to cover/),
  );
});

it("new domains are saved after the deployment, so a mistyped one does not stay", async () => {
  for (const fails of ["d1 migrations", "deploy"]) {
    const typo = await deployTo(account({ fails }), [...BASE, "--short-base-url", "https://og.example.com"]);
    expect(typo.error).toMatch(/^wrangler .* failed$/);
    const next = await deployTo(account({ kept: typo.kept.at(-1) }), SHORT);
    expect(served(next.kept)).toEqual(EXPECTED);
  }
});

it("addresses of one Worker never pass to another", async () => {
  const kept = (await deployTo(account(), [...BASE, ...SHORT])).kept.at(-1);
  const config = { ...CONFIG, name: "staging" };
  const nameless = await deployTo(account({ kept, config }), ["--adopt"]);
  expect(nameless.error).toContain("The Worker needs its two addresses");
  const own = "https://staging.acme.workers.dev";
  const { kept: last } = await deployTo(account({ kept, config }), [
    ...["--adopt", "--base-url", own],
    ...["--short-base-url", own],
  ]);
  expect(served(last)).toMatchObject({ domains: [], workers_dev: true });
});

it("a host with DNS records is refused unless --replace-dns names it", async () => {
  const inUse = ["go.example.com"];
  const { error, commands, kept } = await deployTo(account({ inUse }), [...BASE, ...SHORT]);
  expect(error).toMatch(
    /^go\.example\.com has DNS records already\..*npm run deploy -- --replace-dns go\.example\.com\.$/,
  );
  expect({ commands, kept }).toEqual({ commands: [], kept: [] });
  const told = await deployTo(account({ inUse }), [
    ...[...BASE, ...SHORT, "--replace-dns"],
    "Go.Example.com",
  ]);
  expect(served(told.kept)).toEqual(EXPECTED);
});

it("wrangler.toml disables workers.dev and previews, and a deployment refuses routes in it", async () => {
  expect(CONFIG).toMatchObject({ workers_dev: false, preview_urls: false });
  expect(Object.keys(CONFIG)).not.toContain("routes");
  for (const more of [{ routes: ["a.example.com/*"] }, { route: "a.example.com/*" }]) {
    const { error, commands } = await deployTo(account({ config: { ...CONFIG, ...more } }));
    expect(error).toMatch(
      /^Take the routes out of wrangler\.toml: they rewrite the addresses of local requests\./,
    );
    expect(commands).toEqual([]);
  }
});
