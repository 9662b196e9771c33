import { afterEach, describe, expect, it, vi } from "vitest";
import { addDomain, listDomains } from "../../../src/resources/domains/domain-service";
import { makeWorkspace, otherInstance, SHORT, send } from "../../harness";
import { runSql, selectRows } from "../../sql";
import { makeMember, type Page } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

const hostname = () => `go.${crypto.randomUUID().slice(0, 8)}.example`;

afterEach(() => void vi.unstubAllGlobals());

/** The network: a resolver with TXT records, and a host that answers with a mark. */
function answer(network: { records: string[]; mark: string }) {
  vi.stubGlobal("fetch", async (url: URL | string) =>
    String(url).includes("/.well-known/waymark")
      ? Response.json({ installation: network.mark })
      : Response.json({ Answer: network.records.map((data) => ({ type: 16, data })) }),
  );
}

const leadsTo = async (url: string) =>
  (await send(new Request(url, { redirect: "manual" }), otherInstance())).headers.get("location");

it("an owner is led from a host to a link that works on it", async () => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/domains`;
  const host = hostname();
  const network = { records: [] as string[], mark: "" };
  answer(network);
  const added = await browser.post(pages, { host: `${host.toUpperCase()}.` });
  expect(added.location).toBe(`${pages}/${host}`);
  const { text } = await browser.get(`${pages}/${host}`);
  const record = />(waymark=[a-z0-9]{32})<\/pre>/.exec(text)?.[1] ?? "";
  expect(text).toContain(`>_waymark.${host}</pre>`);

  const stateAfterCheck = async () => {
    await browser.post(`${pages}/${host}/check`);
    return (await listDomains(workspace.ctx))[0]?.state;
  };
  expect(await stateAfterCheck()).toBe("pending");
  network.records = [`"${record}"`];
  expect(await stateAfterCheck()).toBe("verified");
  network.mark = workspace.ctx.config.installation;
  expect(await stateAfterCheck()).toBe("active");

  const addresses = { root_url: "www.example.com/home", not_found_url: "" };
  expect((await browser.post(`${pages}/${host}`, addresses)).location).toBe(`${pages}/${host}`);
  expect(await leadsTo(`https://${host}/`)).toBe("https://www.example.com/home");
  const wrong = { root_url: `https://${host}/`, not_found_url: "x" };
  const refused = await browser.post(`${pages}/${host}`, wrong);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("The address must be an address such as");

  expect((await browser.post(`${pages}/${host}/primary`)).location).toBe(pages);
  expect(wordsIn((await browser.get(pages)).text)).toContain(`New links are made on ${host} , unless`);
  const form = await browser.get(`/app/${workspace.slug}/links/new`);
  expect(form.text).toContain(`<option value="${host}" selected="">`);
  const link = { destination_url: "www.example.com/sale", domain: host, slug: "sale" };
  await browser.post(`/app/${workspace.slug}/links/new`, link);
  expect(await leadsTo(`https://${host}/sale`)).toBe("https://www.example.com/sale");

  const history = wordsIn((await browser.get(`/app/${workspace.slug}/audit?action=domain`)).text);
  for (const said of ["added the domain", "chose the domain", "changed the domain"])
    expect(history).toContain(`${said} ${host}`);
  expect(history).toContain(`${host} for new links`);

  const inUse = await browser.post(`${pages}/${host}/remove`);
  expect([inUse.status, inUse.text.includes("The host is in use")]).toEqual([422, true]);
  await browser.post(`${pages}/s.example/primary`);
  expect((await listDomains(workspace.ctx))[0]?.is_primary).toBe(false);
});

describe("the page of domains", () => {
  it("says that a host no longer leads here, until the owner's look finds that it does", async () => {
    const { workspace, browser } = await makeMember();
    const pages = `/app/${workspace.slug}/domains`;
    const { host } = await addDomain(workspace.ctx, hostname(), true);
    await runSql`update domains set state = 'active', failing_since = 0 where host = ${host}`;
    expect((await browser.get(pages)).text).toContain("The domain no longer leads here");
    answer({ records: [], mark: workspace.ctx.config.installation });
    expect((await browser.get(`${pages}/${host}`)).text).toContain("1 Jan 1970, 00:00 UTC</time>. Check");
    await browser.post(`${pages}/${host}/check`);
  });

  it("reads the host of an address that is pasted", async () => {
    const { workspace, browser } = await makeMember("owner");
    const pages = `/app/${workspace.slug}/domains`;
    for (const [before, after] of [
      ["https://", "/"],
      ["HTTP://", "/summer?a=1#b"],
      ["", "/"],
    ]) {
      const host = hostname();
      const added = await browser.post(pages, { host: `${before}${host}${after}` });
      expect(added.location).toBe(`${pages}/${host}`);
    }
    for (const host of [
      "https://",
      "https://a@go.acme.example/",
      "ftp://go.acme.example/",
      "go.acme.example:80",
    ])
      expect((await browser.post(pages, { host })).status).toBe(422);
  });

  it("forgets a host that was never proved", async () => {
    const { workspace, browser } = await makeMember();
    const pages = `/app/${workspace.slug}/domains`;
    const host = hostname();
    await browser.post(pages, { host });
    expect((await browser.post(`${pages}/${host}/remove`)).location).toBe(pages);
    const results = await selectRows`select 1 from domains where host = ${host}`;
    expect(results).toEqual([]);
  });
});

