import { describe, expect, it } from "vitest";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateLink } from "../../../src/resources/links/update-link";
import type { TestWorkspace } from "../../harness";
import { makeMember } from "../browser";
import { click, scan } from "../clicks";

const NONE_YET = "No clicks or scans yet. They show up here within a minute.";
const NONE_IN_RANGE = "No clicks or scans in this range.";
const MAY = "?from=2026-05-01&to=2026-05-31&compare=0";
const JUNE = "?from=2026-06-01&to=2026-06-30";

const PAGES = ["overview", "link", "group", "tag"] as const;

/** A link in a group and with a tag, with the pages that count its visits. */
async function makeVisitable(ws: TestWorkspace) {
  const [group, tag] = [await ws.group(), await ws.tag()];
  const link = await ws.link({ activity_group_id: group.id, channel: "poster", tag_ids: [tag.id] });
  const base = `/app/${ws.slug}`;
  const pages: Record<(typeof PAGES)[number], string> = {
    overview: base,
    link: `${base}/links/${link.id}`,
    group: `${base}/groups/${group.id}`,
    tag: `${base}/tags/${tag.id}`,
  };
  return { link, pages };
}

const hasChart = (html: string): boolean => html.includes('class="chart"');
const hasZeroes = (html: string): boolean =>
  html.includes("<strong>0</strong> <span>clicks</span>") &&
  html.includes("<strong>0</strong> <span>scans</span>");

describe.each(PAGES)("the chart of the %s", (name) => {
  it("is a sentence while nobody has visited anything, and the figures stay", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { pages } = await makeVisitable(ws);
    const { text } = await browser.get(pages[name]);
    expect(text).toContain(NONE_YET);
    expect([hasChart(text), hasZeroes(text)]).toEqual([false, true]);
  });

  it("is another sentence if visits are outside the range, unless those before are compared", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    await click(ws, link.id, "2026-06-10", { clicks: 5 });
    const before = await browser.get(`${pages[name]}${MAY}`);
    expect(before.text).toContain(NONE_IN_RANGE);
    expect([hasChart(before.text), hasZeroes(before.text)]).toEqual([false, true]);
    expect(hasChart((await browser.get(`${pages[name]}${JUNE}`)).text)).toBe(true);
    const after = "?from=2026-07-01&to=2026-07-30&compare=";
    const compared = (await browser.get(`${pages[name]}${after}1`)).text;
    expect([hasChart(compared), compared.includes('class="ghost"')]).toEqual([true, true]);
    expect(compared).not.toContain(NONE_IN_RANGE);
    expect((await browser.get(`${pages[name]}${after}0`)).text).toContain(NONE_IN_RANGE);
  });

  it("is a sentence that says so if all visits were after a link's end", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    // Groups and tags count links that were visited before their end.
    await click(ws, link.id, "2026-05-01", { clicks: 1 });
    await click(ws, link.id, "2026-06-10", { after_end: 210 });
    const { text } = await browser.get(`${pages[name]}${JUNE}&compare=0`);
    expect(text).toContain("<strong>210</strong> <span>after a link’s end</span>");
    expect(text).toContain("No clicks or scans: all visits were after a link&#39;s end.");
    expect([text.includes(NONE_IN_RANGE), hasChart(text)]).toEqual([false, false]);
  });
});

describe("the page of a link that nobody has visited", () => {
  it("does not say that visits show up soon if all were after its end", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    await click(ws, link.id, "2026-06-10", { after_end: 210 });
    const { text } = await browser.get(`${pages.link}${JUNE}`);
    expect(text).toContain("all visits were after a link&#39;s end.");
    expect(text).not.toContain(NONE_YET);
  });

  it("offers the short link to share, in every range", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    for (const query of ["", MAY]) {
      const { text } = await browser.get(`${pages.link}${query}`);
      expect(text).toContain(NONE_YET);
      expect(text).toContain("Share the short link or its QR code.");
    }
    await click(ws, link.id, "2026-06-10", { clicks: 5 });
    expect((await browser.get(`${pages.link}${MAY}`)).text).not.toContain("or its QR code.");
  });

  it.each<[string, (ws: TestWorkspace, link: string) => Promise<unknown>]>([
    ["is archived", (ws, link) => updateLink(ws.ctx, link, { status: "archived" })],
    ["has not begun", (ws, link) => updateLink(ws.ctx, link, { starts_at: "2999-01-01T00:00:00Z" })],
    ["is taken down", (ws, link) => takeDown(ws.ctx, link)],
  ])("offers nothing to share if it %s", async (_, change) => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    await change(ws, link.id);
    const { text } = await browser.get(pages.link);
    expect(text).toContain(NONE_YET);
    expect(text).not.toContain("or its QR code.");
  });
});

it("the chart of an asset is a sentence without scans, whatever the clicks of its link", async () => {
  const { workspace: ws, browser } = await makeMember("viewer");
  const { link } = await makeVisitable(ws);
  const asset = await createAsset(ws.ctx, { name: "Poster", link: link.id, status: "live" });
  await click(ws, link.id, "2026-06-10", { clicks: 5 });
  const path = `/app/${ws.slug}/assets/${asset.id}`;
  const without = (await browser.get(`${path}${JUNE}`)).text;
  expect(without).toContain("No scans yet. They show up here within a minute.");
  expect(hasChart(without)).toBe(false);
  await scan(ws, asset.id, "2026-06-10", { scans: 2 });
  expect(hasChart((await browser.get(`${path}${JUNE}`)).text)).toBe(true);
  expect((await browser.get(`${path}${MAY}`)).text).toContain("No scans in this range.");
});
