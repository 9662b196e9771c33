import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import type { TestWorkspace } from "../../harness";
import { runSql } from "../../sql";
import { makeMember } from "../browser";
import { addVisits, click, scan } from "../clicks";
import { wordsIn } from "../form-fields";

async function poster(ws: TestWorkspace, status: "draft" | "live" = "live") {
  const link = await ws.link();
  return createAsset(ws.ctx, { name: "Poster", link: link.id, status });
}

describe("the scans of an asset", () => {
  it("are those of the range, apart from the clicks of its link, compared with the range before", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const asset = await poster(ws);
    await scan(ws, asset.id, "2026-05-12T10:00Z", { scans: 9, after_end: 6, bots: 2 });
    await click(ws, asset.link.id, "2026-05-12", { clicks: 1_000, scans: 99 });
    await scan(ws, asset.id, "2026-05-09T10:00Z", { scans: 6 });
    await scan(ws, asset.id, "2026-04-09T10:00Z", { scans: 100 });
    const at = (query: string) => browser.get(`/app/${ws.slug}/assets/${asset.id}?${query}`);
    const text = wordsIn((await at("from=2026-05-11&to=2026-05-15")).text);
    expect(text).toContain("9 scans ▲ 50% 50% more than in the 5 days before, which had 6");
    expect(text).toContain("In all 115 scans .");
    expect(text).toContain("Tue, 12 May 2026 9 0");
    for (const part of ["6 after the end", "2 by bots and previews", "it may still hang"])
      expect(text).toContain(part);
    expect(text).not.toMatch(/clicks and|1,000/);
    expect(wordsIn((await at("from=2026-05-11&to=2026-05-15&compare=0")).text)).not.toContain("more than in");
  });

  it("are counted by hour of the day in the time zone, also when the clock changes in the range", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    await updateWorkspace(ws.ctx, { time_zone: "Europe/Zurich" });
    const asset = await poster(ws);
    // Both at nine o'clock: the clock was changed on 29 March.
    await scan(ws, asset.id, "2026-03-20T08:00Z", { scans: 3 });
    await scan(ws, asset.id, "2026-04-10T07:00Z", { scans: 4 });
    await scan(ws, asset.id, "2026-04-10T22:30Z", { scans: 2 });
    const { text } = await browser.get(`/app/${ws.slug}/assets/${asset.id}?from=2026-03-15&to=2026-04-20`);
    expect(text).toContain("Scans by hour of the day, Zurich time: 9 scans, at most 7 an hour");
    expect(text).toContain("<title>09:00\nScans\t7</title>");
    expect(text).toContain("<title>00:00\nScans\t2</title>");
    expect(text).toContain("<title>Sat, 11 Apr 2026\nScans\t2");
  });

  it("are by the present clocks also before a change of the zone, whose days are by the earlier one", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const asset = await poster(ws);
    await scan(ws, asset.id, "2026-04-10T22:00Z", { scans: 2 });
    const until = Date.parse("2026-04-20T00:00Z");
    const earlier = JSON.stringify([{ zone: "UTC", until, lastDay: until / DAY_MS - 1 }]);
    await runSql`update workspaces set time_zone = 'Europe/Zurich', earlier_zones = ${earlier} where id = ${ws}`;
    const { text } = await browser.get(`/app/${ws.slug}/assets/${asset.id}?from=2026-04-05&to=2026-04-25`);
    expect(text).toContain("<title>00:00\nScans\t2</title>");
    expect(text).toContain("<title>Fri, 10 Apr 2026\nScans\t2");
  });

  it("are none of the clicks that its link had in the hour before it went live", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    const asset = await poster(ws, "draft");
    const hour = Date.now() - (Date.now() % HOUR_MS);
    await addVisits(ws, asset.link.id, hour, { clicks: 25 });
    await updateAsset(ws.ctx, asset.id, { status: "live" });
    const { text } = await browser.get(`/app/${ws.slug}/assets/${asset.id}?last=today`);
    expect(text).toContain("<strong>0</strong> <span>scans</span>");
  });

  it("from before it went live are named as such", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const asset = await poster(ws);
    await runSql`update offline_assets set live_at = ${Date.parse("2026-05-12T10:30Z")}
      where public_id = ${asset.id}`;
    const page = async (query = "from=2026-05-01&to=2026-05-20") =>
      wordsIn((await browser.get(`/app/${ws.slug}/assets/${asset.id}?${query}`)).text);
    await scan(ws, asset.id, "2026-05-12T10:00Z", { scans: 8 });
    expect(await page()).not.toContain("from before it went live");
    await scan(ws, asset.id, "2026-05-12T09:00Z", { scans: 1 });
    expect(await page()).toContain("1 scan of these is from before it went live");
    expect(await page("from=2026-05-13&to=2026-05-20")).not.toContain("from before it went live");
  });
});

it("the assets on the page of a link are listed with their scans of the range, the most scanned first", async () => {
  const { workspace: ws, browser } = await makeMember("viewer");
  const link = await ws.link();
  const make = (name: string) => createAsset(ws.ctx, { name, place: "Hall", link: link.id });
  const few = await make("Few");
  const many = await make("Many");
  await scan(ws, few.id, "2026-05-12T10:00Z", { scans: 2, after_end: 3 });
  await scan(ws, many.id, "2026-05-12T10:00Z", { scans: 5 });
  await scan(ws, few.id, "2026-06-12T10:00Z", { scans: 50 });
  await click(ws, link.id, "2026-05-12", { clicks: 1, scans: 7 });
  const page = async (query: string) =>
    wordsIn((await browser.get(`/app/${ws.slug}/links/${link.id}?${query}`)).text);
  expect(await page("from=2026-05-10&to=2026-05-14")).toContain("Many Hall Draft 5 0 Few Hall Draft 2 3");
  expect(await page("from=2026-06-10&to=2026-06-14")).toContain("Few Hall Draft 50 Many Hall Draft 0");
});
