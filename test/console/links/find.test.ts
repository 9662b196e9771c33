import { describe, expect, it } from "vitest";
import { createAssets } from "../../../src/resources/engagement/asset-service";
import { buildSearchIndex, dropSearchIndex } from "../../../src/resources/links/build-search-index";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { makeWorkspace, serviceContext, type TestWorkspace } from "../../harness";
import { makeMember, type Page } from "../browser";
import { watched } from "../depth";
import { linkTo, wordsIn } from "../form-fields";

const listOf = (ws: TestWorkspace, query: string) => `/app/${ws.slug}/links?${query}`;
const search = (text: string, more = "") => `q=${encodeURIComponent(text)}${more}`;
const slugsOf = ({ text }: Page) =>
  [...text.matchAll(/data-copy="https:\/\/s\.example\/([^"]+)"/g)].map(([, slug]) => slug);
const mark = () => crypto.randomUUID().slice(0, 8);

describe("the search of the web application", () => {
  it("finds words in any order, without accents, in slug, title, destination, tag and group names", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const m = mark();
    const tag = await workspace.tag({ name: "Été sur l’eau" });
    const group = await workspace.group({ name: "Frühling 26" });
    const a = await workspace.link({ title: "Ausflug nach Zürich", slug: `zrh-${m}`, tag_ids: [tag.id] });
    const b = await workspace.link({
      title: "Zurich trip",
      destination_url: "https://www.example.com/straße/öl",
      activity_group_id: group.id,
    });
    const c = await workspace.link({ title: "Other", activity_group_id: group.id, tag_ids: [tag.id] });
    const find = async (text: string) =>
      slugsOf(await browser.get(listOf(workspace, search(text, "&sort=created_at"))));
    for (const [text, found] of [
      ["zurich", [a.slug, b.slug]],
      ["zürich nach", [a.slug]],
      ["ete", [a.slug, c.slug]],
      ["eau zurich", [a.slug]],
      ["fruhling", [b.slug, c.slug]],
      ["ete fruhling", [c.slug]],
      ["strasse", [b.slug]],
      [`zrh-${m}`, [a.slug]],
      ["www.example.com", [a.slug, b.slug, c.slug]],
      ["https://www.example.com/straße/öl/", [b.slug]],
      // Short words, with letters that no generated slug has.
      ["ri", [a.slug, b.slug]],
      ["ol", [b.slug]],
      ["zurich nothing", []],
      ['" OR ""', []],
    ] as const) {
      expect(await find(text), text).toEqual(found);
    }
  });

  it("finds by eight words that many tags and groups have too, with every filter", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const words = ["älpha", "bétaa", "gämma", "déltaa", "épsilon", "zétaa", "étaaa", "thèta"];
    const tags: { id: string }[] = [];
    for (let made = 0; made < 25; made++) {
      tags.push(await workspace.tag({ name: `${words.join(" ")} ${made}` }));
      await workspace.group({ name: `${words.join(" ")} ${made}` });
    }
    const group = await workspace.group({ name: "Other" });
    const slug = `eight-${mark()}`;
    const fields = { slug, title: words.join(" "), channel: "print", external_id: "abc" };
    const tag_ids = tags.slice(0, 2).map(({ id }) => id);
    await workspace.link({ ...fields, tag_ids, activity_group_id: group.id });
    const filters = `&channel=print&activity_group_id=${group.id}&external_id=abc&external_id_prefix=a&slug=${slug}&status=all`;
    for (const number of [2, 8]) {
      for (const more of ["", `&tag=${tag_ids.join("&tag=")}${filters}`]) {
        const page = await browser.get(
          listOf(workspace, search(words.toReversed().slice(0, number).join(" "), more)),
        );
        expect([page.status, slugsOf(page)], `${number} words${more}`).toEqual([200, [slug]]);
      }
    }
  });

  it("finds a pasted short URL whatever the filters are, an old slug and the code of an asset, and says so", async () => {
    const { workspace, browser } = await makeMember();
    const m = mark();
    const link = await workspace.link({ slug: `first-${m}`, title: "Poster" });
    await workspace.link({ title: `About second-${m}` });
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, {
      body: { slug: `second-${m}`, status: "archived" },
    });
    const [asset] = await createAssets(workspace.ctx, { link: link.id, assets: [{ name: "Window" }] });
    const get = (text: string, more = "") => browser.get(listOf(workspace, search(text, more)));
    for (const [text, how] of [
      [`https://s.example/SECOND-${m}?utm_source=mail`, undefined],
      [`s.example/first-${m}`, "found by an old slug"],
      [`https://api.example/${asset?.code}`, "found by the code of Window"],
    ] as const) {
      const page = await get(text, "&channel=none");
      expect(slugsOf(page), text).toEqual([`second-${m}`]);
      expect(page.text.includes("found by"), text).toBe(how !== undefined);
      if (how !== undefined) expect(page.text, text).toContain(how);
    }
    expect(slugsOf(await get("https://s.example/unknown-slug"))).toEqual([]);
    const all = slugsOf(await get(`second-${m}`, "&status=all&sort=-created_at"));
    expect(all[0]).toBe(`second-${m}`);
    expect(all).toHaveLength(2);
  });

  it("finds nothing of another workspace, and no deleted link", async () => {
    const { workspace, browser } = await makeMember();
    const other = await makeWorkspace();
    const m = mark();
    const foreign = await other.link({ slug: `foreign-${m}`, title: `Secret ${m}` });
    const gone = await workspace.link({ slug: `gone-${m}`, title: `Gone ${m}` });
    await deleteLink(workspace.ctx, gone.id);
    for (const text of [m, foreign.short_url, foreign.slug, gone.short_url, gone.slug, `secret ${m}`]) {
      const page = await browser.get(listOf(workspace, search(text, "&status=all")));
      expect([page.status, slugsOf(page)], text).toEqual([200, []]);
      const part = await browser.get(`/app/${workspace.slug}/links/find?${search(text)}`);
      expect(part.text, text).toContain("Nothing is found.");
    }
    expect((await browser.get(`/app/${other.slug}/links/find?q=x`)).status).toBe(404);
  });

  it("answers while the person types with the first links, as a part of a page, as text", async () => {
    const { workspace, browser } = await makeMember("viewer");
    for (let made = 0; made < 9; made++) await workspace.link({ title: `<b>Sale</b> ${made}` });
    const watch = watched();
    const { text, headers } = await browser.get(
      `/app/${workspace.slug}/links/find?q=sale`,
      undefined,
      watch.env,
    );
    expect(watch.depth()).toBeLessThanOrEqual(4);
    expect(headers.get("content-type")).toContain("text/html");
    expect(text).not.toContain("<html");
    expect(text).not.toContain("<b>");
    expect(text.match(/<li>/g)).toHaveLength(8);
    expect(text).toContain("9 links found.");
    expect(text).toContain("Show all");
    expect((await browser.get(`/app/${workspace.slug}/links/find?q=`)).text).toBe("");
  });

  it("counts archived links apart while the person types, as the list does, and has them last unless the text names one", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const m = mark();
    const [first, , last] = [
      await workspace.link({ title: `Market ${m}`, slug: `first-${m}` }),
      await workspace.link({ title: `Market ${m}` }),
      await workspace.link({ title: `Market ${m}`, slug: `last-${m}` }),
    ];
    const find = async (text: string) => {
      const { text: part } = await browser.get(`/app/${workspace.slug}/links/find?${search(text)}`);
      return {
        words: wordsIn(part),
        ids: [...part.matchAll(/\/links\/([0-9A-Z]{26})"/g)].map(([, id]) => id),
      };
    };
    const archive = (id: string) =>
      workspace.call("PATCH", `/api/v1/links/${id}`, { body: { status: "archived" } });
    expect((await find(m)).words).toContain("3 links found. ");
    await archive(last.id);
    const found = await find(m);
    expect(found.words).toContain("2 links found, 1 archived. ");
    expect([found.ids.length, found.ids.at(-1)]).toEqual([3, last.id]);
    expect(wordsIn((await browser.get(listOf(workspace, search(m)))).text)).toContain(" 2 links ");
    expect(wordsIn((await browser.get(listOf(workspace, search(m, "&status=all")))).text)).toContain(
      "3 links, archived ones included",
    );
    expect((await find(`last-${m}`)).ids).toEqual([last.id]);
    expect((await find(`last-${m}`)).words).toContain("1 archived link found. ");
    expect((await find(`first-${m}`)).ids).toEqual([first.id]);
  });

  it("has pages, takes at most three calls of D1 in sequence after the one that asks who is there, and combines with filters", async () => {
    const { workspace, browser } = await makeMember();
    const tag = await workspace.tag({ name: "Sale" });
    const slugs = [];
    for (let made = 0; made < 27; made++) {
      slugs.push((await workspace.link(made % 2 === 0 ? { title: "Sale" } : { tag_ids: [tag.id] })).slug);
    }
    const watch = watched();
    const first = await browser.get(listOf(workspace, "q=sale"), undefined, watch.env);
    expect(watch.depth()).toBeLessThanOrEqual(4);
    const second = await browser.get(linkTo(first));
    expect([...slugsOf(first), ...slugsOf(second)]).toEqual(slugs.toReversed());
    expect(first.text).toContain("27 links, page 1 of 2");
    expect(slugsOf(await browser.get(listOf(workspace, `q=sale&tag=${tag.slug}`)))).toHaveLength(13);
    const beyond = await browser.get(listOf(workspace, "q=sale&page=9999"));
    expect(beyond.text).toContain("There is no page 9,999. The last one is page 2.");
    expect(beyond.text.match(/no page 9,999/g)).toHaveLength(1);
  });

  it("finds assets by name, place and printed code, groups and tags by name, each as a line with its kind", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const other = await makeWorkspace();
    const link = await workspace.link({ title: "Fair" });
    const [asset] = await createAssets(workspace.ctx, {
      link: link.id,
      assets: [{ name: "Fenster <b>links</b>", place: "Zürich HB" }, { name: "Fahne" }],
    });
    const group = await workspace.group({ name: "Frühling in Zürich" });
    const tag = await workspace.tag({ name: "Zürich Nord" });
    await createAssets(other.ctx, { link: (await other.link()).id, assets: [{ name: "Zürich fremd" }] });
    await other.tag({ name: "Zürich fremd" });
    await other.group({ name: "Zürich fremd" });
    const home = `/app/${workspace.slug}`;
    const lines = {
      asset: `href="${home}/assets/${asset?.id}"`,
      group: `href="${home}/groups/${group.id}"`,
      tag: `href="${home}/tags/${tag.id}"`,
    };
    for (const [text, expected] of [
      ["zurich", ["asset", "group", "tag"]],
      ["hb fenster", ["asset"]],
      ["nord ZÜRICH", ["tag"]],
      [asset?.code ?? "", ["asset"]],
      [`s.example/${asset?.code.toUpperCase()}`, ["asset"]],
      ["fremd", []],
      ["<b>links</b>", ["asset"]],
    ] as const) {
      for (const path of [
        `${home}/links/find?${search(text)}`,
        listOf(workspace, search(text, "&status=all")),
      ]) {
        const watch = watched();
        const page = await browser.get(path, undefined, watch.env);
        const found = Object.entries(lines).flatMap(([kind, line]) => (page.text.includes(line) ? kind : []));
        expect(found, path).toEqual(expected);
        expect(watch.depth(), path).toBeLessThanOrEqual(4);
        expect(page.text, path).not.toContain("<b>links");
        expect(page.text.includes("Zürich fremd"), path).toBe(false);
      }
    }
    const { text } = await browser.get(`${home}/links/find?${search("zurich")}`);
    const kinds = [...text.matchAll(/block">([^<,]*)/g)].map(([, kind]) => kind?.split(" s.example")[0]);
    expect(kinds).toEqual(["Group", "Tag", "Poster"]);
    expect((await browser.get(`${home}/links/find?${search("fair")}`)).text).toContain("Link s.example/");
  });

  it("shows a campaign before links, but after the link that is addressed, and says what is found without links", async () => {
    const { workspace, browser } = await makeMember();
    const m = mark();
    const group = await workspace.group({ name: `Sale-${m}` });
    for (let made = 0; made < 3; made++) await workspace.link({ title: `About sale-${m} ${made}` });
    const link = await workspace.link({ slug: `sale-${m}` });
    const find = async (text: string) =>
      (await browser.get(`/app/${workspace.slug}/links/find?${search(text)}`)).text;
    const lines = [...(await find(`sale-${m}`)).matchAll(/href="[^"]*\/(links|groups)\/([0-9A-Z]{26})"/g)];
    expect(lines.map(([, kind]) => kind)).toEqual(["links", "groups", "links", "links", "links"]);
    expect(lines.slice(0, 2).map(([, , id]) => id)).toEqual([link.id, group.id]);
    await createAssets(workspace.ctx, { link: link.id, assets: [{ name: `Banner${m}` }] });
    const others = await find(`banner${m}`);
    expect(others).toContain("No link matches. These do:");
    expect(others).not.toContain("Nothing is found.");
  });

  it("finds words while the search index is dropped, and after it is rebuilt", async () => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link({ title: "Žižkov" });
    const find = async (text: string) => slugsOf(await browser.get(listOf(workspace, search(text))));
    await dropSearchIndex(serviceContext());
    expect([await find("žižkov"), await find("zizkov")]).toEqual([[link.slug], [link.slug]]);
    await buildSearchIndex(serviceContext());
    expect([await find("žižkov"), await find("zizkov")]).toEqual([[link.slug], [link.slug]]);
  });
});
