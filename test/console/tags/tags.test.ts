import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/lib/time";
import { makeMember } from "../browser";
import { click } from "../clicks";
import { fieldsOf } from "../form-fields";
import { linkOf } from "../state";

describe("the page of tags", () => {
  it("lists every tag by name with the number of its links, archived too, and links to them", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const sale = await workspace.tag({ name: "Sale", slug: "sale", colour: "#0f766e", description: "Cheap" });
    await workspace.tag({ name: "anniversary", colour: "our blue" });
    await workspace.link({ tag_ids: [sale.id] });
    const archived = await workspace.link({ tag_ids: [sale.id] });
    await workspace.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    const { text } = await browser.get(`/app/${workspace.slug}/tags`);
    expect(text.indexOf("anniversary")).toBeLessThan(text.indexOf("Sale"));
    expect(text).toContain(`href="/app/${workspace.slug}/links?tag=sale&amp;status=all"`);
    expect(text).toContain("2 links with Sale");
    expect(text).toContain("(1 archived)");
    expect(text).toContain('<circle cx="6" cy="6" r="6" fill="#0f766e">');
    expect(text.match(/<circle/g)).toHaveLength(1);
  });

  it("has them in natural order, in pages of fifty, with a filter", async () => {
    const { workspace, browser } = await makeMember("viewer");
    for (let number = 1; number <= 60; number++) await workspace.tag({ name: `Tag ${number}` });
    await workspace.tag({ name: "étoile", description: "A star" });
    const path = `/app/${workspace.slug}/tags`;
    const namesIn = (text: string) => [...text.matchAll(/<bdi>([^<]*)<\/bdi><\/a>/g)].map(([, name]) => name);
    const first = (await browser.get(path)).text;
    expect(namesIn(first)).toEqual([
      "étoile",
      ...Array.from({ length: 49 }, (_, index) => `Tag ${index + 1}`),
    ]);
    expect(first).toContain("61 tags, of at most 1,000, page 1 of 2");
    expect(first).toContain(`href="${path}?page=2" rel="next"`);
    const last = (await browser.get(`${path}?page=9999`)).text;
    expect(namesIn(last)).toEqual(Array.from({ length: 11 }, (_, index) => `Tag ${index + 50}`));
    for (const [q, names] of [
      ["TAG 6", ["Tag 6", "Tag 60"]],
      ["star", ["étoile"]],
      ["tag-11", ["Tag 11"]],
      ["nothing", []],
    ] as const) {
      const { text } = await browser.get(`${path}?q=${encodeURIComponent(q)}&last=7`);
      expect(namesIn(text)).toEqual(names);
      expect(text).toContain('<input type="hidden" name="last" value="7"/>');
    }
  });

  it("shows the clicks and scans of the range for each tag, with bars of one scale", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const [busy, calm, unused] = [
      await workspace.tag({ name: "Busy" }),
      await workspace.tag({ name: "Calm" }),
      await workspace.tag({ name: "Unused" }),
    ];
    const both = await workspace.link({ tag_ids: [busy.id, calm.id] });
    const one = await workspace.link({ tag_ids: [busy.id] });
    await click(workspace, both.id, Date.now() - DAY_MS, {
      clicks: 1_000,
      scans: 500,
      bots: 9,
      after_end: 9,
    });
    await click(workspace, one.id, Date.now() - 3 * DAY_MS, { clicks: 1_500 });
    await click(workspace, one.id, Date.now() - 60 * DAY_MS, { clicks: 7 });
    const path = `/app/${workspace.slug}/tags`;
    const rows = async (query: string) =>
      (await browser.get(`${path}${query}`)).text
        .split('<th scope="row">')
        .slice(1)
        .map((row) => [
          /<bdi>([^<]*)</.exec(row)?.[1],
          /data-label="Visits" class="number">([\d,]+)/.exec(row)?.[1],
          /<rect width="([\d.]+)" height="4">/.exec(row.split("track")[1] ?? "")?.[1],
        ]);
    expect(await rows("")).toEqual([
      ["Busy", "3,000", "100"],
      ["Calm", "1,500", "50"],
      ["Unused", "0", "0"],
    ]);
    expect((await rows("?last=90"))[0]).toEqual(["Busy", "3,007", "100"]);
    expect((await browser.get(`${path}?last=90`)).text).toContain(`href="${path}/${unused.id}?last=90"`);
  });

  it.each([
    ["of the palette", { swatch: "#0f766e", colour: "" }, "#0f766e", ["#0f766e", ""]],
    ["of their own", { swatch: "other", colour: "#123456" }, "#123456", ["other", "#123456"]],
    ["that is none, whatever the text says", { swatch: "", colour: "#123456" }, null, ["", ""]],
    ["as a text alone", { colour: "teal" }, "teal", ["other", "teal"]],
  ])("makes a tag with a colour %s", async (_, fields, stored, shown) => {
    const { workspace, browser } = await makeMember("editor");
    const path = `/app/${workspace.slug}/tags`;
    expect((await browser.post(path, { name: "Sale", ...fields })).status).toBe(303);
    const [{ id, colour }] = (await workspace.call("GET", "/api/v1/tags")).body.tags;
    expect(colour).toBe(stored);
    const page = (await browser.get(`${path}/${id}`)).text;
    const chosen = /name="swatch" value="([^"]*)" checked=""/.exec(page)?.[1];
    expect([chosen, /value="([^"]*)"[^>]*name="colour"/.exec(page)?.[1]]).toEqual(shown);
  });

  it("creates a tag with a slug from its name, and says so", async () => {
    const { workspace, browser } = await makeMember("editor");
    const fields = { slug: "", colour: "", description: "" };
    const made = await browser.post(`/app/${workspace.slug}/tags`, { name: " Été à Zürich ", ...fields });
    expect([made.status, made.location]).toEqual([303, `/app/${workspace.slug}/tags`]);
    const { text } = await browser.get(`/app/${workspace.slug}/tags`);
    expect(text).toContain('<code class="soft">ete-a-zurich</code>');
    expect((await browser.get(`/app/${workspace.slug}/tags`)).text).not.toContain("is created");
  });
});

