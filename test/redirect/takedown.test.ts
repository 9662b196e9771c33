import { describe, expect, it } from "vitest";
import { blockHost, unblockHost } from "../../src/resources/destinations/blocklist";
import { resumeWorkspace, suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import { elapse, stopClock } from "../clock";
import { kvFails, withKv, withoutD1 } from "../faulty";
import { kvValue, makeWorkspace, otherInstance, testEnv, visit } from "../harness";

const host = () => `h${crypto.randomUUID().slice(0, 8)}.example`;

stopClock();

async function seen(slug: string, environment = testEnv) {
  const response = await visit(`/${slug}`, {}, environment);
  const page = await response.text();
  const title = /<h1>(.*)<\/h1>/.exec(page)?.[1] ?? null;
  return [response.status, response.headers.get("x-cache"), title];
}
const TAKEN_DOWN = "This link was taken down";

describe("a suspended workspace", () => {
  it("stops its links at once, and they come back at once", async () => {
    const ws = await makeWorkspace();
    const { slug } = await ws.link();
    await visit(`/${slug}`);
    await suspendWorkspace(ws.ctx, ws.slug);
    expect(await seen(slug)).toEqual([404, "miss", TAKEN_DOWN]);
    expect(await seen(slug, otherInstance())).toEqual([404, "hit", TAKEN_DOWN]);
    await resumeWorkspace(ws.ctx, ws.slug);
    expect(await seen(slug)).toEqual([302, "miss", null]);
    expect(await seen(slug, otherInstance())).toEqual([302, "hit", null]);
  });

  it("of which KV refuses all writes is in doubt as a whole in an instance that knows the list, and stays so without D1", async () => {
    const ws = await makeWorkspace();
    const links = [await ws.link(), await ws.link()];
    const instance = otherInstance();
    for (const { slug } of links) await visit(`/${slug}`);
    await suspendWorkspace({ ...ws.ctx, kv: withKv({ put: kvFails, delete: kvFails }).KV }, ws.slug);
    const [first = { slug: "" }, second = { slug: "" }] = links;
    // The first visit to a new instance does not know it yet.
    expect(await seen(first.slug, instance)).toEqual([302, "hit", null]);
    elapse(6_000);
    expect(await seen(first.slug, instance)).toEqual([404, "miss", TAKEN_DOWN]);
    expect(await seen(second.slug, { ...instance, DB: withoutD1().DB })).toEqual([404, "hit", TAKEN_DOWN]);
  });

  it("shows no takedown page for unknown slugs", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    await suspendWorkspace(ws.ctx, ws.slug);
    expect(await seen(link.slug)).toEqual([404, "miss", "This link leads nowhere"]);
  });
});

describe("a blocked host", () => {
  it("stops links to it and its subdomains at once, until it is unblocked", async () => {
    const ws = await makeWorkspace();
    const parent = host();
    const blocked = `bad.${parent}`;
    const slugs: string[] = [];
    for (const name of [blocked, `www.${blocked}`, `a.b.${blocked}`, `${blocked.toUpperCase()}.`]) {
      slugs.push((await ws.link({ destination_url: `https://${name}/x` })).slug);
    }
    const others: string[] = [];
    for (const name of [parent, `not${blocked}`, `${blocked}.example.com`, "www.example.com"]) {
      others.push((await ws.link({ destination_url: `https://${name}/${blocked}` })).slug);
    }
    for (const slug of [...slugs, ...others]) expect(await seen(slug)).toEqual([302, "miss", null]);

    await blockHost(ws.ctx, blocked);
    for (const slug of slugs) expect((await seen(slug))[2]).toBe(TAKEN_DOWN);
    for (const slug of slugs) expect(await seen(slug, otherInstance())).toEqual([404, "hit", TAKEN_DOWN]);
    for (const slug of others) expect(await seen(slug)).toEqual([302, "hit", null]);

    await unblockHost(ws.ctx, blocked);
    for (const slug of slugs) expect((await seen(slug))[0]).toBe(302);
    for (const slug of slugs) expect(await seen(slug, otherInstance())).toEqual([302, "hit", null]);
  });

  it("keeps a link down after an edit, until its destination changes", async () => {
    const ws = await makeWorkspace();
    const blocked = host();
    const link = await ws.link({ destination_url: `https://${blocked}/` });
    await visit(`/${link.slug}`);
    await blockHost(ws.ctx, blocked);
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { utm_source: "news" } });
    expect(await kvValue(link.slug)).toMatchObject({ rev: 3, target: null, link: link.id });
    expect(await seen(link.slug)).toEqual([404, "miss", TAKEN_DOWN]);
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { destination_url: "https://example.com/" } });
    expect(await seen(link.slug)).toEqual([302, "miss", null]);
  });
});

describe("the page of a link that was taken down", () => {
  async function takenDown() {
    const ws = await makeWorkspace();
    const { slug } = await ws.link({ destination_url: "https://www.example.com/secret" });
    await suspendWorkspace(ws.ctx, ws.slug);
    return { slug, name: ws.ctx.workspace.name };
  }

  it.each([
    ["abuse@s.example", '<a href="mailto:abuse@s.example">abuse@s.example</a>'],
    ["mailto:abuse@s.example", '<a href="mailto:abuse@s.example">abuse@s.example</a>'],
    ["https://s.example/abuse?a&b", '<a href="https://s.example/abuse?a&#38;b">'],
  ])("names the operator's contact %s, but nothing about the tenant", async (contact, html) => {
    const { slug, name } = await takenDown();
    const response = await visit(`/${slug}`, {}, { ...testEnv, ABUSE_CONTACT: contact });
    const page = await response.text();
    expect(page).toContain(html);
    expect(page).not.toContain("secret");
    expect(page).not.toContain(name);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "private, no-store",
      "content-type": "text/html; charset=utf-8",
      "x-robots-tag": "noindex",
    });
    expect(response.headers.has("location")).toBe(false);
  });

  it("says whom to ask if there is no contact", async () => {
    const { slug } = await takenDown();
    const page = await (await visit(`/${slug}`, {}, { ...testEnv, ABUSE_CONTACT: "" })).text();
    expect(page).toContain("ask the organisation whose link you followed");
    expect(page).not.toContain("<a ");
  });
});
