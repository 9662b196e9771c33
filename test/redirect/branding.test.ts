import { afterEach, describe, expect, it, vi } from "vitest";
import { takeDown } from "../../src/operations/moderation/takedown";
import {
  changedBranding,
  PAGE_LANGUAGES,
  SENTENCE_FIELDS,
} from "../../src/resources/branding/branding-schema";
import { changeBranding, setLogo } from "../../src/resources/branding/branding-service";
import { blockHost } from "../../src/resources/destinations/blocklist";
import { setDomainAddresses } from "../../src/resources/domains/domain-addresses";
import { addDomain } from "../../src/resources/domains/domain-service";
import { qrMatrix, renderPng } from "../../src/resources/qr/render";
import { suspendWorkspace, updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { makeMember, signInAs } from "../console/browser";
import { wordsIn } from "../console/form-fields";
import {
  API,
  counted,
  kvValue,
  makeWorkspace,
  otherInstance,
  SHORT,
  send,
  serviceContext,
  testEnv,
} from "../harness";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"></path></svg>';
const bytes = (text: string) => new TextEncoder().encode(text);
const unique = () => `g${crypto.randomUUID().slice(0, 8)}`;
const PAST = "2020-01-01T00:00:00.000Z";

afterEach(() => void vi.unstubAllGlobals());

async function scene() {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `${unique()}.example`, true);
  const ended = await ws.link({ ends_at: PAST });
  const early = await ws.link({ starts_at: "2999-01-01T00:00:00Z" });
  const open = await ws.link();
  const { id } = ws.ctx.workspace;
  return { ws, host, ended, early, open, id, logo: `/.well-known/waymark-logo/${id}` };
}

const change = (ws: Awaited<ReturnType<typeof scene>>["ws"], input: object) =>
  changeBranding(ws.ctx, changedBranding.parse(input));

