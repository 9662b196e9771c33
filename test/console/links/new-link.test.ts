import { describe, expect, it } from "vitest";
import type { Link } from "../../../src/resources/links/link-schema";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { selectRows } from "../../sql";
import { type Browser, makeMember, type Page } from "../browser";
import { watched } from "../depth";
import { fieldsOf, wordsIn } from "../form-fields";
import { linkOf, setTagCount, tagsOf, tagsOn } from "../state";

const DESTINATION = "https://www.example.com/";
const pathOf = (ws: TestWorkspace, rest: string) => `/app/${ws.slug}/links${rest}`;
const name = (text: string) => `${text} ${crypto.randomUUID().slice(0, 8)}`;

/** Sends the form of a new link, and returns the link. */
async function create(
  ws: TestWorkspace,
  browser: Pick<Browser, "get" | "post">,
  fields: object,
): Promise<Link> {
  const path = pathOf(ws, "/new");
  const answer = await browser.post(path, { ...fieldsOf(await browser.get(path)), ...fields });
  expect(answer.status, wordsIn(answer.text).slice(0, 2_000)).toBe(303);
  return linkOf(ws, answer.location?.split(/[/=]/).at(-1) ?? "");
}

describe("the form of a new link", () => {
  it("supplies https:// where the scheme is missing, and shows it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { destination_url, ended_url } = await create(workspace, browser, {
      destination_url: "www.example.com/a?b#c",
      ended_url: "example.org",
      ends_at: "2090-01-01T00:00",
    });
    expect([destination_url, ended_url]).toEqual(["https://www.example.com/a?b#c", "https://example.org"]);
    const page = await browser.post(pathOf(workspace, "/new"), {
      destination_url: "www.example.com/a",
      preview: "1",
    });
    expect(fieldsOf(page)).toMatchObject({ destination_url: "https://www.example.com/a" });
    const refused = await browser.post(pathOf(workspace, "/new"), { destination_url: "shop" });
    expect(fieldsOf(refused)).toMatchObject({ destination_url: "shop" });
    expect(wordsIn(refused.text)).toContain(
      "The destination must be an address such as https://www.example.com/page.",
    );
  });

  it("says every error with the name of its field, links to it, focuses it, and keeps what was typed", async () => {
    const { workspace, browser } = await makeMember("editor");
    const page = await browser.post(pathOf(workspace, "/new"), {
      destination_url: "javascript:alert(1)",
      slug: "api",
      title: `"<b>${"x".repeat(256)}`,
      tag_ids: "01JZ8Q4V6T3K9M2N5P7R8S0W1X",
      ends_at: "soon",
    });
    const summary = /<div class="refusal" role="alert">.*?<\/div>/s.exec(page.text)?.[0] ?? "";
    expect([...summary.matchAll(/<a href="#(\w+)">([^<]*)</g)].map(([, ...found]) => found)).toEqual([
      ["destination_url", "The destination must use http or https."],
      ["slug", "The short link api is reserved."],
      ["title", "The title must not have more than 255 characters."],
      ["ends_at", "The end must be a day, or a day with a time."],
    ]);
    for (const id of ["destination_url", "slug", "title", "ends_at"]) {
      expect(page.text).toMatch(new RegExp(`id="${id}"[^>]* aria-invalid="true" autofocus`));
    }
    expect(fieldsOf(page)).toMatchObject({ destination_url: "javascript:alert(1)", slug: "api" });
    expect(page.text).not.toMatch(/href="javascript:|"<b>| field /);
  });
});

