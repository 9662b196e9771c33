import { describe, expect, it } from "vitest";
import { selectLinksTo } from "../../../src/resources/links/link-statements";
import { makeWorkspace } from "../../harness";
import { makeMember } from "../browser";
import { fieldsOf, wordsAfter, wordsIn } from "../form-fields";

// What a form and an import say of a destination that looks damaged or that a link has, and of a slug that a title proposes.

const DAMAGED = "https://www.example.com/?a=1&amp;b=2#utm_source=x";
const MENDED = "https://www.example.com/?a=1&b=2&utm_source=x";

const form = (slug: string) => `/app/${slug}/links/new`;

describe("the form of a link", () => {
  it("says what is damaged, mends it with a button, and saves it as it is without", async () => {
    const { workspace, browser } = await makeMember("editor");
    const said = await browser.post(`/app/${workspace.slug}/links/preview`, { destination_url: DAMAGED });
    expect(wordsIn(said.text)).toContain("It has “&amp;” where “&” is meant.");
    expect(wordsIn(said.text)).toContain(MENDED);
    const fields = { destination_url: DAMAGED, title: "Kept" };
    const mended = await browser.post(form(workspace.slug), { ...fields, preview: "mend" });
    expect(fieldsOf(mended)).toMatchObject({ destination_url: MENDED, title: "Kept" });
    expect(wordsIn(mended.text)).not.toContain("is meant");
    const made = await browser.post(form(workspace.slug), fields);
    expect(made.status).toBe(303);
    // Without scripts nothing has said it before it was saved.
    const hint =
      /The destination looks damaged\. It has “&amp;” where “&” is meant\. UTM parameters stand .* “Edit” offers to mend it\./;
    expect(await wordsAfter(browser, made)).toMatch(hint);
    const again = await browser.post(`${made.location}/edit`, { ...fields, preview: "mend" });
    expect(fieldsOf(again)).toMatchObject({ destination_url: MENDED });
    const save = async (more: object) => {
      const sent = { ...fieldsOf(await browser.get(`${made.location}/edit`)), ...more } as Record<
        string,
        string
      >;
      return wordsAfter(browser, await browser.post(`${made.location}/edit`, sent));
    };
    const renamed = await save({ title: "Other" });
    expect(renamed).toContain("Saved.");
    expect(renamed).not.toMatch(hint);
    expect(await save({ destination_url: `${DAMAGED}&c=3` })).toMatch(hint);
    expect(await save({ destination_url: MENDED })).not.toContain("looks damaged");
  });

  it("names a link of the workspace that leads there already, and not the link itself", async () => {
    const { workspace, browser } = await makeMember("editor");
    const destination_url = "https://www.example.com/offer?a=1";
    const [archived, link] = [
      await workspace.link({ destination_url, slug: `old-${workspace.slug}` }),
      await workspace.link({ destination_url, slug: `offer-${workspace.slug}` }),
    ];
    await workspace.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    const preview = `/app/${workspace.slug}/links/preview`;
    const said = await browser.post(preview, { destination_url });
    expect(said.text).toContain(`href="/app/${workspace.slug}/links/${link.id}"`);
    expect(wordsIn(said.text)).toMatch(/\/offer-\S+ .*leads there since .*: use it\?/);
    expect(
      wordsIn(
        (await browser.get(`${form(workspace.slug)}?destination=${encodeURIComponent(destination_url)}`))
          .text,
      ),
    ).toContain("leads there since");
    const own = await browser.post(preview, { destination_url, link: link.id });
    expect(own.text).not.toContain("leads there since");
    const other = await makeMember("editor");
    const foreign = await other.browser.post(`/app/${other.workspace.slug}/links/preview`, {
      destination_url,
    });
    expect(foreign.text).not.toContain("leads there since");
  });

  it("offers a free slug of the title, of Cyrillic too, for a new link without one", async () => {
    const { workspace, browser } = await makeMember("editor");
    const title = `Летняя ${workspace.slug}`;
    const slug = `letnyaya-${workspace.slug}`;
    const fields = { destination_url: "https://www.example.com/", title };
    const preview = `/app/${workspace.slug}/links/preview`;
    expect(wordsIn((await browser.post(preview, fields)).text)).toContain(`Take “${slug}” from the title`);
    expect((await browser.post(preview, { ...fields, slug: "own" })).text).not.toContain("from the title");
    const taken = await browser.post(form(workspace.slug), { ...fields, preview: "slug" });
    expect(fieldsOf(taken)).toMatchObject({ slug, title });
    const link = await workspace.link({ slug });
    expect((await browser.post(preview, fields)).text).not.toContain("from the title");
    expect((await browser.post(preview, { ...fields, link: link.id })).text).not.toContain("from the title");
  });
});

describe("an import", () => {
  const check = async ({ browser, workspace }: Awaited<ReturnType<typeof makeMember>>, more = {}) => {
    const rows = `destination_url\n"${DAMAGED}"\nhttps://www.example.com/offer\n`;
    const file = new File([rows], "links.csv", { type: "text/csv" });
    const sent = await browser.post(`/app/${workspace.slug}/import`, { file, ...more });
    return browser.get(sent.location ?? "");
  };

  it("says which rows are damaged, and where a link leads already", async () => {
    const member = await makeMember("editor");
    const link = await member.workspace.link({ destination_url: "https://www.example.com/offer" });
    const page = await check(member);
    expect(wordsIn(page.text)).toContain("It has “&amp;” where “&” is meant.");
    expect(page.text).toContain(`href="/app/${member.workspace.slug}/links/${link.id}"`);
    expect(wordsIn(page.text)).toContain("2 rows would create a link");
  });

  it("mends them where this is asked for", async () => {
    const page = await check(await makeMember("editor"), { mends: "true" });
    expect(wordsIn(page.text)).toContain(MENDED);
    expect(wordsIn(page.text)).not.toContain("is meant");
  });
});

it("the link with a destination is one row, however many links have it", async () => {
  const workspace = await makeWorkspace();
  const destination_url = "https://www.example.com/many";
  for (let made = 0; made < 3; made++) await workspace.link({ destination_url });
  const { ctx } = workspace;
  const [found] = await ctx.db.read(
    selectLinksTo(ctx.workspace.rowId, [destination_url, "https://www.example.com/none"]),
  );
  expect(found.map(({ url }) => url)).toEqual([destination_url]);
});