async function read(url: string, language = "en", environment = otherInstance()) {
  const headers = { "accept-language": language };
  const answer = await send(new Request(url, { headers, redirect: "manual" }), environment);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe("own sentences", () => {
  it("stand on the pages of unknown and ended links, in their language alone", async () => {
    const { ws, host, ended, early } = await scene();
    await change(ws, {
      unknown_de: "Unsere <Aktionen> finden Sie im Laden.",
      ended_de: "Danke & bis bald!",
      ended_fr: "Merci !",
    });
    const unknown = `https://${host}/nobody`;
    expect((await read(unknown, "de-CH")).text).toContain(
      "<p><bdi>Unsere &#60;Aktionen&#62; finden Sie im Laden.</bdi></p>",
    );
    expect((await read(unknown, "fr")).text).toContain("Il n’y a pas de lien");
    expect((await read(`${SHORT}/${ended.slug}`, "de")).text).toContain(
      "<p><bdi>Danke &#38; bis bald!</bdi></p>",
    );
    expect((await read(`${SHORT}/${ended.slug}`, "fr")).text).toContain("<bdi>Merci !</bdi>");
    expect((await read(`${SHORT}/${ended.slug}`)).text).toContain("The offer or event behind it is over.");
    expect((await read(`${SHORT}/${early.slug}`, "de")).text).not.toContain("<bdi>");
    expect((await read(`${SHORT}/nobody-has-this`, "de")).text).not.toContain("Aktionen");
    await change(ws, { ended_de: null });
    expect((await read(`${SHORT}/${ended.slug}`, "de")).text).toContain("Das Angebot dahinter ist beendet.");
    expect((await read(`${SHORT}/${ended.slug}`, "fr")).text).toContain("<bdi>Merci !</bdi>");
  });

  it.each(SENTENCE_FIELDS)("%s has at most 300 characters, and no invisible ones", (name) => {
    expect(changedBranding.safeParse({ [name]: "é".repeat(300) }).success).toBe(true);
    for (const text of ["é".repeat(301), "a\u202eb", "a\nb", "a\u0000"])
      expect(changedBranding.safeParse({ [name]: text }).success).toBe(false);
  });
});

describe("the button", () => {
  it("leads from pages without a way on, and not from others", async () => {
    const { ws, host, ended, early, open } = await scene();
    const down = await ws.link();
    await takeDown(serviceContext(), down.id);
    await change(ws, { button_label: "Zum <Shop>", button_url: "https://bücher.example/?a&b" });
    const shown = `<a class="go" href="https://xn--bcher-kva.example/?a&#38;b" rel="noreferrer">Zum &#60;Shop&#62;</a>`;
    for (const url of [`https://${host}/nobody`, `${SHORT}/${ended.slug}`, `${SHORT}/${early.slug}`])
      expect((await read(url)).text, url).toContain(shown);
    for (const path of [`/${open.slug}+`, `/${down.slug}`, "/nobody-has-this"])
      expect((await read(SHORT + path)).text, path).not.toContain("Shop");
  });

  it("needs both its label and its address, which obeys the rules of destinations", async () => {
    const { ws } = await scene();
    await expect(change(ws, { button_label: "A" })).rejects.toMatchObject({ status: 422 });
    await expect(change(ws, { button_url: "https://a.example/" })).rejects.toMatchObject({ status: 422 });
    const blocked = `${unique()}.example`;
    await blockHost(serviceContext(), blocked);
    for (const button_url of [`https://${blocked}/`, `${SHORT}/x`])
      await expect(change(ws, { button_label: "A", button_url })).rejects.toMatchObject({ status: 422 });
    for (const button_url of ["javascript:alert(1)", "https://127.0.0.1/", "https://bit.ly/a"])
      expect(changedBranding.safeParse({ button_label: "A", button_url }).success).toBe(false);
  });

  it("is looked up at the resolver where that is switched on, as an address of a domain is", async () => {
    const { ws, host } = await scene();
    vi.stubGlobal("fetch", async (input: URL) => {
      const name = new URL(input).searchParams.get("name") ?? "";
      return Response.json({
        Status: 0,
        Answer: [{ data: name.startsWith("bad.") ? "0.0.0.0" : "192.0.2.1" }],
      });
    });
    const ctx = { ...ws.ctx, config: { ...ws.ctx.config, resolver: "https://dns.example/query" } };
    const button = (url: string) =>
      changeBranding(ctx, changedBranding.parse({ button_label: "A", button_url: url }));
    const lead = (root: string) => setDomainAddresses(ctx, host, { root_url: root, not_found_url: null });
    for (const set of [button, lead]) {
      await expect(set("https://bad.example/")).rejects.toMatchObject({ status: 422 });
      await set("https://good.example/");
    }
  });

  it("goes away with its host", async () => {
    const { ws, ended } = await scene();
    const own = `${unique()}.example`;
    await change(ws, { button_label: "Shop", button_url: `https://www.${own}/` });
    expect((await read(`${SHORT}/${ended.slug}`)).text).toContain("Shop");
    await blockHost(serviceContext(), own);
    expect((await read(`${SHORT}/${ended.slug}`)).text).not.toContain("Shop");
  });
});

describe("the logo", () => {
  it("is an image on every short host, which pages of the workspace load and nothing else", async () => {
    const { ws, host, ended, early, open, logo } = await scene();
    const foreign = await scene();
    await setLogo(ws.ctx, bytes(SVG.replace("<path", "<script>alert(1)</script><path onload='a'")));
    for (const origin of [SHORT, API, `https://${host}`, `https://${foreign.host}`]) {
      const answer = await read(origin + logo);
      const {
        "x-request-id": _,
        "strict-transport-security": __,
        ...headers
      } = Object.fromEntries(answer.headers);
      expect([answer.status, answer.text, headers], origin).toEqual([
        200,
        SVG,
        {
          "content-type": "image/svg+xml",
          "cache-control": "public, max-age=300",
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff",
        },
      ]);
    }
    const urls = [
      `https://${host}/nobody`,
      ...[`/${ended.slug}`, `/${early.slug}`, `/${open.slug}+`].map((path) => SHORT + path),
    ];
    for (const url of urls) {
      const page = await read(url);
      expect(page.text, url).toContain(`<img class="logo" src="${logo}" alt="">`);
      expect(page.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; img-src 'self'",
      );
    }
    expect((await read(`https://${foreign.host}/nobody`)).text).not.toContain("<img");
  });

  it("is nowhere else: 404 without one, for an unknown id, on other hosts, and of a suspended workspace", async () => {
    const { ws, logo } = await scene();
    expect((await read(SHORT + logo)).status).toBe(404);
    await setLogo(ws.ctx, bytes(SVG));
    expect((await read(SHORT + logo)).status).toBe(200);
    for (const id of ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "x", "..%2f"])
      expect((await read(`${SHORT}/.well-known/waymark-logo/${id}`)).status).toBe(404);
    expect((await read(`https://${unique()}.example${logo}`)).status).toBe(404);
    await suspendWorkspace(serviceContext(), ws.slug);
    expect((await read(SHORT + logo)).status).toBe(404);
  });

  it("is not on the pages of a former host, which opens slugs and nothing else", async () => {
    const { ws, ended, logo } = await scene();
    await setLogo(ws.ctx, bytes(SVG));
    await updateWorkspace(ws.ctx, { shows_name: true, name: "Moved" });
    const former = otherInstance({ ...testEnv, FORMER_HOSTS: "old.example" });
    expect((await read(`https://old.example${logo}`, "en", former)).status).toBe(404);
    const page = await read(`https://old.example/${ended.slug}`, "en", former);
    expect([page.status, page.text.includes("Moved"), page.text.includes("<img")]).toEqual([
      410,
      true,
      false,
    ]);
    expect(page.headers.get("content-security-policy")).not.toContain("img-src");
  });

  it("may be a PNG, and is removed again", async () => {
    const { ws, logo, ended } = await scene();
    await setLogo(ws.ctx, await renderPng(qrMatrix("https://s.example/a", "M"), 100, 4));
    const answer = await read(SHORT + logo);
    expect([answer.status, answer.headers.get("content-type"), answer.text.slice(1, 4)]).toEqual([
      200,
      "image/png",
      "PNG",
    ]);
    await setLogo(ws.ctx, null);
    expect((await read(SHORT + logo)).status).toBe(404);
    expect((await read(`${SHORT}/${ended.slug}`)).text).not.toContain("<img");
  });

  it.each([
    ["too large", SVG.replace("M0 0h9", "h1".repeat(10_300))],
    ["no picture", "GIF89a"],
    ["no SVG", "<html/>"],
    ["a broken PNG", "\u0089PNG\r\n\u001a\n"],
  ])("that is %s is refused", async (_, text) => {
    const { ws } = await scene();
    await expect(setLogo(ws.ctx, bytes(text))).rejects.toMatchObject({
      status: 422,
      body: { errors: { file: [expect.any(String)] } },
    });
  });
});

