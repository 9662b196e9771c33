import { describe, expect, it } from "vitest";
import { blockHost, unblockHost } from "../../src/resources/destinations/service";
import badText from "../corpora/destinations-bad.json?raw";
import goodText from "../corpora/destinations-good.json?raw";
import { makeWorkspace, testEnv } from "../harness";

const LINKS = "/api/v1/links";
interface Corpus {
  cases: { value: string; reason?: string }[];
}
const bad: Corpus = JSON.parse(badText);
const good: Corpus = JSON.parse(goodText);

describe("the destination of a link", () => {
  const reasons = [...new Set(bad.cases.map((entry) => entry.reason ?? ""))];

  it.each(reasons)(
    "that breaks the rule %s is 422 on destination_url, with that rule's message",
    async (reason) => {
      const ws = await makeWorkspace();
      const link = await ws.link();
      for (const [index, { value }] of bad.cases.filter((entry) => entry.reason === reason).entries()) {
        const about = `${reason} ${index}: ${JSON.stringify(value.slice(0, 80))}`;
        const created = await ws.call("POST", LINKS, { body: { destination_url: value } });
        expect(created.status, about).toBe(422);
        const [message] = created.body.errors.destination_url;
        expect(message, about).toMatch(/^The destination url field .+\.$/);
        expect(created.body, about).toEqual({ message, errors: { destination_url: [message] } });
        const updated = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { destination_url: value } });
        expect(updated.body, about).toEqual(created.body);
      }
      expect((await ws.call("GET", LINKS)).body.links).toEqual([link]);
    },
  );

  it("is returned exactly as it was given, after trimming", async () => {
    const ws = await makeWorkspace();
    const { id } = await ws.link({ utm_source: "mail" });
    for (const { value } of good.cases) {
      const answer = await ws.call("PATCH", `${LINKS}/${id}`, { body: { destination_url: ` ${value}\n` } });
      expect(answer.status, JSON.stringify(value.slice(0, 80))).toBe(200);
      expect((await ws.call("GET", `${LINKS}/${id}`)).body.destination_url).toBe(value.trim());
    }
  });

  it("has at most 2,048 characters, counted as code points", async () => {
    const ws = await makeWorkspace();
    const start = "https://www.example.com/";
    for (const letter of ["a", "é", "\u{1f600}"]) {
      const longest = start + letter.repeat(2048 - start.length);
      expect((await ws.link({ destination_url: longest })).destination_url).toBe(longest);
      const answer = await ws.call("POST", LINKS, { body: { destination_url: longest + letter } });
      expect(answer.status).toBe(422);
      expect(answer.body.message).toBe("The destination url field must not be greater than 2048 characters.");
    }
  });

  it("cannot be a shortener or its subdomain, except Google Maps', but can be a similar host", async () => {
    const ws = await makeWorkspace();
    for (const url of [
      "https://bit.ly/x",
      "http://WWW.BIT.LY",
      "https://bit.ly./x",
      "https://bit.ly:8443/",
      "https://foo.bit.ly/x",
      "https://a.b.FOO.bit.ly./",
      "https://app.goo.gl/x",
      "https://evil.maps.app.goo.gl/x",
    ]) {
      expect((await ws.call("POST", LINKS, { body: { destination_url: url } })).status, url).toBe(422);
    }
    for (const url of ["https://notbit.ly/", "https://bit.ly.example/", "https://maps.app.goo.gl/x"]) {
      expect((await ws.link({ destination_url: url })).destination_url).toBe(url);
    }
  });

  it("cannot be one of the service's own hosts or subdomains, with any port, case or final dot", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const own = [
      "https://s.example/x",
      "http://API.EXAMPLE:8443/",
      "https://a.s.example./",
      "https://b.api.example",
    ];
    for (const url of own) {
      for (const answer of [
        await ws.call("POST", LINKS, { body: { destination_url: url } }),
        await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { destination_url: url } }),
      ]) {
        expect(answer.status, url).toBe(422);
        expect(Object.keys(answer.body.errors)).toEqual(["destination_url"]);
      }
    }
    for (const url of [
      "https://ss.example/",
      "https://s.example.com/",
      "https://example/",
      "https://x.example/",
    ]) {
      const answer = await ws.call("POST", LINKS, { body: { destination_url: url } });
      expect(answer.status, url).toBe(url === "https://example/" ? 422 : 201);
    }
    const elsewhere = { ...testEnv, BASE_URL: "https://links.test", SHORT_BASE_URL: "https://go.test:8787" };
    const moved = await ws.call("POST", LINKS, {
      body: { destination_url: "https://GO.test/" },
      env: elsewhere,
    });
    expect(moved.status).toBe(422);
  });
});

describe("the operator's blocklist", () => {
  it("refuses a host and its subdomains, on create and update, and no other hosts", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const host = `b-${crypto.randomUUID().slice(0, 8)}.example`;
    await blockHost(ws.ctx, `sub.${host}`);
    const refused = [`https://sub.${host}/`, `http://SUB.${host}./x`, `https://a.b.sub.${host}:444/`];
    for (const url of refused) {
      for (const answer of [
        await ws.call("POST", LINKS, { body: { destination_url: url } }),
        await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { destination_url: url } }),
      ]) {
        expect(answer.status, url).toBe(422);
        const [message] = answer.body.errors.destination_url;
        expect(answer.body).toEqual({ message, errors: { destination_url: [message] } });
        expect(message).toMatch(/^The destination url field .+\.$/);
      }
    }
    for (const url of [`https://${host}/`, `https://xsub.${host}/`, `https://sub.${host}.example/`]) {
      expect((await ws.link({ destination_url: url })).destination_url).toBe(url);
    }
    await unblockHost(ws.ctx, `sub.${host}`);
    for (const url of refused) expect((await ws.link({ destination_url: url })).destination_url).toBe(url);
  });

  it("matches hosts in their ASCII form, so that another spelling is refused too", async () => {
    const ws = await makeWorkspace();
    const name = `bücher-${crypto.randomUUID().slice(0, 8)}`;
    await blockHost(ws.ctx, `${name}.example`);
    const ascii = new URL(`https://${name}.example/`).hostname;
    for (const url of [
      `https://${name}.example/`,
      `https://${ascii}/`,
      `https://${name.toUpperCase()}.example/`,
    ]) {
      expect((await ws.call("POST", LINKS, { body: { destination_url: url } })).status, url).toBe(422);
    }
  });

  it("does not affect an update that keeps the destination", async () => {
    const ws = await makeWorkspace();
    const host = `b-${crypto.randomUUID().slice(0, 8)}.example`;
    const link = await ws.link({ destination_url: `https://${host}/` });
    await blockHost(ws.ctx, host);
    const answer = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { title: "renamed" } });
    expect(answer.status).toBe(200);
    expect(answer.body.link).toEqual({ ...link, title: "renamed", updated_at: answer.body.link.updated_at });
  });
});
