import { describe, expect, it } from "vitest";
import { counted, makeWorkspace } from "../../harness";
import { makeMember, signInAs } from "../browser";

const UNKNOWN = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

describe("the page of tags", () => {
  it("explains what to do if it is empty; to a viewer what is missing", async () => {
    const { workspace, browser } = await makeMember("editor");
    const page = await browser.get(`/app/${workspace.slug}/tags`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Create the first one here");
    const viewer = await signInAs(workspace, "viewer");
    const seen = await viewer.get(`/app/${workspace.slug}/tags`);
    expect(seen.text).toContain("Nobody has made one yet.");
    expect(seen.text).not.toContain('<button type="submit" class="primary"');
  });

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
    expect(text).toContain("our blue");
    expect(text.match(/<circle/g)).toHaveLength(1);
  });

  it("creates a tag with a slug from its name, and says so", async () => {
    const { workspace, browser } = await makeMember("editor");
    const made = await browser.post(`/app/${workspace.slug}/tags`, {
      name: " Été à Zürich ",
      slug: "",
      colour: "",
      description: "",
    });
    expect([made.status, made.location]).toEqual([303, `/app/${workspace.slug}/tags`]);
    const { text } = await browser.get(`/app/${workspace.slug}/tags`);
    expect(text).toContain("The tag “\u2068Été à Zürich\u2069” is created.");
    expect(text).toContain('<code class="soft">ete-a-zurich</code>');
    expect((await browser.get(`/app/${workspace.slug}/tags`)).text).not.toContain("is created");
  });

  it("shows a refused form with what was typed and the reason", async () => {
    const { workspace, browser } = await makeMember("editor");
    await workspace.tag({ name: "Sale" });
    const taken = await browser.post(`/app/${workspace.slug}/tags`, { name: "SALE", description: "again" });
    expect(taken.status).toBe(422);
    expect(taken.text).toContain('<p class="refused" id="name-refusal">The name has already been taken.</p>');
    expect(taken.text).toContain('value="SALE"');
    expect(taken.text).toContain("again</textarea>");
    const wrong = await browser.post(`/app/${workspace.slug}/tags`, { name: "", slug: "No!" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("The name field is required.");
    expect(wrong.text).toContain("only contain lowercase letters");
  });

  it("shows what people typed as text", async () => {
    const { workspace, browser } = await makeMember("editor");
    const hostile = `"><script>alert(1)</script>\u202e${"🦊".repeat(20)}`;
    await browser.post(`/app/${workspace.slug}/tags`, {
      name: hostile,
      colour: "url(https://evil.example)",
      description: hostile,
    });
    const list = await browser.get(`/app/${workspace.slug}/tags`);
    const [tag] = (await workspace.call("GET", "/api/v1/tags")).body.tags;
    const page = await browser.get(`/app/${workspace.slug}/tags/${tag.id}`);
    for (const { text } of [list, page]) {
      expect(text).not.toContain("<script>alert");
      expect(text).not.toContain("<circle");
      expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    }
  });
});

describe("a tag's page", () => {
  const formOf = (text: string) => ({
    version: /name="version" value="([^"]*)"/.exec(text)?.[1]?.replaceAll("&quot;", '"') ?? "",
  });

  it("edits the tag, and derives an emptied slug again", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Sale", slug: "old", colour: "teal", description: "Cheap" });
    const path = `/app/${workspace.slug}/tags/${tag.id}`;
    const page = await browser.get(path);
    expect(page.text).toContain('value="Sale"');
    const saved = await browser.post(path, {
      ...formOf(page.text),
      name: "Sales",
      slug: "",
      colour: "",
      description: "Very cheap",
    });
    expect([saved.status, saved.location]).toEqual([303, `/app/${workspace.slug}/tags`]);
    expect((await workspace.call("GET", "/api/v1/tags")).body.tags).toEqual([
      { id: tag.id, name: "Sales", slug: "sales", colour: null, description: "Very cheap" },
    ]);
  });

  it("refuses an edit if somebody changed the tag in the meantime, and accepts it when sent again", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Sale" });
    const path = `/app/${workspace.slug}/tags/${tag.id}`;
    const { text } = await browser.get(path);
    await workspace.call("PATCH", `/api/v1/tags/${tag.id}`, { body: { name: "Bargains" } });
    const mine = { name: "Offers", slug: "offers", colour: "", description: "" };
    const stale = await browser.post(path, { ...formOf(text), ...mine });
    expect(stale.status).toBe(412);
    expect(stale.text).toContain("Somebody has changed it to this meanwhile.");
    expect(stale.text).toContain("<dd>Bargains</dd>");
    expect(stale.text).toContain('value="Offers"');
    expect((await browser.post(path, mine)).status).toBe(412);
    expect((await browser.post(path, { ...formOf(stale.text), ...mine })).status).toBe(303);
    expect((await workspace.call("GET", "/api/v1/tags")).body.tags[0].name).toBe("Offers");
  });

  it("says how many links lose the tag, and deletes it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Sale" });
    const link = await workspace.link({ tag_ids: [tag.id] });
    await workspace.link({ tag_ids: [tag.id] });
    const page = await browser.get(`/app/${workspace.slug}/tags/${tag.id}`);
    expect(page.text).toContain("“\u2068Sale\u2069” is taken from 2 links and deleted.");
    const gone = await browser.post(`/app/${workspace.slug}/tags/${tag.id}/delete`);
    expect([gone.status, gone.location]).toEqual([303, `/app/${workspace.slug}/tags`]);
    expect((await browser.get(`/app/${workspace.slug}/tags`)).text).toContain("The tag is deleted.");
    expect((await workspace.call("GET", `/api/v1/links/${link.id}`)).body.tags).toEqual([]);
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
    expect((await browser.get(`/app/${workspace.slug}/tags/${offers.id}`)).text).toContain(
      "The tags are merged: their links carry “\u2068Offers\u2069”.",
    );
    expect((await workspace.call("GET", `/api/v1/links/${link.id}`)).body.tags).toEqual([offers]);
  });

  it.each([
    ["none", ""],
    ["an unknown one", UNKNOWN],
  ])("is not merged into %s", async (_, into) => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Sale" });
    await workspace.tag({ name: "Offers" });
    const answer = await browser.post(`/app/${workspace.slug}/tags/${tag.id}/merge`, { into });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('<p class="refused" id="into-refusal">The selected tag is invalid.</p>');
    expect(answer.text).toContain('<details class="dangerous" open="">');
  });
});