it("all of it is one value of KV, and a page reads no more than without it", async () => {
  const { ws, ended } = await scene();
  const cost = async () => {
    await read(`${SHORT}/${ended.slug}`);
    const cold = counted(otherInstance());
    await read(`${SHORT}/${ended.slug}`, "en", cold.env);
    return cold.trips;
  };
  await updateWorkspace(ws.ctx, { shows_name: true });
  const before = await cost();
  await change(ws, { ended_en: "Bye", button_label: "Shop", button_url: "https://shop.example/" });
  await setLogo(ws.ctx, bytes(SVG));
  expect(await cost()).toEqual(before);
  expect(await kvValue(`workspace:${ws.ctx.workspace.rowId}/`)).toMatchObject({
    brand: {
      name: ws.ctx.workspace.name,
      texts: { ended: { en: "Bye" } },
      button: { label: "Shop", url: "https://shop.example/" },
      logo: { id: ws.ctx.workspace.id, image: SVG },
    },
  });
});

it("no page is larger than 6 KB without its logo", async () => {
  const { ws, ended, host } = await scene();
  await updateWorkspace(ws.ctx, { shows_name: true, colour: "#0f766e", name: "&".repeat(100) });
  await setLogo(ws.ctx, bytes(SVG));
  const sentences = Object.fromEntries(SENTENCE_FIELDS.map((name) => [name, "&".repeat(300)]));
  await change(ws, {
    ...sentences,
    button_label: "&".repeat(40),
    button_url: `https://www.example.com/?${"&".repeat(400)}${"a".repeat(175)}`,
  });
  for (const language of ["fr", "pl"])
    for (const url of [`${SHORT}/${ended.slug}`, `https://${host}/nobody`])
      expect(bytes((await read(url, language)).text).length).toBeLessThanOrEqual(6 * 1024);
  const longer = { button_url: `https://www.example.com/?${"&".repeat(400)}${"a".repeat(176)}` };
  await expect(change(ws, longer)).rejects.toThrow("too long for a page of 6 KB");
});

