import { describe, expect, it } from "vitest";
import { createView, listViews } from "../../../src/resources/views/views";
import { makeMember, signInAs } from "../browser";
import { wordsIn } from "../form-fields";

const FILTERS = "sort=slug&status=all&tag=spring";

async function makeEditor() {
  const { workspace, browser } = await makeMember("editor");
  const list = `/app/${workspace.slug}/links`;
  const save = (name: string, query = FILTERS) => browser.post(`${list}/views?${query}`, { name });
  return { workspace, browser, list, save };
}

describe("saved views of the list of links", () => {
  it("keep filters and order without the page, are chosen by everybody and removed by editors", async () => {
    const { workspace, browser, list, save } = await makeEditor();
    expect((await browser.get(list)).text).not.toContain("Save this view");
    expect((await browser.get(`${list}?${FILTERS}`)).text).toContain("Save this view");
    const saved = await save(
      "Spring <b>",
      `page=3&after=x&per_page=25&nonsense=1&to_group=x&${FILTERS}&status=active&status=all`,
    );
    expect(saved.status).toBe(303);
    const [view] = await listViews(workspace.ctx);
    expect(view).toMatchObject({ name: "Spring <b>", query: "tag=spring&status=all&sort=slug" });
    expect(saved.location).toBe(`${list}?${view?.query}`);
    const page = (await browser.get(saved.location ?? "")).text;
    expect(page).toContain('aria-current="true"><bdi>Spring &lt;b&gt;</bdi>');
    expect(page).toContain("Remove this view");
    expect(page).not.toContain("Save this view");
    const viewer = await signInAs(workspace, "viewer");
    const seen = (await viewer.get(`${list}?${view?.query}`)).text;
    expect(seen).toContain("<bdi>Spring");
    for (const form of ["Remove this view", "Save this view"]) expect(seen).not.toContain(form);
    const removed = await browser.post(`${list}/views/${view?.id}`);
    expect([removed.status, removed.location]).toEqual([303, `${list}?${view?.query}`]);
    expect((await browser.get(removed.location ?? "")).text).toContain("Save this view");
    expect(await listViews(workspace.ctx)).toEqual([]);
    const trail = wordsIn((await browser.get(`/app/${workspace.slug}/audit?action=view`)).text);
    for (const done of ["saved the view", "removed the view"]) expect(trail).toContain(done);
  });

  it("are refused without a name, with one that is taken, with too many filters, and beyond fifty", async () => {
    const { workspace, save } = await makeEditor();
    await save("Spring");
    for (const [name, query, message] of [
      ["", FILTERS, "Enter the name."],
      ["SPRING", FILTERS, "The name is taken."],
      ["x".repeat(101), FILTERS, "100 characters"],
      ["Long", `tag=${"x".repeat(50)}&`.repeat(60), "The list has too many filters to be saved."],
    ] as const) {
      const refused = await save(name, query);
      expect([refused.status, wordsIn(refused.text).includes(message)], message).toEqual([422, true]);
    }
    expect((await save("spring", "status=all")).text).toContain('id="name-refusal"');
    for (let made = 1; made < 50; made++)
      await createView(workspace.ctx, { name: `View ${made}`, query: "" });
    const full = await save("One more");
    expect([full.status, wordsIn(full.text).includes("limit of 50 saved views")]).toEqual([422, true]);
    expect(await listViews(workspace.ctx)).toHaveLength(50);
  });

  it("saved at the same time with one name are one", async () => {
    const { workspace, save } = await makeEditor();
    const saved = await Promise.all([save("Spring"), save("Spring"), save("spring")]);
    expect(saved.map(({ status }) => status).toSorted()).toEqual([303, 422, 422]);
    expect(await listViews(workspace.ctx)).toHaveLength(1);
  });

  it("open as far as they are valid", async () => {
    const { workspace, browser, list } = await makeEditor();
    const link = await workspace.link({ title: "Shown" });
    await createView(workspace.ctx, { name: "Old", query: "sort=gone&status=%22%3E&utm_source=" });
    const page = await browser.get(`${list}?${(await listViews(workspace.ctx))[0]?.query}`);
    expect([page.status, page.text.includes(link.slug)]).toEqual([200, true]);
  });
});
