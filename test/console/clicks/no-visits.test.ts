import { describe, expect, it } from "vitest";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import type { TestWorkspace } from "../../harness";
import { makeMember } from "../browser";
import { click, scan } from "../clicks";

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

describe.each(PAGES)("the chart of the %s", (name) => {
  it("is a sentence if visits are outside the range, unless those before are compared", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    await click(ws, link.id, "2026-06-10", { clicks: 5 });
    const before = (await browser.get(`${pages[name]}${MAY}`)).text;
    expect([before.includes(NONE_IN_RANGE), hasChart(before)]).toEqual([true, false]);
    expect(before).toContain("<strong>0</strong> <span>clicks</span>");
    expect(hasChart((await browser.get(`${pages[name]}${JUNE}`)).text)).toBe(true);
    const compared = (await browser.get(`${pages[name]}?from=2026-07-01&to=2026-07-30`)).text;
    expect([hasChart(compared), compared.includes('class="ghost"')]).toEqual([true, true]);
  });

  it("is a sentence that says so if all visits were after a link's end", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    // Groups and tags count links that were visited before their end.
    await click(ws, link.id, "2026-05-01", { clicks: 1 });
    await click(ws, link.id, "2026-06-10", { after_end: 210 });
    const { text } = await browser.get(`${pages[name]}${JUNE}&compare=0`);
    const after = name === "link" ? "after its end" : "after a link’s end";
    expect(text).toContain(`<strong>210</strong> <span>${after}</span>`);
    expect(text).toContain(`No clicks or scans: all visits were ${after}.`);
    expect([text.includes(NONE_IN_RANGE), hasChart(text)]).toEqual([false, false]);
  });
});

it.each(["link", "group"] as const)(
  "a %s says how many visits came after the end only if there were some, or a link has an end",
  async (name) => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { link, pages } = await makeVisitable(ws);
    await click(ws, link.id, "2026-06-10", { clicks: 5 });
    await click(ws, link.id, "2026-05-10", { after_end: 1 });
    const says = async (query: string) =>
      /after (?:a link’s|its) end</.test((await browser.get(pages[name] + query)).text);
    const july = "?from=2026-07-01&to=2026-07-31&compare=0";
    expect(await says(july)).toBe(false);
    expect(await says(`${july}&figure=after_end`)).toBe(true);
    expect(await says(`${MAY}`)).toBe(true);
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { ends_at: "2030-01-01T00:00:00Z" } });
    expect(await says(july)).toBe(true);
  },
);

it("the chart of an asset is a sentence without scans, whatever the clicks of its link", async () => {
  const { workspace: ws, browser } = await makeMember("viewer");
  const { link } = await makeVisitable(ws);
  const asset = await createAsset(ws.ctx, { name: "Poster", link: link.id, status: "live" });
  await click(ws, link.id, "2026-06-10", { clicks: 5 });
  const path = `/app/${ws.slug}/assets/${asset.id}${JUNE}`;
  expect(hasChart((await browser.get(path)).text)).toBe(false);
  await scan(ws, asset.id, "2026-06-10", { scans: 2 });
  expect(hasChart((await browser.get(path)).text)).toBe(true);
});
