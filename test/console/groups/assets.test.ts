import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/lib/time";
import { createAssets, listAssets } from "../../../src/resources/engagement/asset-service";
import { makeMember } from "../browser";
import { scan } from "../clicks";
import { linkTo, wordsIn } from "../form-fields";

const named = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}` }));

const namesIn = (text: string) =>
  [...text.matchAll(/\/assets\/[0-9A-Z]{26}"><bdi>([^<]+)</g)].map(([, name]) => name);

async function groupOfPosters(count: number, role: "viewer" | "editor" = "viewer") {
  const { workspace, browser } = await makeMember(role);
  const group = await workspace.group({ name: "Summer" });
  const link = await workspace.link({ activity_group_id: group.id });
  const make = (assets: { name: string }[], to = link.id) =>
    createAssets(workspace.ctx, { link: to, kind: "poster", status: "live", assets });
  const assets = await make(named(count, "Poster"));
  const home = `/app/${workspace.slug}`;
  const tab = `${home}/groups/${group.id}?tab=posters`;
  return { workspace, browser, group, link, make, assets, home, tab };
}

describe("the tab Posters of an Activity Group", () => {
  it("lists all assets in pages of fifty, the most scanned in the range first", async () => {
    const { workspace, browser, assets, tab } = await groupOfPosters(52);
    await scan(workspace, assets[51]?.id ?? "", Date.now(), { scans: 3 });
    await scan(workspace, assets[7]?.id ?? "", Date.now() - 60 * DAY_MS, { scans: 100 });
    const first = await browser.get(tab);
    expect(namesIn(first.text)).toHaveLength(50);
    expect(namesIn(first.text).slice(0, 3)).toEqual(["Poster 51", "Poster 0", "Poster 1"]);
    expect(wordsIn(first.text)).toContain("52 posters, page 1 of 2");
    const second = await browser.get(linkTo(first));
    expect(namesIn(second.text)).toEqual(["Poster 49", "Poster 50"]);
    expect(namesIn((await browser.get(`${tab}&page=9999`)).text)).toEqual(["Poster 49", "Poster 50"]);
    const longer = await browser.get(`${tab}&last=90`);
    expect(namesIn(longer.text).slice(0, 2)).toEqual(["Poster 7", "Poster 51"]);
    expect(longer.text).toContain("tab=posters&amp;last=90&amp;page=2");
  });

  it("lists more than 500 with the newest first, and says so", async () => {
    const { workspace, browser, group, make, tab } = await groupOfPosters(200);
    for (const name of ["Flyer", "Sign"]) {
      const { id } = await workspace.link({ activity_group_id: group.id });
      await make(named(name === "Sign" ? 101 : 200, name), id);
    }
    const oldest = (await listAssets(workspace.ctx))[0]?.id ?? "";
    await scan(workspace, oldest, Date.now(), { scans: 3 });
    const { text } = await browser.get(tab);
    expect(wordsIn(text)).toContain(
      "501 posters are too many to order by their scans: the newest come first.",
    );
    expect(wordsIn(text)).toContain("501 posters, page 1 of 11");
    expect(namesIn(text)[0]).toBe("Sign 100");
    expect(text).not.toContain("moved or removed");
    expect((await browser.get(`${tab}&page=11`)).text).toMatch(
      /Poster 0<.*?data-label="Scans" class="number">3</s,
    );
  });

  it("changes the chosen ones and comes back to the same page and range", async () => {
    const { workspace, browser, assets, home, tab } = await groupOfPosters(51, "editor");
    const { text } = await browser.get(`${tab}&last=7&page=2`);
    const [, action = ""] = /formaction="([^"]+change[^"]+)"/.exec(text) ?? [];
    const form = { status: "retired", id: [assets[50]?.id ?? ""] };
    const { location } = await browser.post(action.replaceAll("&amp;", "&"), form);
    expect(location).toBe(`${tab}&last=7&page=2`);
    expect(wordsIn((await browser.get(location ?? "")).text)).toContain("1 poster is retired now.");
    expect((await listAssets(workspace.ctx)).filter(({ status }) => status === "retired")).toHaveLength(1);
    const refused = await browser.post(action.replaceAll("&amp;", "&"), { status: "retired" });
    expect([refused.status, namesIn(refused.text).length]).toEqual([422, 50]);
    expect(refused.text).toContain("Choose at least one poster.");
    const elsewhere = await browser.post(`${home}/assets/change?back=https%3A%2F%2Fexample.com`, form);
    expect(elsewhere.location).toBe(`${home}/assets`);
  });

  it("shows nothing of another workspace", async () => {
    const { group } = await groupOfPosters(2);
    const { workspace, browser } = await makeMember("owner");
    expect((await browser.get(`/app/${workspace.slug}/assets?group=${group.id}`)).status).toBe(404);
  });
});
