import { describe, expect, it } from "vitest";
import { hasDnsRecords } from "../../src/cli/dns";
import { type Account, ADDRESSES, BOTH, CONFIG, type Config, deployTo, deployWell } from "./account";

// What is deployed is the truth: second deployments ask the account first.

const MOVED = ["--base-url", "https://l.example.com", "--short-base-url", "https://s.example.com"];

/** An account whose addresses have moved once, and what a deployment left in its clone. */
async function movedAccount(): Promise<Account> {
  const first = await deployWell({ ...BOTH, cloudflare: { subdomain: "acme" } }, ["--workers-dev"]);
  const second = await deployWell(first.next);
  return (await deployWell(second.next, MOVED)).next;
}

const FORMER = "waymark.acme.workers.dev links.example.com go.example.com";
const HOSTS = ["l.example.com", "s.example.com", "links.example.com", "go.example.com"];

/** What serves the Worker that the account has. */
const servedIn = ({ deployed, cloudflare }: Account) => ({
  vars: [deployed?.vars?.["BASE_URL"], deployed?.vars?.["SHORT_BASE_URL"], deployed?.vars?.["FORMER_HOSTS"]],
  hosts: Object.keys(cloudflare?.workers ?? {}).toSorted(),
  isOnWorkersDev: deployed?.workers_dev,
});

const without = ({ kept: _, ...account }: Account): Account => account;

describe("a deployment from a clone without the file of the last one", () => {
  it("keeps addresses, previous hosts, ids, custom domains and workers.dev as they are deployed", async () => {
    const account = await movedAccount();
    const again = await deployWell(without(account), []);
    expect(servedIn(again.next)).toEqual(servedIn(account));
    expect(servedIn(again.next)).toMatchObject({
      vars: ["https://l.example.com", "https://s.example.com", FORMER],
      hosts: HOSTS.toSorted(),
      isOnWorkersDev: true,
    });
    expect(again.kept.at(-1)).toEqual(account.kept);
    expect(again.commands.filter((command) => / (?:list|create)\b/.test(command))).toEqual([]);
  });

  it("keeps them without a terminal and with one, and asks nothing", async () => {
    const account = await movedAccount();
    const { asked, next } = await deployWell({ ...without(account), answers: [] }, []);
    expect(asked).toEqual([]);
    expect(servedIn(next)).toEqual(servedIn(account));
  });

  it("adds the host that it leaves to the previous ones", async () => {
    const account = await movedAccount();
    const { next } = await deployWell(without(account), ["--short-base-url", "https://x.example.com"]);
    expect(servedIn(next).vars[2]).toBe(`${FORMER} s.example.com`);
    expect(servedIn(next).hosts).toEqual([...HOSTS, "x.example.com"].toSorted());
  });

  it("is refused with another database in wrangler.toml, unless --adopt is given", async () => {
    const account = without(await movedAccount());
    const config = {
      ...CONFIG,
      d1_databases: [{ ...CONFIG.d1_databases?.[0], binding: "DB", database_name: "new" }],
    };
    const refused = await deployTo({ ...account, config }, []);
    expect(refused.error).toContain(
      "has the Worker waymark with the database new, but the last deployment was",
    );
    const adopted = await deployWell({ ...account, config }, ["--adopt"]);
    expect(adopted.commands).toContain("d1 create new");
    expect(servedIn(adopted.next)).toEqual(servedIn(account));
  });
});

describe("a file that is not what is deployed", () => {
  it("is refused with the difference, before any change", async () => {
    const account = await movedAccount();
    const stale = (await deployWell(BOTH)).next.kept as Config;
    const { error, commands, kept } = await deployTo({ ...account, kept: stale }, []);
    expect(error).toBe(`.wrangler.deploy.json is not what is deployed. Nothing was changed.
- BASE_URL is "https://links.example.com" in the file, and "https://l.example.com" deployed
- SHORT_BASE_URL is "https://go.example.com" in the file, and "https://s.example.com" deployed
- FORMER_HOSTS is "" in the file, and "go.example.com links.example.com waymark.acme.workers.dev" deployed
What is deployed serves visitors, so delete the file and deploy again: it is then made of what is deployed. To change an address, give its option.`);
    expect([commands, kept]).toEqual([[], []]);
    const { next } = await deployWell(without(account), []);
    expect(servedIn(next)).toEqual(servedIn(account));
  });

  it("is refused with another id of the database or the namespace", async () => {
    const { next } = await deployWell(BOTH);
    const kept = next.kept as Config;
    const [d1] = kept.d1_databases ?? [];
    const other = {
      ...kept,
      d1_databases: [{ ...d1, binding: "DB", database_id: "other" }],
      kv_namespaces: [],
    };
    const { error } = await deployTo({ ...next, kept: other }, []);
    expect(error).toContain('- the id of the database is "other" in the file, and "id of waymark" deployed');
    expect(error).toContain('- the id of the namespace is "" in the file, and "id of waymark-kv" deployed');
  });

  it("may have the previous hosts in another order", async () => {
    const account = await movedAccount();
    const kept = account.kept as Config;
    const vars = { ...kept.vars, FORMER_HOSTS: FORMER.split(" ").toReversed().join(", ") };
    await deployWell({ ...account, kept: { ...kept, vars } }, []);
  });
});

