import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { takeDown } from "../../src/operations/moderation/takedown";
import { addDomain } from "../../src/resources/domains/domain-service";
import { changedWorkspace } from "../../src/resources/workspaces/workspace-schema";
import { suspendWorkspace, updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { makeMember } from "../console/browser";
import { counted, makeWorkspace, otherInstance, SHORT, send, serviceContext, visit } from "../harness";

const PAST = "2020-01-01T00:00:00.000Z";
const FUTURE = "2999-01-01T00:00:00.000Z";
const MARKUP = `<i>"Été" & co</i>`;
const NAME = `<p class="brand"><bdi>&#60;i&#62;&#34;Été&#34; &#38; co&#60;/i&#62;</bdi></p>`;
const ACCENT = "<style>main{border-top-color:#0f766e}</style>";
const unique = () => `b${crypto.randomUUID().slice(0, 8)}`;

async function withBrand(brand: { shows_name?: boolean; colour?: string }) {
  const ws = await makeWorkspace();
  await updateWorkspace(ws.ctx, { name: MARKUP, ...brand });
  const { host } = await addDomain(ws.ctx, `${unique()}.acme.example`, true);
  const open = await ws.link();
  const early = await ws.link({ starts_at: FUTURE });
  const ended = await ws.link({ ends_at: PAST });
  const paths = [`/${open.slug}+`, `/${early.slug}`, `/${early.slug}+`, `/${ended.slug}`, `/${ended.slug}+`];
  return {
    ws,
    open,
    ended,
    host,
    urls: [...paths.map((path) => SHORT + path), `https://${host}/${unique()}`],
  };
}

const read = async (url: string, environment = otherInstance()) => {
  const answer = await send(new Request(url, { redirect: "manual" }), environment);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

it("visitors' pages of a workspace show its name and its colour, from D1, KV and memory", async () => {
  const { urls } = await withBrand({ shows_name: true, colour: "#0f766e" });
  for (const url of urls) {
    const instance = otherInstance();
    for (const environment of [instance, instance, otherInstance()]) {
      const { headers, text } = await read(url, environment);
      expect(text, url).toContain(NAME);
      expect(text).toContain(ACCENT);
      expect(text).not.toContain("<i>");
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      );
    }
  }
});

it("the name and the colour are each off until an owner sets them", async () => {
  for (const brand of [{}, { shows_name: true }, { colour: "#0f766e" }]) {
    const { urls } = await withBrand(brand);
    for (const url of urls) {
      const { text } = await read(url);
      expect([text.includes(NAME), text.includes(ACCENT)], url).toEqual([
        "shows_name" in brand,
        "colour" in brand,
      ]);
    }
  }
});

it("no page shows them where the workspace is unknown, suspended, or its link taken down", async () => {
  const { ws, open, ended, host, urls } = await withBrand({ shows_name: true, colour: "#0f766e" });
  const shown = async (url: string) => /class="brand"|border-top-color/.test((await read(url)).text);
  expect(await shown(`${SHORT}/${unique()}`)).toBe(false);
  expect(await shown(`https://${unique()}.acme.example/${unique()}`)).toBe(false);
  await takeDown(serviceContext(), ended.id);
  expect(await shown(`${SHORT}/${ended.slug}`)).toBe(false);
  await ws.call("DELETE", `/api/v1/links/${open.id}`);
  expect(await shown(`${SHORT}/${open.slug}`)).toBe(false);
  await suspendWorkspace(serviceContext(), ws.slug);
  for (const url of [...urls, `https://${host}/`]) expect(await shown(url), url).toBe(false);
});

it("a redirect costs the same reads as without them, and so do the pages", async () => {
  const { ws, open, ended } = await withBrand({ shows_name: true, colour: "#0f766e" });
  const plain = await makeWorkspace();
  const other = { open: await plain.link(), ended: await plain.link({ ends_at: PAST }) };
  const costOf = async (path: string) => {
    const cold = counted(otherInstance());
    await visit(path, {}, cold.env);
    const warm = counted(otherInstance());
    await visit(path, {}, warm.env);
    return [cold.trips, warm.trips];
  };
  expect(ws.slug).not.toBe(plain.slug);
  // KV has the settings of both workspaces.
  for (const { ended: of } of [{ ended }, other]) await visit(`/${of.slug}+`);
  for (const of of [open, other.open]) await visit(`/${of.slug}`);
  for (const suffix of ["", "+"]) {
    expect(await costOf(`/${open.slug}${suffix}`)).toEqual(await costOf(`/${other.open.slug}${suffix}`));
    expect(await costOf(`/${ended.slug}${suffix}`)).toEqual(await costOf(`/${other.ended.slug}${suffix}`));
  }
});

it("an owner sets them, and the audit trail has the change", async () => {
  const { workspace, browser } = await makeMember();
  const path = `/app/${workspace.slug}/workspace`;
  const link = await workspace.link({ ends_at: PAST });
  const form = { name: "Acme", shares_reports: "true", shows_name: "true", colour: " #0F766E " };
  expect((await browser.post(path, form)).status).toBe(303);
  const page = await browser.get(path);
  expect(page.text).toContain('value="#0f766e"');
  expect((await read(`${SHORT}/${link.slug}`)).text).toContain(ACCENT);
  const trail = await browser.get(`/app/${workspace.slug}/audit?action=workspace.update`);
  expect(trail.text).toContain("#0f766e");
  const was = JSON.stringify({ name: "Acme", shares_reports: "true", shows_name: "true", colour: "#0f766e" });
  expect((await browser.post(path, { ...form, shows_name: "false", colour: "", was })).status).toBe(303);
  expect((await read(`${SHORT}/${link.slug}`)).text).not.toMatch(/class="brand"|border-top-color/);
});

it.each(["red", "#fff", "#0f766g", "0f766e", "#0f766e;}", "#0f766e\n", "</style>", "#0f766eff"])(
  "the colour %j is refused at its field, and by the database",
  async (colour) => {
    expect(changedWorkspace.safeParse({ colour }).success).toBe(false);
    const ws = await makeWorkspace();
    const write = env.DB.prepare("update workspaces set colour = ? where slug = ?")
      .bind(colour, ws.slug)
      .run();
    await expect(write).rejects.toThrow("CHECK");
  },
);