it("links are listed by domain and moved to one together, and their addresses so far go on working", async () => {
  const { workspace, browser } = await makeMember();
  const { host } = await addDomain(workspace.ctx, hostname(), true);
  const links = `/app/${workspace.slug}/links`;
  const make = (slug: string, domain: string | null) =>
    workspace.link({ destination_url: `https://www.example.com/${slug}`, slug, domain });
  const id = crypto.randomUUID().slice(0, 6);
  const [first, second] = [await make(`a${id}`, null), await make(`b${id}`, null)];
  const there = await make(`b${id}`, host);
  const ids = [first.id, second.id, there.id];
  const moved = await browser.post(`${links}/change`, { ids, change: "domain", to_domain: host });
  expect(moved.location).toBe(links);
  const { text } = await browser.get(links);
  expect(text).toContain(`Moved 1 link to “\u2068${host}\u2069”. Their addresses so far go on working.`);
  expect(text).toContain(`Not changed: b${id}. The slug is taken.`);
  for (const address of [`https://${host}/a${id}`, `${SHORT}/a${id}`])
    expect(await leadsTo(address)).toBe(`https://www.example.com/a${id}`);
  expect((await browser.get(`${links}?domain=${host}`)).text).not.toContain(`${SHORT}/b${id}`);
  expect((await browser.get(`${links}?domain=s.example`)).text).toContain(`${SHORT}/b${id}`);

  const foreign = await addDomain((await makeWorkspace()).ctx, hostname(), true);
  for (const to_domain of ["", foreign.host])
    expect((await browser.post(`${links}/change`, { ids, change: "domain", to_domain })).status).toBe(422);
});

it("assets of a link on a domain are made from its page, from what the field suggests, and found by slug or code", async () => {
  const { workspace, browser } = await makeMember("editor");
  const { host } = await addDomain(workspace.ctx, hostname(), true);
  const slug = `walk-${crypto.randomUUID().slice(0, 8)}`;
  const link = await workspace.link({ slug, domain: host });
  const assets = `/app/${workspace.slug}/assets`;
  const make = async (form: Page, name: string) => {
    const made = await browser.post(`${assets}/new`, { ...fieldsOf(form), name });
    expect(made.status, wordsIn(made.text)).toBe(303);
    return made.location ?? "";
  };
  const page = await browser.get(`${assets}/new?link=${link.id}`);
  expect(fieldsOf(page)).toMatchObject({ link: `${host}/${slug}` });
  const asset = await make(page, "Poster 7");
  const suggested = await browser.get(`/app/${workspace.slug}/links/suggest?q=${slug}`);
  expect(suggested.text).toContain(`${host}/${slug}`);
  const several = await browser.get(`${assets}/several?link=${link.id}`);
  expect(fieldsOf(several)).toMatchObject({ link: `${host}/${slug}` });
  // A slug alone is that of the short host, or else of one of the domains.
  expect((await browser.get(`${assets}?link=${slug}`)).text).toContain("Poster 7");
  await workspace.link({ slug });
  expect((await browser.get(`${assets}?link=${slug}`)).text).not.toContain("Poster 7");
  expect((await browser.get(`${assets}?link=${host}/${slug}`)).text).toContain("Poster 7");
  const twins = `twin-${slug}`;
  await workspace.link({ slug: twins, domain: host });
  await workspace.link({ slug: twins, domain: (await addDomain(workspace.ctx, hostname(), true)).host });
  expect((await browser.get(`${assets}?link=${twins}`)).text).toContain(
    "No link or poster of this workspace has",
  );
  const code = /the code (\w+) opens/.exec(wordsIn((await browser.get(asset)).text))?.[1];
  expect((await browser.get(`${assets}?link=${code}`)).location).toBe(asset);
});

it("an older form does not overwrite the addresses of a host, and says what they are now", async () => {
  const { workspace, browser } = await makeMember();
  const { host } = await addDomain(workspace.ctx, hostname(), true);
  const page = `/app/${workspace.slug}/domains/${host}`;
  const addressesIn = ({ text }: { text: string }) => fieldsOf({ text: text.split('id="apps"')[0] ?? "" });
  const { etag = "" } = addressesIn(await browser.get(page));
  const save = (root_url: string, tag = etag) =>
    browser.post(page, { root_url, not_found_url: "", etag: tag });
  expect((await save("https://theirs.example/")).status).toBe(303);
  const refused = await save("https://mine.example/");
  expect([refused.status, addressesIn(refused)["root_url"]]).toEqual([412, "https://mine.example/"]);
  expect(wordsIn(refused.text)).toContain("Saved meanwhile: https://theirs.example/, none");
  expect((await save("https://mine.example/", addressesIn(refused)["etag"])).status).toBe(303);
});