describe("tags that the form names", () => {
  it("are created before the link in one request, and those that exist are used", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [known, ticked] = [await workspace.tag({ name: "Été" }), await workspace.tag({ name: "Ticked" })];
    const watch = watched();
    const answer = await browser.post(
      pathOf(workspace, "/new"),
      { destination_url: DESTINATION, tag_ids: ticked.id, new_tags: " ÉTÉ, Spring sale ,, spring SALE,New" },
      {},
      watch.env,
    );
    expect(answer.status).toBe(303);
    // The tags with the session, the new ones, the rules, the link, and the settling of the push after the response.
    expect(watch.depth()).toBeLessThanOrEqual(5);
    const link = await linkOf(workspace, answer.location?.split("/").at(-1) ?? "");
    expect(tagsOn(link)).toEqual(["New", "Spring sale", "Ticked", "Été"]);
    expect(link.tags.map((tag) => tag.id)).toEqual(expect.arrayContaining([known.id, ticked.id]));
    expect(await tagsOf(workspace)).toHaveLength(4);
    const results = await selectRows`select action from audit_log where workspace_id = ${workspace}
      order by id desc limit 3`;
    expect(results.map(({ action }) => action)).toEqual(["link.create", "tag.create", "tag.create"]);
  });

  it("are added to those of a link that is edited", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Old" });
    const link = await workspace.link({ tag_ids: [tag.id] });
    const path = pathOf(workspace, `/${link.id}/edit`);
    const save = async (fields: object) => {
      const answer = await browser.post(path, { ...fieldsOf(await browser.get(path)), ...fields });
      expect(answer.status).toBe(303);
      return tagsOn(await linkOf(workspace, link.id));
    };
    expect(await save({ new_tags: "New" })).toEqual(["New", "Old"]);
    expect(await save({ new_tags: "old" })).toEqual(["New", "Old"]);
    expect(await save({ new_tags: "Third", tag_ids: [tag.id], title: "T" })).toEqual(["Old", "Third"]);
  });

  it("stay if the link is refused, and the next form uses them", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { slug } = await workspace.link();
    const page = await browser.post(pathOf(workspace, "/new"), {
      destination_url: DESTINATION,
      slug,
      new_tags: "New, Newer",
    });
    expect([page.status, fieldsOf(page)["new_tags"]]).toEqual([422, "New, Newer"]);
    expect(await tagsOf(workspace)).toEqual(["New", "Newer"]);
    const link = await create(workspace, browser, { ...fieldsOf(page), preview: [], slug: "" });
    expect(tagsOn(link)).toEqual(["New", "Newer"]);
    expect(await tagsOf(workspace)).toHaveLength(2);
  });

  it("are not created if the form itself is invalid", async () => {
    const { workspace, browser } = await makeMember("editor");
    const page = await browser.post(pathOf(workspace, "/new"), { destination_url: "", new_tags: "New" });
    expect([page.status, await tagsOf(workspace)]).toEqual([422, []]);
  });

  it("are at most fifty with those that are ticked, each counted once", async () => {
    const { workspace, browser } = await makeMember("editor");
    const ticked = await Promise.all(
      Array.from({ length: 50 }, (_, index) => workspace.tag({ name: `Tag ${index}` })),
    );
    const fields = { destination_url: DESTINATION, tag_ids: ticked.map(({ id }) => id) };
    const link = await create(workspace, browser, { ...fields, new_tags: "tag 1, TAG 2" });
    expect(link.tags).toHaveLength(50);
    const more = Array.from({ length: 51 }, (_, index) => `New ${index}`).join();
    for (const refused of [
      { destination_url: DESTINATION, new_tags: more },
      { ...fields, new_tags: "Tag 51" },
    ]) {
      expect(await tagsOf(workspace)).toHaveLength(50);
      const page = await browser.post(pathOf(workspace, "/new"), refused);
      expect(page.status).toBe(422);
      expect(wordsIn(page.text)).toContain("The link may not have more than 50 tags.");
      expect(page.text).toContain('<a href="#tag_ids">');
    }
  });

  it("are at most a thousand, however many forms are sent at once", async () => {
    const { workspace, browser } = await makeMember("editor");
    await setTagCount(workspace, 998);
    const answers = await Promise.all(
      ["a, b", "c, d", "e, f"].map((names) =>
        browser.post(pathOf(workspace, "/new"), { destination_url: DESTINATION, new_tags: names }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(wordsIn(refused?.text ?? "")).toContain("The workspace has reached its limit of 1,000 tags.");
    expect(await tagsOf(workspace)).toHaveLength(2);
    await setTagCount(workspace, 2);
  });

  it("of the same name in two forms at once are one tag", async () => {
    const { workspace, browser } = await makeMember("editor");
    const links = await Promise.all(
      ["Twin, One", "twin, Two"].map((names) =>
        create(workspace, browser, { destination_url: DESTINATION, new_tags: names }),
      ),
    );
    expect(await tagsOf(workspace)).toHaveLength(3);
    expect(links.map(({ tags }) => tags.length)).toEqual([2, 2]);
  });
});

describe("another link like one", () => {
  it("has everything but its slug and external ID", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [tag, group] = [await workspace.tag(), await workspace.group()];
    const link = await workspace.link({
      destination_url: "https://example.com/?a=1",
      utm_term: "t",
      title: "Poster",
      channel: "print",
      external_id: name("key"),
      activity_group_id: group.id,
      utm_source: "wall",
      utm_campaign: "own",
      starts_at: "2020-06-01T08:00:30.250Z",
      ended_url: "https://example.com/over",
      tag_ids: [tag.id],
    });
    const watch = watched();
    const page = await browser.get(pathOf(workspace, `/new?from=${link.id}`), {}, watch.env);
    expect(watch.depth()).toBeLessThanOrEqual(3);
    expect(fieldsOf(page)).toMatchObject({ slug: "", external_id: "" });
    const copy = await browser.post(pathOf(workspace, "/new"), fieldsOf(page));
    const made = await linkOf(workspace, copy.location?.split("/").at(-1) ?? "");
    const { id, slug, short_url, created_at, updated_at } = made;
    expect(made).toEqual({ ...link, external_id: null, id, slug, short_url, created_at, updated_at });
    expect([id, slug]).not.toEqual([link.id, link.slug]);
  });

  it("keeps the destination, Activity Group, channel, tags and UTM parameters after saving, and the made one can be copied", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ default_utm_campaign: "spring" });
    const kept = {
      destination_url: "https://example.com/?a=1",
      channel: "print",
      activity_group_id: group.id,
      utm_source: "wall",
      utm_medium: "poster",
      utm_term: "t",
    };
    const once = { title: "One", external_id: name("key"), new_tags: "Window" };
    const answer = await browser.post(pathOf(workspace, "/new"), { ...kept, ...once, another: "1" });
    expect(answer.status).toBe(303);
    const page = await browser.get(answer.location ?? "");
    const { short_url, tags } = await linkOf(workspace, answer.location?.split("after=").at(-1) ?? "");
    expect(page.text).toContain(`data-copy="${short_url}"`);
    expect(wordsIn(page.text)).toContain(`The link ${short_url} is ready.`);
    expect(fieldsOf(page)).toMatchObject({
      ...kept,
      ...{ slug: "", title: "", external_id: "", utm_campaign: "", utm_content: "" },
      tag_ids: [tags[0]?.id],
    });
    const next = await create(workspace, browser, { ...fieldsOf(page), destination_url: "example.com/b" });
    expect(next).toMatchObject({
      destination_url: "https://example.com/b",
      utm_term: "t",
      utm_campaign: "spring",
    });
  });

  it.each([
    [{ ends_at: "2020-01-01T10:00" }, "is made, but has ended already: its end is in the past."],
    [{ starts_at: "2099-01-01T10:00" }, "is made, and not open yet."],
    [{ ends_at: "2099-01-01T10:00" }, "is ready."],
  ])("with %o says what visitors get", async (times, said) => {
    const { workspace, browser } = await makeMember("editor");
    for (const another of [undefined, "1"]) {
      const fields = { destination_url: DESTINATION, ...times, ...(another && { another }) };
      const answer = await browser.post(pathOf(workspace, "/new"), fields);
      const shown = wordsIn((await browser.get(answer.location ?? "")).text);
      expect(shown).toMatch(new RegExp(`The link https://s.example/\\w+ ${said.replaceAll(".", "\\.")}`));
    }
  });

  it("says that its Activity Group has ended, and the link with it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ ends_links: true, ends_at: 0 });
    const fields = { destination_url: DESTINATION, activity_group_id: group.id };
    const answer = await browser.post(pathOf(workspace, "/new"), fields);
    expect(wordsIn((await browser.get(answer.location ?? "")).text)).toContain(
      "is made, but has ended already, because its group has.",
    );
  });

  it.each(["from", "after"])("of another workspace's link is 404 with %s", async (query) => {
    const { workspace, browser } = await makeMember("editor");
    const foreign = await (await makeWorkspace()).link();
    expect((await browser.get(pathOf(workspace, `/new?${query}=${foreign.id}`))).status).toBe(404);
  });
});

