import { beforeAll, describe, expect, it } from "vitest";
import { blockHost, unblockHost } from "../../src/resources/destinations/blocklist";
import type { Link } from "../../src/resources/links/link-schema";
import badText from "../corpora/destinations-bad.json?raw";
import goodText from "../corpora/destinations-good.json?raw";
import { makeWorkspace, type TestWorkspace, testEnv } from "../harness";
import { refusal } from "./refusals";

const LINKS = "/api/v1/links";
interface Corpus {
  cases: { value: string; reason?: string }[];
}
const bad: Corpus = JSON.parse(badText);
const good: Corpus = JSON.parse(goodText);

const FIELDS = [
  ["destination_url", "destination url"],
  ["ended_url", "ended url"],
] as const;

/** One destination for each rule. `lib/destination.test.ts` has all of them. */
const examples = [...new Map(bad.cases.map((entry) => [entry.reason ?? "", entry.value]))];

describe("the destination of a link", () => {
  let ws: TestWorkspace;
  let link: Link;
  beforeAll(async () => {
    ws = await makeWorkspace();
    link = await ws.link();
  });

  it.each(examples)("that breaks the rule %s is 422, as is its ended_url", async (_, value) => {
    for (const [field, name] of FIELDS) {
      // An empty destination is missing, and an empty ended_url is none.
      if (field === "ended_url" && value.trim() === "") continue;
      const destination_url = "https://www.example.com/";
      const created = await ws.call("POST", LINKS, { body: { destination_url, [field]: value } });
      const updated = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { [field]: value } });
      const { message } = created.body;
      expect(message).toMatch(new RegExp(`^The ${name} field .+\\.$`));
      for (const { status, body } of [created, updated]) {
        expect([status, body]).toEqual([422, refusal(field, message)]);
      }
    }
    expect((await ws.call("GET", LINKS)).body.links).toEqual([link]);
  });

  it("is returned exactly as it was given, after trimming", async () => {
    const { id } = await ws.link({ utm_source: "mail" });
    for (const { value } of good.cases) {
      const answer = await ws.call("PATCH", `${LINKS}/${id}`, { body: { destination_url: ` ${value}\n` } });
      expect(answer.status, JSON.stringify(value.slice(0, 80))).toBe(200);
      expect(answer.body.link.destination_url).toBe(value.trim());
    }
  });

  it("cannot be one of the service's own hosts, which are those of its addresses", async () => {
    const statusOf = async (destination_url: string, env = testEnv) =>
      (await ws.call("POST", LINKS, { body: { destination_url }, env })).status;
    for (const url of ["https://s.example/x", "http://API.EXAMPLE:8443/", "https://a.s.example./"]) {
      expect(await statusOf(url), url).toBe(422);
    }
    for (const url of ["https://ss.example/", "https://s.example.com/"]) {
      expect(await statusOf(url), url).toBe(201);
    }
    const elsewhere = {
      ...testEnv,
      SHORT_BASE_URL: "https://go.test:8787",
      FORMER_HOSTS: "old.test, older.test",
    };
    for (const host of ["GO.test", "old.test", "a.older.test"])
      expect(await statusOf(`https://${host}/`, elsewhere), host).toBe(422);
    expect(await statusOf("https://s.example/x", elsewhere)).toBe(201);
  });
});

it("the operator's blocklist refuses a host and its subdomains, on create and update, and no other hosts", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link();
  const host = `bücher-${crypto.randomUUID().slice(0, 8)}.example`;
  await blockHost(ws.ctx, `sub.${host}`);
  const ascii = new URL(`https://sub.${host}/`).href;
  const refused = [`https://sub.${host}/`, `http://SUB.${host}./x`, `https://a.b.sub.${host}:444/`, ascii];
  for (const url of refused) {
    for (const [field, name] of FIELDS) {
      const message = `The ${name} field leads to a host that this service does not allow.`;
      const created = { destination_url: "https://www.example.com/", [field]: url };
      for (const answer of [
        await ws.call("POST", LINKS, { body: created }),
        await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { [field]: url } }),
      ]) {
        expect([answer.status, answer.body], url).toEqual([422, refusal(field, message)]);
      }
    }
  }
  for (const url of [`https://${host}/`, `https://xsub.${host}/`, `https://sub.${host}.example/`]) {
    expect((await ws.link({ destination_url: url })).destination_url).toBe(url);
  }
  await unblockHost(ws.ctx, `sub.${host}`);
  for (const url of refused) expect((await ws.link({ destination_url: url })).destination_url).toBe(url);
});