describe("tags of the web application", () => {
  const writes = (workspace: string, id: string): [string, Record<string, string>][] => [
    [`/app/${workspace}/tags`, { name: "Another" }],
    [`/app/${workspace}/tags/${id}`, { name: "Another" }],
    [`/app/${workspace}/tags/${id}/merge`, { into: id }],
    [`/app/${workspace}/tags/${id}/delete`, {}],
  ];

  it("are read-only for a viewer", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const tag = await workspace.tag({ name: "Sale" });
    for (const [path, fields] of writes(workspace.slug, tag.id)) {
      expect([path, (await browser.post(path, fields)).status]).toEqual([path, 403]);
    }
    const page = await browser.get(`/app/${workspace.slug}/tags/${tag.id}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(`<form method="post" action="/app/${workspace.slug}`);
    expect((await workspace.call("GET", "/api/v1/tags")).body.tags).toEqual([tag]);
  });

  it("of another workspace are not found and cannot be merged", async () => {
    const { workspace, browser } = await makeMember();
    const other = await makeWorkspace();
    const own = await workspace.tag();
    const foreign = await other.tag();
    for (const id of [foreign.id, UNKNOWN, "sale"]) {
      expect((await browser.get(`/app/${workspace.slug}/tags/${id}`)).status).toBe(404);
      for (const [path, fields] of writes(workspace.slug, id).slice(1)) {
        expect([path, (await browser.post(path, fields)).status]).toEqual([path, 404]);
      }
    }
    const merged = await browser.post(`/app/${workspace.slug}/tags/${own.id}/merge`, { into: foreign.id });
    expect(merged.status).toBe(422);
    expect((await browser.get(`/app/${other.slug}/tags`)).status).toBe(404);
    expect((await other.call("GET", "/api/v1/tags")).body.tags).toEqual([foreign]);
  });

  it("take at most three round trips a page", async () => {
    const { workspace, browser } = await makeMember();
    const tag = await workspace.tag({ name: "Sale" });
    const path = `/app/${workspace.slug}/tags`;
    const trips = async (ask: (environment: ReturnType<typeof counted>["env"]) => Promise<unknown>) => {
      const { env, trips } = counted();
      await ask(env);
      return trips.d1;
    };
    expect(await trips((env) => browser.get(path, {}, env))).toBe(2);
    expect(await trips((env) => browser.get(`${path}/${tag.id}`, {}, env))).toBe(2);
    expect(await trips((env) => browser.post(path, { name: "New" }, {}, env))).toBe(3);
    expect(await trips((env) => browser.post(path, { name: "sale" }, {}, env))).toBe(3);
    expect(await trips((env) => browser.post(`${path}/${tag.id}`, { name: "Sale" }, {}, env))).toBe(3);
    const [other] = (await workspace.call("GET", "/api/v1/tags")).body.tags;
    expect(await trips((env) => browser.post(`${path}/${tag.id}/merge`, { into: other.id }, {}, env))).toBe(
      3,
    );
    expect(await trips((env) => browser.post(`${path}/${other.id}/delete`, {}, {}, env))).toBe(3);
  });
});
