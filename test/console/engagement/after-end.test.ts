import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { type Asset, createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import type { TestWorkspace } from "../../harness";
import { selectValue } from "../../sql";
import { makeMember } from "../browser";
import { scan } from "../clicks";
import { wordsIn } from "../form-fields";

/** A live asset that was made long ago. */
const poster = async (ws: TestWorkspace, name: string, place: string): Promise<Asset> =>
  createAsset(
    { ...ws.ctx, now: () => Date.now() - 90 * DAY_MS },
    { name, place, link: (await ws.link()).id, kind: "poster", status: "live" },
  );

describe("assets that are scanned after the end", () => {
  it("are listed with place, number and last scan, the last one first", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const now = Date.now();
    const old = await poster(workspace, "Arrivals", "Bern");
    await scan(workspace, old.id, now - 60 * DAY_MS, { after_end: 4 });
    await scan(workspace, old.id, now - 61 * DAY_MS, { after_end: 3, scans: 9 });
    const recent = await poster(workspace, "Zebra", "Zürich HB");
    await scan(workspace, recent.id, now - 2 * DAY_MS, { after_end: 1 });
    const open = await poster(workspace, "Open", "Basel");
    await scan(workspace, open.id, now - DAY_MS, { scans: 8, bots: 2 });
    const stranger = await makeMember("viewer");
    await scan(stranger.workspace, (await poster(stranger.workspace, "Foreign", "Chur")).id, now, {
      after_end: 1,
    });
    const path = `/app/${workspace.slug}/assets?after_end=1`;
    const page = await browser.get(path);
    const text = wordsIn(page.text);
    expect(page.text.indexOf(">Zebra<")).toBeLessThan(page.text.indexOf(">Arrivals<"));
    expect(text).toMatch(/Zürich HB .* 1 Last .*Bern .* 7 Last /);
    for (const other of ["Open", "Foreign", "Chur"]) expect(text).not.toContain(other);
    expect(wordsIn((await browser.get(`${path}&q=bern`)).text)).not.toContain("Zebra");
    const home = wordsIn((await browser.get(`/app/${workspace.slug}`)).text);
    expect(home).toContain("1 poster was scanned after its end in the last 30 days Zebra");
  });

  it("need attention again if they are scanned after they were moved or retired", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const now = Date.now();
    const asset = await poster(workspace, "Poster", "Bern");
    await scan(workspace, asset.id, now - 2 * DAY_MS, { after_end: 1 });
    const attention = async () =>
      wordsIn((await browser.get(`/app/${workspace.slug}`)).text).includes("was scanned after its end");
    expect(await attention()).toBe(true);
    await updateAsset({ ...workspace.ctx, now: () => now - DAY_MS }, asset.id, { status: "retired" });
    expect(await attention()).toBe(false);
    // A scan of the hour in which it was retired may be from before.
    await scan(workspace, asset.id, now - DAY_MS, { scans: 5 });
    expect(await attention()).toBe(false);
    await scan(workspace, asset.id, now - DAY_MS + 2 * HOUR_MS, { scans: 2 });
    expect(await attention()).toBe(true);
    const list = await browser.get(`/app/${workspace.slug}/assets?after_end=1`);
    expect(wordsIn(list.text)).toMatch(/Poster .* 3 Last /);
  });

  it("count from the last retirement on, whatever is edited later, and not while they are live again", async () => {
    const { workspace } = await makeMember("viewer");
    const now = Date.now();
    const asset = await poster(workspace, "Poster", "Bern");
    const setAt = (days: number, status: "live" | "retired") =>
      updateAsset({ ...workspace.ctx, now: () => now - days * DAY_MS }, asset.id, { status });
    await setAt(9, "retired");
    await setAt(6, "live");
    await scan(workspace, asset.id, now - 7 * DAY_MS, { scans: 5 });
    await setAt(3, "retired");
    await updateAsset(workspace.ctx, asset.id, { place: "Bern, hall 2" });
    await scan(workspace, asset.id, now - 4 * DAY_MS, { scans: 5 });
    await scan(workspace, asset.id, now - 2 * DAY_MS, { scans: 2 });
    expect(await selectValue`select after_end from offline_assets where public_id = ${asset.id}`).toBe(2);
  });

  it("count from their creation on if they are made as retired", async () => {
    const { workspace } = await makeMember("viewer");
    const now = Date.now();
    const asset = await createAsset(
      { ...workspace.ctx, now: () => now - 9 * DAY_MS },
      { name: "Poster", link: (await workspace.link()).id, status: "retired" },
    );
    await scan(workspace, asset.id, now - 2 * DAY_MS, { scans: 3 });
    expect(await selectValue`select after_end from offline_assets where public_id = ${asset.id}`).toBe(3);
  });
});
