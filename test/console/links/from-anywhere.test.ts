import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { addMember } from "../../../src/access/members";
import { createSignInLink } from "../../../src/access/sessions";
import manifest from "../../../src/public/app/app.webmanifest?raw";
import { API, makeWorkspace } from "../../harness";
import { selectValue } from "../../sql";
import { makeMember, openBrowser, signInAs, useSignInLink } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

// The form of a new link, opened from elsewhere: an address, a bookmarklet, a phone's "Share", the browser's bar.

const LONG = `https://www.example.com/?q=${"caf%C3%A9&x=".repeat(50)}${"a".repeat(1_400)}`;

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe("the address of the form", () => {
  it("fills it, and saves nothing", async () => {
    const { workspace, browser } = await makeMember("editor");
    const fields = { destination: "www.example.com/a?b=1&c#d", title: `  Summer\n ${"x".repeat(300)}` };
    const page = await browser.get(`/app/${workspace.slug}/links/new?${query(fields)}`);
    expect(fieldsOf(page)).toMatchObject({
      destination_url: "https://www.example.com/a?b=1&c#d",
      title: `Summer ${"x".repeat(248)}`,
    });
    expect(await selectValue`select count(*) from links where workspace_id = ${workspace}`).toBe(0);
  });

  it("survives signing in, as long as an address may be", async () => {
    expect(LONG.length).toBeGreaterThan(2_000);
    const [workspace, browser] = [await makeWorkspace(), openBrowser()];
    const form = `/app/${workspace.slug}/links/new?${query({ destination: LONG })}`;
    const { location } = await browser.get(form);
    expect((await browser.get(location ?? "")).status).toBe(200);
    const email = `${crypto.randomUUID()}@people.example`;
    await addMember(workspace.ctx, { email, role: "editor" });
    const { token } = await createSignInLink(workspace.ctx, email);
    const entered = await useSignInLink(browser, token);
    expect(entered.location).toBe(form);
    expect(fieldsOf(await browser.get(form))).toMatchObject({ destination_url: LONG });
  });
});

describe("what another app shares", () => {
  const shared = { title: "Sale", text: "Look: https://www.example.com/sale?a=1 soon", url: "" };

  it("opens the form of the only workspace that the person may edit", async () => {
    const { workspace, browser } = await makeMember("editor");
    const answer = await browser.get(`/app/account/share?${query(shared)}`);
    const form = `/app/${workspace.slug}/links/new?${query({ destination: "https://www.example.com/sale?a=1", title: "Sale" })}`;
    expect([answer.status, answer.location]).toEqual([303, form]);
    expect(fieldsOf(await browser.get(form))).toMatchObject({ title: "Sale" });
  });

  it("asks a person with several workspaces which one, without those that they only read", async () => {
    const [one, two, read] = [await makeWorkspace(), await makeWorkspace(), await makeWorkspace()];
    const { email, get } = await signInAs(one, "editor");
    await addMember(two.ctx, { email, role: "owner" });
    await addMember(read.ctx, { email, role: "viewer" });
    const page = await get(`/app/account/share?${query(shared)}`);
    expect(page.status).toBe(200);
    const to = [...page.text.matchAll(/href="\/app\/([^/"]+)\/links\/new\?destination=[^"]*">/g)];
    expect(to.map(([, slug]) => slug).sort()).toEqual([one.slug, two.slug].sort());
    expect(wordsIn(page.text)).toContain("Shorten https://www.example.com/sale?a=1");
  });

  it("tells a viewer why there is no form", async () => {
    const { browser } = await makeMember("viewer");
    const page = await browser.get("/app/account/share?url=https://www.example.com/");
    expect(wordsIn(page.text)).toContain("You may not create links in any of your workspaces.");
  });
});

it("every page names the manifest, whose share target is a page of the application", async () => {
  const { browser } = await makeMember("editor");
  const page = await browser.get("/app/account/sessions");
  expect(page.text).toContain('<link rel="manifest" href="/app/app.webmanifest"');
  expect(page.headers.get("content-security-policy")).toContain("manifest-src 'self'");
  const { share_target, scope, start_url, icons } = JSON.parse(manifest);
  expect(share_target).toEqual({
    action: "/app/account/share",
    method: "GET",
    params: { title: "title", text: "text", url: "url" },
  });
  expect([scope, start_url]).toEqual(["/app", "/app"]);
  expect((await browser.get(icons[0].src)).headers.get("content-type")).toBe(icons[0].type);
});

describe("the bookmarklet", () => {
  it("opens the form with the address and the title of the page that it is used on", async () => {
    const { workspace, browser } = await makeMember("editor");
    const page = await browser.get(`/app/${workspace.slug}/links/new`);
    const code = /href="javascript:([^"]*)"/.exec(page.text)?.[1] ?? "";
    const script = code.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    // The isolate runs no code from text: what it concatenates is compared.
    expect(script).toBe(
      `void open("${API}/app/${workspace.slug}/links/new"+"?destination="+encodeURIComponent(location.href)+"&title="+encodeURIComponent(document.title))`,
    );
  });
});

describe("the description for the browser's bar", () => {
  it("searches the links of the workspace, and needs no session", async () => {
    const { workspace, browser } = await makeMember("viewer");
    await workspace.link({ title: "Été à Zürich" });
    const page = await browser.get(`/app/${workspace.slug}`);
    const to = /<link rel="search"[^>]* href="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const description = await openBrowser().get(to);
    expect([description.status, description.headers.get("content-type")]).toEqual([
      200,
      "application/opensearchdescription+xml; charset=utf-8",
    ]);
    const template = /template="([^"]+)"/.exec(description.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const found = await browser.get(template.replace("{searchTerms}", "ete%20zurich").replace(API, ""));
    expect(wordsIn(found.text)).toContain("Été à Zürich");
  });

  it("says the same of a workspace that there is and of one that there is not", async () => {
    const workspace = await makeWorkspace();
    const [one, other] = [workspace.slug, "no-such-workspace"];
    const read = async (slug: string) => (await openBrowser().get(`/app/account/search/${slug}`)).text;
    expect((await read(one)).replaceAll(one, "x")).toBe((await read(other)).replaceAll(other, "x"));
    const junk = await openBrowser().get(`/app/account/search/${encodeURIComponent('"><x>')}`);
    expect(junk.status).toBe(404);
  });
});

it("the manifest is served without a session", async () => {
  const asked: string[] = [];
  const files = {
    ...env,
    ASSETS: {
      fetch: async (url: URL) => {
        asked.push(url.pathname);
        return new Response(manifest, { headers: { "Content-Type": "application/manifest+json" } });
      },
    },
  };
  const answer = await openBrowser().get("/app/app.webmanifest", {}, files as never);
  expect([answer.status, answer.text, asked]).toEqual([200, manifest, ["/app/app.webmanifest"]]);
});
