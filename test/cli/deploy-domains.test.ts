import { describe, expect, it } from "vitest";
import { type Account, ADDRESSES, BOTH, deployTo } from "./account";

const OWN = ["links.example.com", "go.example.com"];

/** Deploys to an account with these proved domains. Returns the custom domains and what was said of domains. */
async function deployWith(account: Account, args: readonly string[] = []) {
  const { error, said, kept, commands } = await deployTo({ ...BOTH, ...account }, [...ADDRESSES, ...args]);
  const routes = (kept.at(-1)?.routes ?? []) as { pattern: string }[];
  const isDeployed = commands.some((command) => command.startsWith("deploy "));
  return {
    error,
    isDeployed,
    kept: kept.at(-1),
    hosts: routes.map(({ pattern }) => pattern),
    said: said.filter((line) => line.startsWith("The domain ")),
  };
}

const ACME = { domains: [{ host: "go.acme.com" }] };
const MINE = { zones: ["acme.com", "example.com"] };

describe("a deployment and the domains of workspaces", () => {
  it("routes a verified host of a zone of the account, and says how it becomes active", async () => {
    const { error, hosts, said } = await deployWith({ ...ACME, cloudflare: MINE });
    expect({ error, hosts }).toEqual({ error: undefined, hosts: [...OWN, "go.acme.com"] });
    expect(said).toEqual([expect.stringMatching(/^The domain go\.acme\.com leads to the Worker now\./)]);
  });

  it.each<[string, NonNullable<Account["cloudflare"]>, RegExp]>([
    ["whose zone is in no account", {}, /no zone of this account has it\. .*Cloudflare for SaaS/],
    [
      "that is another Worker's",
      { ...MINE, workers: { "go.acme.com": "shop" } },
      /the Worker "shop" has it\./,
    ],
    [
      "with DNS records",
      { ...MINE, records: ["go.acme.com"] },
      /DNS records.* --replace-dns go\.acme\.com\.$/,
    ],
    ["of which the API tells nothing", { ...MINE, fails: "changeset" }, /API says: Authentication error\.$/],
  ])("leaves a host %s, with the reason, and deploys", async (_, cloudflare, reason) => {
    const { next } = await deployTo(BOTH);
    const { error, isDeployed, hosts, said } = await deployWith({
      ...next,
      ...ACME,
      cloudflare: { ...cloudflare, workers: { ...next.cloudflare?.workers, ...cloudflare.workers } },
    });
    expect({ error, isDeployed, hosts }).toEqual({ error: undefined, isDeployed: true, hosts: OWN });
    expect(said).toEqual([expect.stringMatching(reason)]);
    expect(said[0]).toMatch(/^The domain go\.acme\.com does not lead to the Worker: /);
  });

  it("replaces the DNS records of hosts that --replace-dns names alone", async () => {
    const domains = [{ host: "go.acme.com" }, { host: "l.acme.com" }];
    const cloudflare = { ...MINE, records: ["go.acme.com", "l.acme.com"] };
    const { hosts } = await deployWith({ domains, cloudflare }, ["--replace-dns", "L.acme.com"]);
    expect(hosts).toEqual([...OWN, "l.acme.com"]);
  });

  it("keeps every custom domain that the Worker has, also with DNS records of its own", async () => {
    const workers = {
      "go.acme.com": "waymark",
      "from-the-dashboard.example": "waymark",
      "x.example": "shop",
    };
    const { hosts, said } = await deployWith({ ...ACME, cloudflare: { workers, records: ["go.acme.com"] } });
    expect(hosts).toEqual([...OWN, "go.acme.com", "from-the-dashboard.example"]);
    expect(said).toEqual([]);
  });

  it("gives up a host that another Worker has taken since, and one that its workspace has removed", async () => {
    const first = await deployWith({
      domains: [{ host: "go.acme.com" }, { host: "l.acme.com" }],
      cloudflare: MINE,
    });
    expect(first.hosts).toEqual([...OWN, "go.acme.com", "l.acme.com"]);
    const { hosts } = await deployWith({
      ...(first.kept && { kept: first.kept }),
      domains: [{ host: "go.acme.com" }, { host: "l.acme.com", removed_at: 1 }],
      cloudflare: { ...MINE, workers: { "go.acme.com": "shop" } },
    });
    expect(hosts).toEqual(OWN);
  });

  it("says nothing of an active host that leads here in another way, unless it has stopped", async () => {
    const domains = [
      { host: "a.example", state: "active" as const },
      { host: "b.example", state: "active" as const, failing_since: 1 },
    ];
    const { said } = await deployWith({ domains, cloudflare: {} });
    expect(said).toEqual([expect.stringMatching(/^The domain b\.example does not lead/)]);
  });

  it("refuses an own address that is a workspace's domain, also a removed or a routed one", async () => {
    const host = "go.example.com";
    const cloudflare = { zones: ["acme.com", "example.com"] };
    const first = (await deployWith({ ...ACME, cloudflare })).kept;
    const accounts: Account[] = [
      { domains: [{ host }] },
      { domains: [{ host, removed_at: 1 }] },
      { domains: [{ host }], ...(first && { kept: { ...first, vars: {} } }) },
    ];
    for (const account of accounts) {
      const { error, isDeployed, kept } = await deployWith({ ...account, cloudflare });
      expect(error).toMatch(
        /^go\.example\.com is a domain of a workspace, .* release --host go\.example\.com/,
      );
      expect(isDeployed).toBe(false);
      expect([kept?.vars?.["BASE_URL"] ?? "", kept?.vars?.["SHORT_BASE_URL"] ?? ""]).toEqual(["", ""]);
    }
  });
});
