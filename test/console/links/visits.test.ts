import { describe, expect, it } from "vitest";
import { updateLink } from "../../../src/resources/links/update-link";
import { makeMember, signInAs } from "../browser";
import { click } from "../clicks";
import { hiddenIn, undoOn, wordsIn } from "../form-fields";

describe("the visits on the page of a link", () => {
  it("are those of the range and all so far, with the last one", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const link = await ws.link();
    await click(ws, link.id, "2026-05-12", { clicks: 6, scans: 2, referrer: "t.co", country: "GB" });
    await click(ws, link.id, "2026-05-02", { clicks: 3 });
    await click(ws, link.id, "2026-06-12", { clicks: 40 });
    const { text: html } = await browser.get(
      `/app/${ws.slug}/links/${link.id}?from=2026-05-11&to=2026-05-20`,
    );
    const text = wordsIn(html);
    for (const part of [
      "In all 49 clicks and 2 scans , the last one on 12 Jun 2026, 12:00 UTC .",
      "6 clicks ▲ 100% 100% more than in the 10 days before, which had 3",
      "2 scans none before",
      "Tue, 12 May 2026 6 2 3",
      "X 8 100%",
      "United Kingdom 8 100%",
    ]) {
      expect(text).toContain(part);
    }
    expect(html).toContain(`href="/app/${ws.slug}/links/${link.id}?last=7"`);
  });

  it("begin with the link where everything is shown", async () => {
    const { workspace: ws, browser } = await makeMember();
    const link = await ws.link();
    await click(ws, link.id, Date.now(), { clicks: 1 });
    const { text } = await browser.get(`/app/${ws.slug}/links/${link.id}?last=all`);
    expect(text.match(/class="place"/g)).toHaveLength(24);
  });
});

describe("the last changes of a link", () => {
  it("are undone at once, or lead to the state before an earlier one", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    const viewer = await signInAs(ws, "viewer");
    const link = await ws.link({ title: "First" });
    await updateLink(ws.ctx, link.id, { title: "Second" });
    await updateLink(ws.ctx, link.id, { title: "Third" });
    const path = `/app/${ws.slug}/links/${link.id}`;
    const changes = (html: string) => html.slice(html.indexOf('id="changes"'));
    const shown = changes((await browser.get(path)).text);
    expect(hiddenIn(shown)["back"]).toEqual([path]);
    expect(shown.match(/Revert to the state before/g)).toHaveLength(1);
    expect(changes((await viewer.get(path)).text)).not.toMatch(/Undo|Revert to the state/);
    const answer = await browser.post(undoOn({ text: shown }), { back: path });
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect((await browser.get(path)).text).toContain("<h1>Second</h1>");
  });

  it("on the overview lead back to the overview when they are undone", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    const link = await ws.link({ title: "First" });
    await updateLink(ws.ctx, link.id, { title: "Second" });
    const page = await browser.get(`/app/${ws.slug}?last=7`);
    expect(hiddenIn(page.text)["back"]).toEqual([`/app/${ws.slug}?last=7`]);
    const back = (to: string) => browser.post(undoOn(page), { back: to });
    expect((await back(`/app/${ws.slug}?last=7`)).location).toBe(`/app/${ws.slug}?last=7`);
    expect((await back("https://www.example.com/")).location).toBe(`/app/${ws.slug}/audit`);
    expect((await back(`/app/${ws.slug}x`)).location).toBe(`/app/${ws.slug}/audit`);
    expect((await browser.get(`/app/${ws.slug}/links/${link.id}`)).text).toContain("<h1>First</h1>");
  });
});