it("no page is larger than 6 KB with our own sentences beside a long address", async () => {
  const { ws, ended, host } = await scene();
  await updateWorkspace(ws.ctx, { shows_name: true, colour: "#0f766e", name: "&".repeat(100) });
  await setLogo(ws.ctx, bytes(SVG));
  const url = (rest: number) => `https://www.example.com/?${"&".repeat(700)}${"a".repeat(rest)}`;
  await change(ws, { button_label: "Shop", button_url: url(221) });
  for (const language of Object.keys(PAGE_LANGUAGES))
    for (const page of [`${SHORT}/${ended.slug}`, `https://${host}/nobody`])
      expect(bytes((await read(page, language)).text).length).toBeLessThanOrEqual(6 * 1024);
  await expect(change(ws, { button_url: url(222) })).rejects.toThrow("too long for a page of 6 KB");
});

it("an owner sets them in the application, with an entry in the audit trail", async () => {
  const { workspace, browser } = await makeMember();
  const path = `/app/${workspace.slug}/workspace/pages`;
  const ended = await workspace.link({ ends_at: PAST });
  const form = { ended_en: "Thank you", button_label: "Home", button_url: "home.example" };
  expect((await browser.post(path, form)).status).toBe(303);
  const page = await browser.get(path);
  expect(page.text).toContain(">Thank you</textarea>");
  expect(page.text).toContain('value="https://home.example"');
  expect((await read(`${SHORT}/${ended.slug}`)).text).toContain("Thank you");
  const trail = await browser.get(`/app/${workspace.slug}/audit?action=workspace.update`);
  expect(trail.text).toContain("Thank you");
  const refused = await browser.post(path, {
    button_label: "",
    was: JSON.stringify({ ...form, button_url: "https://home.example" }),
    ...{ ended_en: "Thank you", button_url: "https://home.example" },
  });
  expect([refused.status, refused.text.includes("The button needs a label.")]).toEqual([422, true]);
  const long = await browser.post(path, { ended_de: "a".repeat(301) });
  expect([long.status, wordsIn(long.text)]).toEqual([
    422,
    expect.stringContaining("The sentence must not have more than 300 characters."),
  ]);
  const viewer = await signInAs(workspace, "editor");
  expect((await viewer.get(path)).text).not.toContain("Save the logo");
  expect((await viewer.post(path, form)).status).toBe(403);
});

it("a member sees our sentences where there are no own ones, and each page in each language as visitors see it", async () => {
  const { workspace } = await makeMember();
  const viewer = await signInAs(workspace, "viewer");
  const { ctx } = workspace;
  await updateWorkspace(ctx, { shows_name: true, colour: "#0f766e", name: "Shop <1>" });
  await setLogo(ctx, bytes(SVG));
  await changeBranding(
    ctx,
    changedBranding.parse({ ended_de: "Danke!", button_label: "Home", button_url: "https://home.example/" }),
  );
  const { host } = await addDomain(ctx, `${unique()}.example`, true);
  const ended = await workspace.link({ ends_at: PAST });
  const path = `/app/${workspace.slug}/workspace/pages`;
  const settings = (await viewer.get(path)).text;
  for (const [language, ours] of [
    ["en", "There is no link at this address."],
    ["fr", "Il n’y a pas de lien à cette adresse."],
    ["pl", "To, do czego"],
  ])
    expect(settings, language).toMatch(new RegExp(`lang="${language}" placeholder="${ours}`));
  for (const language of Object.keys(PAGE_LANGUAGES))
    for (const [page, url] of [
      ["unknown", `https://${host}/nobody`],
      ["ended", `${SHORT}/${ended.slug}`],
    ] as const) {
      expect(settings).toContain(`href="${path}/preview?page=${page}&amp;language=${language}"`);
      const preview = await viewer.get(`${path}/preview?page=${page}&language=${language}`);
      const real = await read(url, language);
      expect([preview.status, preview.text]).toEqual([200, real.text]);
      expect(preview.headers.get("content-security-policy")).toBe(
        real.headers.get("content-security-policy"),
      );
      expect(preview.headers.get("x-robots-tag")).toBe("noindex");
    }
});
