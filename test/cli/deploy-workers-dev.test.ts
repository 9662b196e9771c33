import { expect, it } from "vitest";
import { type Account, ADDRESSES, BOTH, CONFIG, type Config, deployTo, deployWell } from "./account";

const OWN = "https://waymark.acme.workers.dev";
const HOST = "waymark.acme.workers.dev";

/** An account with a subdomain of workers.dev and without a zone. */
const account = (more: Account = {}): Account => ({ ...BOTH, cloudflare: { subdomain: "acme" }, ...more });

const addressesOf = (kept: Config[]) => {
  const { vars, routes, workers_dev } = kept.at(-1) ?? {};
  const { BASE_URL, SHORT_BASE_URL, FORMER_HOSTS } = vars ?? {};
  return { BASE_URL, SHORT_BASE_URL, FORMER_HOSTS, routes, workers_dev };
};

const ON_WORKERS_DEV = {
  BASE_URL: OWN,
  SHORT_BASE_URL: OWN,
  FORMER_HOSTS: "",
  routes: undefined,
  workers_dev: true,
};

it("--workers-dev takes the address of the account's subdomain, and says what it is for", async () => {
  const { kept, said } = await deployWell(account(), ["--workers-dev"]);
  expect(addressesOf(kept)).toEqual(ON_WORKERS_DEV);
  expect(said.at(-1)).toMatch(/^An address on workers\.dev is for trying\. To move to a domain: npm run /);
  expect((await deployTo(account())).said.join("\n")).not.toContain("for trying");
});

it("a terminal offers the address, and Enter takes it", async () => {
  const { kept, said, asked } = await deployWell(account({ answers: ["", ""] }), ["--plan", "free"]);
  expect(said).toContain(`No domain yet? Press Enter to use ${OWN}, for trying.`);
  expect(asked.at(-1)).toBe(`Address of short links (Enter: ${OWN}): `);
  expect(addressesOf(kept)).toEqual(ON_WORKERS_DEV);
});

it("the address is kept by later deployments, without the flag", async () => {
  const { kept } = await deployTo(account(), ["--workers-dev"]);
  const next = await deployWell(
    account({ kept: kept.at(-1), cloudflare: { fails: "workers/subdomain" } }),
    [],
  );
  expect(addressesOf(next.kept)).toEqual(ON_WORKERS_DEV);
});

it("a move to a host of no zone of the account is refused before any change", async () => {
  const { kept } = await deployTo(account(), ["--workers-dev"]);
  const move = (zones: string[]) =>
    deployTo(account({ kept: kept.at(-1), cloudflare: { subdomain: "acme", zones } }));
  const refused = await move(["acme.com"]);
  expect(refused.error).toMatch(/^No zone of the account has links\.example\.com, .* Nothing was changed\./);
  expect([refused.kept, refused.commands]).toEqual([[], []]);
  // Without a zone the token may not be allowed to see any.
  for (const zones of [["example.com"], []]) expect((await move(zones)).error).toBeUndefined();
});

it("a move that fails in wrangler says where the API answers, and the command that goes back", async () => {
  const first = await deployTo(account(), ["--workers-dev"]);
  const kept = first.kept.at(-1);
  const { error, kept: after } = await deployTo(account({ kept, fails: "deploy" }));
  expect(error).toMatch(
    /^wrangler deploy .* failed\n.* answer at https:\/\/links\.example\.com alone, once /,
  );
  const back = ["--base-url", OWN, "--short-base-url", OWN];
  expect(error).toContain(`Or go back: npm run deploy -- ${back.join(" ")}.`);
  const again = await deployTo(account({ kept: after.at(-1) }), back);
  expect(addressesOf(again.kept)).toEqual(ON_WORKERS_DEV);
  const unmoved = await deployTo(account({ kept, fails: "deploy" }), []);
  expect(unmoved.error).not.toContain("go back");
});

it("--workers-dev gives only the address that no other flag gives", async () => {
  const { kept } = await deployTo(account(), ["--workers-dev", "--short-base-url", "https://go.example.com"]);
  expect(addressesOf(kept)).toEqual({
    ...ON_WORKERS_DEV,
    SHORT_BASE_URL: "https://go.example.com",
    routes: [{ pattern: "go.example.com", custom_domain: true }],
  });
});

it("--workers-dev gives only the address that wrangler.toml does not give", async () => {
  const config = { ...CONFIG, vars: { ...CONFIG.vars, SHORT_BASE_URL: "https://go.example.com" } };
  const { kept } = await deployWell(account({ config }), ["--workers-dev"]);
  expect(addressesOf(kept)).toMatchObject({ BASE_URL: OWN, SHORT_BASE_URL: "https://go.example.com" });
});

// `test/redirect/moved.test.ts` follows a link before and after such a move.
it("the move to a domain keeps the address as a previous host, for all later deployments", async () => {
  const first = await deployTo(account(), ["--workers-dev"]);
  const moved = await deployTo(account({ kept: first.kept.at(-1) }), ADDRESSES);
  const expected = {
    BASE_URL: "https://links.example.com",
    SHORT_BASE_URL: "https://go.example.com",
    FORMER_HOSTS: HOST,
    routes: [
      { pattern: "links.example.com", custom_domain: true },
      { pattern: "go.example.com", custom_domain: true },
    ],
    workers_dev: true,
  };
  expect(moved.error).toBeUndefined();
  expect(addressesOf(moved.kept)).toEqual(expected);
  expect(moved.said).toContainEqual(
    expect.stringContaining(`Codes that are printed with ${OWN} go on working: workers.dev stays on`),
  );
  expect(moved.said.join("\n")).not.toContain("for trying");
  const later = await deployTo(account({ kept: moved.kept.at(-1) }), []);
  expect(addressesOf(later.kept)).toEqual(expected);
});

it.each<[string, NonNullable<Account["cloudflare"]>, RegExp]>([
  [
    "without a subdomain",
    {},
    /^There is no address on workers\.dev: the account has no subdomain there\. Choose one at https:\/\/dash\.cloudflare\.com\/acme\/workers\/onboarding, then deploy again\.$/,
  ],
  [
    "that refuses the token",
    { subdomain: "acme", fails: "workers/subdomain" },
    /^There is no address on workers\.dev: Cloudflare's API says: Authentication error\.$/,
  ],
])("an account %s is told what to do, and nothing changes", async (_, cloudflare, words) => {
  const { error, commands, kept } = await deployTo(account({ cloudflare }), ["--workers-dev"]);
  expect(error).toMatch(words);
  expect({ commands, kept }).toEqual({ commands: [], kept: [] });
  const answers = ["https://links.example.com", "", "paid"];
  const asked = await deployWell(account({ cloudflare, answers }), []);
  expect(asked.said).toContainEqual(expect.stringMatching(words));
});

it("one of several accounts has to be named, and nothing changes", async () => {
  const cloudflare = { subdomain: "acme", accounts: ["acme", "beta"] };
  const { error, commands, kept } = await deployTo(account({ cloudflare }));
  expect(error).toMatch(/there are several accounts, so set CLOUDFLARE_ACCOUNT_ID\. Nothing was changed\.$/);
  expect({ commands, kept }).toEqual({ commands: [], kept: [] });
});

it("the environment says which of several accounts it is", async () => {
  const environment = { CLOUDFLARE_ACCOUNT_ID: "acme" };
  const cloudflare = { subdomain: "acme", accounts: ["beta", "acme"] };
  const { kept } = await deployWell(account({ environment, cloudflare }), ["--workers-dev"]);
  expect(addressesOf(kept)).toEqual(ON_WORKERS_DEV);
});