it.each(["", "deployments", "versions/new", "workers/domains", "waymark/subdomain", "d1/database", "/query"])(
  "nothing is changed if the API does not tell what is deployed: %j",
  async (fails) => {
    const account = await movedAccount();
    const told = { ...account, cloudflare: { ...account.cloudflare, fails } };
    for (const one of [told, without(told)]) {
      const { error, commands, kept } = await deployTo(one, []);
      expect(error).toMatch(/^Cloudflare's API says: Authentication error\..* Nothing was changed\.$/);
      expect([commands, kept]).toEqual([[], []]);
    }
  },
);

describe("--drop-host", () => {
  it("gives up a previous host, and no later deployment takes it back", async () => {
    const account = await movedAccount();
    const { next, said } = await deployWell(account, ["--drop-host", "Go.Example.com"]);
    expect(said).toContain("- Its other hosts: waymark.acme.workers.dev, links.example.com.");
    expect(said).toContainEqual(expect.stringMatching(/^- Given up, .*: go\.example\.com\.$/));
    expect(servedIn(next)).toMatchObject({
      vars: [expect.anything(), expect.anything(), "waymark.acme.workers.dev links.example.com"],
      hosts: HOSTS.filter((host) => host !== "go.example.com").toSorted(),
    });
    expect(servedIn((await deployWell(without(next), [])).next)).toEqual(servedIn(next));
  });

  it("takes the Worker off workers.dev, and takes several hosts", async () => {
    const dropped = ["--drop-host", "waymark.acme.workers.dev", "--drop-host", "links.example.com"];
    const { next } = await deployWell(await movedAccount(), dropped);
    expect(servedIn(next)).toMatchObject({ isOnWorkersDev: false });
    expect(servedIn(next).vars[2]).toBe("go.example.com");
  });

  it("is refused for a host that is none, or stands in wrangler.toml", async () => {
    const account = await movedAccount();
    for (const host of ["l.example.com", "other.example.com"]) {
      const { error, commands } = await deployTo(account, ["--drop-host", host]);
      expect(error).toBe(
        `${host} is no previous host of this Worker, so it cannot be dropped. Its previous hosts: ${FORMER.replaceAll(" ", ", ")}. Nothing was changed.`,
      );
      expect(commands).toEqual([]);
    }
    const config = { ...CONFIG, vars: { ...CONFIG.vars, FORMER_HOSTS: "go.example.com" } };
    expect((await deployTo({ ...account, config }, ["--drop-host", "go.example.com"])).error).toContain(
      "go.example.com is in FORMER_HOSTS of wrangler.toml",
    );
  });
});

describe("a host that the service is to have", () => {
  const free = { zones: ["example.com"] };

  it.each<[string, NonNullable<Account["cloudflare"]>, RegExp]>([
    [
      "that another Worker has",
      { workers: { "go.example.com": "shop" } },
      /^The Worker "shop" has go\.example\.com\./,
    ],
    [
      "with DNS records at Cloudflare",
      { records: ["go.example.com"] },
      /^go\.example\.com has DNS records already\./,
    ],
    [
      "of which the API tells nothing",
      { fails: "changeset" },
      /^It cannot be told whether .* Authentication error\./,
    ],
  ])("is refused %s, before any change", async (_, cloudflare, reason) => {
    const { error, commands, kept } = await deployTo({ ...BOTH, cloudflare: { ...free, ...cloudflare } });
    expect(error).toMatch(reason);
    expect([commands, kept]).toEqual([[], []]);
  });

  it("may be taken with its records if --replace-dns names it, but never from another Worker", async () => {
    const replace = [...ADDRESSES, "--replace-dns", "go.example.com", "--replace-dns", "links.example.com"];
    const taken = await deployWell({ ...BOTH, cloudflare: { ...free, fails: "changeset" } }, replace);
    expect(taken.said).toContainEqual(
      expect.stringMatching(
        /^- The Worker replaces the DNS records.*: links\.example\.com, go\.example\.com\.$/,
      ),
    );
    // They are its own by then.
    expect((await deployWell(taken.next, replace)).said.join("\n")).not.toContain("DNS records");
    const workers = { "go.example.com": "shop" };
    expect((await deployTo({ ...BOTH, cloudflare: { workers } }, replace)).error).toContain('"shop" has');
  });

  it("is told by DNS alone before the first deployment", async () => {
    const cloudflare = { ...free, onlyDeployed: true };
    await deployWell({ ...BOTH, cloudflare });
    const { error } = await deployTo({ ...BOTH, cloudflare, inUse: ["go.example.com"] });
    expect(error).toMatch(/^go\.example\.com has DNS records already\./);
  });

  it("is not asked about once the Worker has it", async () => {
    const { next } = await deployWell({ ...BOTH, cloudflare: free });
    await deployWell(
      { ...next, inUse: ["go.example.com"], cloudflare: { ...next.cloudflare, fails: "changeset" } },
      [],
    );
  });
});

describe("DNS", () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error("query"), { code }));
  const found = () => Promise.resolve(["192.0.2.1"]);
  const lookUp = (v4: () => Promise<string[]>, v6: () => Promise<string[]>) =>
    hasDnsRecords("go.example.com", { resolve4: v4, resolve6: v6 });

  it("says that a host is free by no such name or no data alone", async () => {
    expect(await lookUp(failing("ENOTFOUND"), failing("ENODATA"))).toBe(false);
    expect(await lookUp(failing("ENODATA"), found)).toBe(true);
    expect(await lookUp(found, failing("ETIMEOUT"))).toBe(true);
    for (const code of ["ETIMEOUT", "ESERVFAIL", "EREFUSED", "ECONNREFUSED"])
      await expect(lookUp(failing("ENOTFOUND"), failing(code))).rejects.toThrow(
        `DNS does not say whether it has any (${code})`,
      );
  });
});