describe("a tag's page", () => {
  it("shows the visits of its links in the range, and its most visited links", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const tag = await workspace.tag({ name: "Sale", description: "<Cheap>" });
    const [first, second] = [
      await workspace.link({ tag_ids: [tag.id], title: "First" }),
      await workspace.link({ tag_ids: [tag.id], title: "Second" }),
    ];
    const outside = await workspace.link();
    await click(workspace, first.id, Date.now() - 40 * DAY_MS, { clicks: 100 });
    await click(workspace, first.id, Date.now() - DAY_MS, { clicks: 10, country: "DE" });
    await click(workspace, second.id, Date.now() - DAY_MS, { clicks: 20, scans: 10 });
    await click(workspace, outside.id, Date.now() - DAY_MS, { clicks: 99 });
    const path = `/app/${workspace.slug}/tags/${tag.id}`;
    const linksOn = (text: string) =>
      (text.split("Links with this tag by clicks and scans")[1] ?? "")
        .split('<th scope="row">')
        .slice(1)
        .map((row) => [
          /<bdi>([^<]*)</.exec(row)?.[1],
          ...["Clicks", "Scans", "Share"].map(
            (label) => new RegExp(`data-label="${label}"[^>]*>([^<]*)`).exec(row)?.[1],
          ),
        ]);
    const month = (await browser.get(path)).text;
    expect(month).toContain('<p class="stat"><strong>30</strong> <span>clicks</span>');
    expect(month).toContain("▼ 70%");
    expect(month).toContain("<bdi>Germany</bdi>");
    expect(month).toContain("&lt;Cheap&gt;");
    expect(linksOn(month)).toEqual([
      ["Second", "20", "10", "75%"],
      ["First", "10", "0", "25%"],
    ]);
    expect(linksOn((await browser.get(`${path}?last=90`)).text)[0]).toEqual(["First", "110", "0", "79%"]);
  });

  it("edits the tag, and derives an emptied slug again", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Sale", slug: "old", colour: "teal", description: "Cheap" });
    const path = `/app/${workspace.slug}/tags/${tag.id}`;
    const shown = fieldsOf(await browser.get(path));
    expect(shown).toMatchObject({ name: "Sale", slug: "old" });
    const changed = { name: "Sales", slug: "", colour: "", swatch: "", description: "Very cheap" };
    const saved = await browser.post(path, { ...shown, ...changed });
    expect([saved.status, saved.location]).toEqual([303, `/app/${workspace.slug}/tags`]);
    expect((await workspace.call("GET", "/api/v1/tags")).body.tags).toEqual([
      { id: tag.id, name: "Sales", slug: "sales", colour: null, description: "Very cheap" },
    ]);
  });

  it("keeps what somebody has changed in the meantime, and what was typed if it is refused", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Sale", colour: "teal" });
    await workspace.tag({ name: "Taken" });
    const path = `/app/${workspace.slug}/tags/${tag.id}`;
    const { was = "" } = fieldsOf(await browser.get(path));
    const body = { name: "Bargains", colour: "#0f766e" };
    await workspace.call("PATCH", `/api/v1/tags/${tag.id}`, { body });
    const mine = { was, name: "Sale", slug: "offers", colour: "teal", description: "Cheap" };
    const refused = await browser.post(path, { ...mine, name: "Taken" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="offers"');
    expect(fieldsOf(refused)["was"]).toEqual(was);
    expect((await browser.post(path, mine)).status).toBe(303);
    const { tags } = (await workspace.call("GET", "/api/v1/tags")).body;
    expect(tags[0]).toEqual({ id: tag.id, ...body, slug: "offers", description: "Cheap" });
  });

  it("says how many links lose the tag, and deletes it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Sale" });
    const link = await workspace.link({ tag_ids: [tag.id] });
    await workspace.link({ tag_ids: [tag.id] });
    const page = await browser.get(`/app/${workspace.slug}/tags/${tag.id}`);
    expect(page.text).toContain("“\u2068Sale\u2069” is removed from 2 links and deleted.");
    const gone = await browser.post(`/app/${workspace.slug}/tags/${tag.id}/delete`);
    expect([gone.status, gone.location]).toEqual([303, `/app/${workspace.slug}/tags`]);
    expect((await linkOf(workspace, link.id)).tags).toEqual([]);
  });

  it("merges the tag into another, and redirects to it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [sale, offers] = [await workspace.tag({ name: "Sale" }), await workspace.tag({ name: "Offers" })];
    const link = await workspace.link({ tag_ids: [sale.id] });
    const page = await browser.get(`/app/${workspace.slug}/tags/${sale.id}`);
    expect(page.text).toContain(`<option value="${offers.id}">Offers</option>`);
    expect(page.text).not.toContain(`<option value="${sale.id}">`);
    const merged = await browser.post(`/app/${workspace.slug}/tags/${sale.id}/merge`, { into: offers.id });
    expect([merged.status, merged.location]).toEqual([303, `/app/${workspace.slug}/tags/${offers.id}`]);
    expect((await linkOf(workspace, link.id)).tags).toEqual([offers]);
  });
});
