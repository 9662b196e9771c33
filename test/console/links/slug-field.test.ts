import { describe, expect, it } from "vitest";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { makeMember, signInAs } from "../browser";
import { watched } from "../depth";
import { wordsIn } from "../form-fields";

const pathOf = (ws: TestWorkspace, rest: string) => `/app/${ws.slug}/links${rest}`;
const fresh = () => `s-${crypto.randomUUID().slice(0, 8)}`;

/** The state of the slug in a preview or a page. */
const stateIn = (text: string): string =>
  wordsIn(/(?:data-into|id)="slug-state"[^>]*>(.*?)<\/(?:div|p)>/s.exec(text)?.[1] ?? "missing").trim();

describe("the short link in the form", () => {
  it.each([
    ["", ""],
    ["-x", "Not possible: use letters"],
    ["two words", "Not possible: use letters"],
    ["API", "Not possible: this service needs it itself."],
    [fresh(), "Free."],
  ])("%j is %j", async (slug, said) => {
    const { workspace, browser } = await makeMember("editor");
    const part = await browser.post(pathOf(workspace, "/preview"), { slug });
    expect(stateIn(part.text).startsWith(said)).toBe(true);
    expect(stateIn(part.text) === "").toBe(said === "");
    const whole = await browser.post(pathOf(workspace, "/new"), { slug, preview: "1" });
    expect(stateIn(whole.text)).toBe(stateIn(part.text));
  });

  it("that is taken names and links the own link, in any case and by an old slug", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [slug, old] = [fresh(), fresh()];
    const link = await workspace.link({ slug: old, title: "<Spring> sale" });
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug } });
    for (const typed of [slug, slug.toUpperCase(), old]) {
      const watch = watched();
      const { text } = await browser.post(pathOf(workspace, "/preview"), { slug: typed }, {}, watch.env);
      expect(stateIn(text)).toBe("Taken by <Spring> sale (in a new tab) .");
      expect(text).toContain(`href="${pathOf(workspace, `/${link.id}`)}"`);
      expect(watch.depth()).toBeLessThanOrEqual(3);
      const refused = await browser.post(pathOf(workspace, "/new"), {
        destination_url: "https://www.example.com/",
        slug: typed,
      });
      expect(refused.status).toBe(422);
      expect(wordsIn(refused.text)).toContain("The short link is taken by “<Spring> sale”.");
    }
  });

  it("of another workspace is only taken, whatever has become of its link", async () => {
    const { workspace, browser } = await makeMember("editor");
    const other = await makeWorkspace();
    const [live, deleted, stopped] = [
      await other.link({ title: "Secret" }),
      await other.link({ title: "Secret" }),
      await other.link({ title: "Secret" }),
    ];
    await other.call("DELETE", `/api/v1/links/${deleted.id}`);
    await takeDown(other.ctx, stopped.id);
    for (const { slug, id } of [live, deleted, stopped]) {
      const { text } = await browser.post(pathOf(workspace, "/preview"), { slug });
      expect(stateIn(text)).toBe("Taken.");
      expect(text).not.toMatch(new RegExp(`Secret|${id}`));
      const refused = await browser.post(pathOf(workspace, "/new"), {
        destination_url: "https://www.example.com/",
        slug,
      });
      expect(wordsIn(refused.text)).toContain("The short link is taken.");
      expect(refused.text).not.toMatch(new RegExp(`Secret|${id}`));
    }
  });

  it("of a deleted, a stopped and a printed one says so", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [deleted, stopped, printed] = [
      await workspace.link(),
      await workspace.link(),
      await workspace.link(),
    ];
    await workspace.call("DELETE", `/api/v1/links/${deleted.id}`);
    await takeDown(workspace.ctx, stopped.id);
    const { code } = await createAsset(workspace.ctx, { name: "P", link: printed.id });
    const said = async (slug: string) =>
      stateIn((await browser.post(pathOf(workspace, "/preview"), { slug })).text);
    expect(await said(deleted.slug)).toContain("A deleted link of this workspace had it");
    expect(await said(stopped.slug)).toContain("the operator of this service has taken it down");
    expect(await said(code)).toBe("Taken by the code of a poster.");
  });

  it("of the link that is edited says nothing, and its old one that it leads here", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [slug, old] = [fresh(), fresh()];
    const link = await workspace.link({ slug: old });
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug } });
    const said = async (typed: string) =>
      stateIn((await browser.post(pathOf(workspace, "/preview"), { link: link.id, slug: typed })).text);
    expect(await said(slug)).toBe("");
    expect(await said(old)).toBe("It leads to this link already.");
    expect(stateIn((await browser.get(pathOf(workspace, `/${link.id}/edit`))).text)).toBe("");
    const back = await browser.post(pathOf(workspace, `/${link.id}/edit`), {
      destination_url: "https://www.example.com/",
      slug: (await workspace.link()).slug,
      preview: "1",
    });
    expect(stateIn(back.text)).toContain("Taken by");
  });

  it("can be generated: it is free, and different each time", async () => {
    const { workspace, browser } = await makeMember("editor");
    const made = [];
    for (let index = 0; index < 3; index++) {
      const { status, text, headers } = await browser.get(pathOf(workspace, "/slug"));
      expect([status, headers.get("content-type")]).toEqual([200, "text/plain;charset=UTF-8"]);
      expect(text).toMatch(/^[abcdefghjkmnpqrstuvwxyz2-9]{7}$/);
      made.push(text);
    }
    expect(new Set(made).size).toBe(3);
    const viewer = await signInAs(workspace, "viewer");
    expect((await viewer.get(pathOf(workspace, "/slug"))).status).toBe(403);
  });
});

describe("suggestions of links", () => {
  const suggested = (text: string): [string | undefined, string][] =>
    [...text.matchAll(/<div data-value="([^"]*)"><bdi>(.*?)<\/bdi>/g)].map(([, value, label = ""]) => [
      value,
      wordsIn(label),
    ]);

  it("find a slug, a title, a destination and a short URL, in this workspace alone", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const other = await makeWorkspace();
    const word = fresh();
    const link = await workspace.link({
      slug: word,
      title: `Poster "${word}"`,
      destination_url: `https://${word}.example/`,
    });
    await other.link({ title: word });
    for (const q of [word.toUpperCase(), `https://s.example/${word}`, `${word}.example`, `Poster "${word}`]) {
      const watch = watched();
      const { text } = await browser.get(
        pathOf(workspace, `/suggest?q=${encodeURIComponent(q)}`),
        {},
        watch.env,
      );
      expect(suggested(text), q).toEqual([[link.slug, `/${word} · Poster "${word}"`]]);
      expect(watch.depth()).toBeLessThanOrEqual(3);
    }
  });

  it("are at most eight, and none for nothing", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const word = fresh();
    for (let index = 0; index < 9; index++) await workspace.link({ title: `${word} ${index}` });
    const of = async (q: string) =>
      suggested((await browser.get(pathOf(workspace, `/suggest?q=${encodeURIComponent(q)}`))).text).length;
    expect(await of(word)).toBe(8);
    expect(await of("   ")).toBe(0);
    expect(await of(`${word}${"x".repeat(400)}`)).toBe(0);
  });
});