it("suggests the UTM values of the newest links, the latest first, and of no other workspace", async () => {
  const { workspace, browser } = await makeMember("editor");
  await (await makeWorkspace()).link({ utm_source: "foreign" });
  await workspace.link({ utm_source: "old", utm_medium: "m", channel: "print" });
  await workspace.link({ utm_source: "new", utm_content: "c d" });
  await workspace.link({ utm_source: "old" });
  const { text } = await browser.get(pathOf(workspace, "/new"));
  const offered = (field: string) =>
    [
      ...(new RegExp(`<datalist id="${field}-used">(.*?)</datalist>`, "s").exec(text)?.[1] ?? "").matchAll(
        /value="([^"]*)"/g,
      ),
    ].map(([, value]) => value);
  expect(offered("utm_source")).toEqual(["old", "new"]);
  expect(offered("utm_medium")).toEqual(["m"]);
  expect(offered("utm_content")).toEqual(["c d"]);
  expect(offered("utm_term")).toEqual([]);
  expect(offered("channel")).toEqual(["print"]);
});

describe("a link made from the page of an Activity Group", () => {
  const formOf = ({ text }: Page) =>
    /<form class="card fields" method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ??
    "";

  it("leads back to the group, also after an error and after another one", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ name: "Summer" });
    const home = `/app/${workspace.slug}/groups/${group.id}`;
    const [, start = ""] = /href="([^"]+)">\s*New link/.exec((await browser.get(home)).text) ?? [];
    const page = await browser.get(start.replaceAll("&amp;", "&"));
    expect(page.text).toContain(`<a href="${home}"><bdi>Summer</bdi></a>`);
    expect(page.text).toContain(`<a href="${home}?tab=links">Cancel</a>`);
    const refused = await browser.post(formOf(page), { ...fieldsOf(page), destination_url: "nonsense" });
    expect(refused.status).toBe(422);
    const fields = { ...fieldsOf(refused), destination_url: DESTINATION };
    const first = await browser.post(formOf(refused), { ...fields, another: "1" });
    const next = await browser.get(first.location ?? "");
    const second = await browser.post(formOf(next), { ...fieldsOf(next), destination_url: DESTINATION });
    const made = /made=(\w{26})$/.exec(second.location ?? "")?.[1];
    expect([second.status, second.location]).toEqual([303, `${home}?tab=links&made=${made}`]);
    const shown = await browser.get(second.location ?? "");
    expect(wordsIn(shown.text)).toMatch(/1 new link https:\/\/s\.example\/\w+ Copy/);
    expect(wordsIn(shown.text)).toMatch(/The link https:\/\/s\.example\/\w+ is ready\./);
    expect(wordsIn(shown.text)).toContain("Export these 2 links");
  });

  it("leads to no page outside of the workspace", async () => {
    const { workspace, browser } = await makeMember("editor");
    const own = `/app/${workspace.slug}`;
    for (const back of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      `https://evil.example${own}/groups`,
      `${own}/../other/links`,
      `${own}/%2e%2e/other`,
      `${own}-2/links`,
      `${own}/\\../../../..//evil.example/`,
      "javascript:alert(1)",
      `${own}/${"a".repeat(1_000)}`,
    ]) {
      const to = `${pathOf(workspace, "/new")}?${new URLSearchParams({ back })}`;
      expect((await browser.get(to)).text, back).toContain(`<a href="${own}/links">Cancel</a>`);
      const made = await browser.post(to, { destination_url: DESTINATION });
      expect(made.location, back).toMatch(new RegExp(`^${own}/links/\\w{26}$`));
    }
  });
});