describe("a deployment that fails, at any step", () => {
  const STEPS = [
    "d1 list",
    "d1 create",
    "kv namespace list",
    "kv namespace create",
    "d1 migrations",
    "deploy",
  ];

  const ways = (step: string) => [false, true].map((effect) => [step, effect] as const);

  it.each(STEPS.flatMap(ways))(
    "of an empty account can be run again: %s, with its effect: %s",
    async (fails, takesEffect) => {
      const broken = await deployTo({ fails, takesEffect });
      expect(broken.error).toContain("failed");
      const { next, commands } = await deployWell(mended(broken.next));
      expect(servedIn(next)).toEqual(servedIn((await deployWell({})).next));
      expect(new Set(next.databases).size).toBe(next.databases?.length);
      expect(commands.filter((command) => command.startsWith("deploy "))).toHaveLength(1);
    },
  );

  it.each(["d1 migrations", "deploy"].flatMap(ways))(
    "of a move loses no previous host, with the file and without it: %s, with its effect: %s",
    async (fails, takesEffect) => {
      const account = await movedAccount();
      const move = ["--short-base-url", "https://x.example.com"];
      const broken = await deployTo({ ...account, fails, takesEffect }, move);
      expect(broken.error).toContain("failed");
      const expected = servedIn((await deployWell(account, move)).next);
      for (const one of [mended(broken.next), without(mended(broken.next))]) {
        const before = await deployWell(one, []);
        expect(servedIn(before.next).vars[2]).toContain(FORMER);
        expect(servedIn((await deployWell(one, move)).next)).toEqual(expected);
      }
    },
  );
});

describe("a first deployment that is interrupted", () => {
  const TYPO = ["--base-url", "https://links.example.com", "--short-base-url", "https://og.example.com"];

  /** The account and the clone after the process has ended while wrangler ran, with what it had saved by then. */
  async function interruptedAt(fails: string): Promise<Account> {
    const { kept, next } = await deployTo({ ...BOTH, fails }, TYPO);
    const saved = kept.filter((config) => config.vars?.["SHORT_BASE_URL"] === "https://og.example.com");
    return { ...mended(next), deployed: null, kept: saved[fails === "deploy" ? 1 : 0] as Config };
  }

  it.each(["d1 migrations", "deploy"])("is none, also for its mistyped host: %s", async (fails) => {
    const account = await interruptedAt(fails);
    expect(account.kept?.routes !== undefined).toBe(fails === "deploy");
    const { next, said } = await deployWell(account);
    expect(servedIn(next)).toEqual(servedIn((await deployWell(BOTH)).next));
    expect(said).toContain("Deploys a new Worker waymark in the account acme:");
    expect(said.join("\n")).not.toContain("og.example.com");
    expect(next.kept?.vars?.["CACHE_EPOCH"]).toMatch(/^[0-9a-z]{8}$/);
  });

  it("is asked again whether its hosts serve something else", async () => {
    const account = await interruptedAt("deploy");
    const { error, commands, kept } = await deployTo({ ...account, inUse: ["og.example.com"] }, []);
    expect(error).toMatch(/^og\.example\.com has DNS records already\./);
    expect([commands, kept]).toEqual([[], []]);
  });
});

it("a Worker that was deleted gets its previous hosts again, unless they serve something else by now", async () => {
  const account: Account = { ...(await movedAccount()), deployed: null, cloudflare: { workers: {} } };
  expect(servedIn((await deployWell(account, [])).next)).toMatchObject({
    vars: ["https://l.example.com", "https://s.example.com", FORMER],
    hosts: HOSTS.toSorted(),
  });
  const { error, commands } = await deployTo({ ...account, inUse: ["go.example.com"] }, []);
  expect(error).toMatch(/^go\.example\.com has DNS records already\./);
  expect(commands).toEqual([]);
});

const mended = ({ fails: _, takesEffect: _effect, ...account }: Account): Account => account;
